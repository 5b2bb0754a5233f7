import type { EventPayload } from '../../../plan/events.js';
import { addUsage, NO_USAGE } from '../../../plan/plan.js';
import type { Settings, Usage, Warning } from '../../../plan/schema.js';
import type { Answer } from '../../../llm/chat-model.js';
import type { Expander } from '../../../planning/expander.js';
import { asksForLinks, isLinkable, isLinkDue } from '../../../planning/link/link-due.js';
import type { LinkReply } from '../../../planning/link/link-reply.js';
import type { PlanningEnd } from '../../../planning/planner-state.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Emit } from '../planning-progress.js';
import { appendAndTell } from './append-and-tell.js';
import type { LinkAnswer } from './link-event.js';

/** What the last question of planning is asked with. */
export interface LinkingAtEnd {
  readonly log: PlanLog;
  readonly settings: Settings;
  readonly expander: Expander;
  /** When aborted, nothing more is asked; the call under way is finished. */
  readonly pause: AbortSignal;
  /** When aborted, the call under way is dropped. */
  readonly drop: AbortSignal;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  readonly emit: Emit;
}

/** Whether a plan is to be asked about once more: which of its leaves need each other. */
export async function isLinkingLeft(log: PlanLog, settings: Settings): Promise<boolean> {
  return asksForLinks(settings) && isLinkable(log.plan) && isLinkDue(await log.events());
}

/**
 * Asks which leaves need each other, once all goals are planned, and stores the answer as one change of its own. A reply that
 * cannot be used, and a server that fails, cost the question and not the plan: that is told and kept as a warning.
 * @returns how planning ends then: `done`, or paused before the question, by the budget or by somebody
 * @throws PlanError STORAGE_FAILED
 */
export async function linkAtEnd(linking: LinkingAtEnd): Promise<PlanningEnd> {
  const { log, settings, expander, drop, pause, now } = linking;
  const { connection } = expander;
  if (connection === undefined || !(await isLinkingLeft(log, settings)))
    return { kind: 'done', usage: NO_USAGE };
  if (pause.aborted) return { kind: 'paused', usage: NO_USAGE };
  const { askForLinks } = await import('../../../planning/link/ask-for-links.js');
  const { partialAnswer } = await import('./link-event.js');
  const begun = now();
  const { answer, ...found } = await askForLinks(log.plan, {
    ...connection,
    events: await log.events(),
    keep: async (links, usage) =>
      void (await appendAndTell(log, [partialAnswer(links, usage)], linking.emit)),
    signal: drop,
    stop: pause,
  });
  const usage = addUsage(answer.usage, { ...NO_USAGE, seconds: (now() - begun) / 1000 });
  switch (answer.kind) {
    case 'reply':
      await storeLinks(linking, { ...found, reply: answer.value, usage });
      return { kind: 'done', usage: NO_USAGE };
    case 'budget':
      return { kind: 'budget', limit: answer.limit, usage };
    case 'aborted':
      return { kind: 'paused', usage };
    default:
      await storeFailure(linking, whyNot(answer), usage);
      return { kind: 'done', usage: NO_USAGE };
  }
}

/** Stores what an answer comes to for the plan as it is by now. */
async function storeLinks({ log, emit }: LinkingAtEnd, answer: LinkAnswer): Promise<void> {
  const { changesOf, linkEvent } = await import('./link-event.js');
  await log.refresh();
  const event = linkEvent(log.plan, changesOf(log.plan, await log.events(), answer), answer);
  const [outcome] = await appendAndTell(log, [event], emit);
  if (outcome === undefined || outcome.refused === null) return;
  await storeFailure({ log, emit }, 'the plan has changed meanwhile', answer.usage);
}

async function storeFailure(
  { log, emit }: Pick<LinkingAtEnd, 'log' | 'emit'>,
  why: string,
  usage: Usage,
): Promise<void> {
  const message = `which leaves need each other was not found out: ${why}; \`plan dependencies link --apply\` asks again`;
  const warnings: Warning[] = [{ code: 'not_linked', goal_id: null, message }];
  const failed: EventPayload = {
    type: 'usage_added',
    because: 'asked which leaves need each other',
    usage,
    warnings,
  };
  await appendAndTell(log, [failed], emit);
}

function whyNot(answer: Extract<Answer<LinkReply>, { kind: 'rejected' | 'unavailable' }>): string {
  return answer.kind === 'rejected' ? answer.reason : answer.error.message;
}
