import type { ChatModel } from '../../../llm/chat-model.js';
import type { Prompts } from '../../../llm/prompts.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import { beginHistory, extendHistory } from '../../../plan/history.js';
import { wordRefusal } from '../../../plan/refusals.js';
import type { Plan } from '../../../plan/plan.js';
import { askForLinks } from '../../../planning/link/ask-for-links.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { linkFindings } from '../run/link-findings.js';
import { changesOf, linkEvent, partialAnswer } from '../run/link-event.js';
import type { StoredLinks } from './judged-answer.js';

/** Who answers the question which leaves need each other. */
interface Answering {
  readonly model: ChatModel;
  readonly prompts: Prompts;
}

/**
 * Stores the answer of an agent about the leaves of a plan.
 * @returns what it changed; why it was refused, in words; null where it could not be read
 */
export async function storeLinks(
  log: PlanLog,
  answering: Answering,
  by: string,
): Promise<Omit<StoredLinks, 'goal'> | string | null> {
  const { signal } = new AbortController();
  const events = await log.events();
  const { answer, ...found } = await askForLinks(log.plan, {
    ...answering,
    events,
    keep: async (links, usage) => void (await log.append([partialAnswer(links, usage)], by)),
    signal,
    stop: signal,
  });
  if (answer.kind !== 'reply') return null;
  const before = log.plan;
  const given = { ...found, reply: answer.value, usage: answer.usage };
  const changes = changesOf(before, events, given);
  const event = linkEvent(before, changes, given);
  const [outcome] = await log.append([event], by);
  const refused = outcome?.refused ?? null;
  if (refused !== null) return wordRefusal(refused, (id) => namedGoal(log.plan, id));
  return linkFindings(before, changes);
}

/**
 * Returns the plan as it was when the question which leaves need each other was left to ask; null where it is not left.
 * An answer that does not name its question is to this one.
 */
export async function planWhenLinkingWasLeft(log: PlanLog): Promise<Plan | null> {
  if (log.plan.header.link_left !== true) return null;
  let history = beginHistory();
  let found: Plan | null = null;
  for await (const event of log.eachEvent()) {
    ({ history } = extendHistory(history, event));
    if (event.type === 'plan_paused' && event.left === 'link') found = history.plan;
  }
  return found;
}
