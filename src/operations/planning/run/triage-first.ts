import type { Answer } from '../../../llm/chat-model.js';
import { addUsage, NO_USAGE } from '../../../plan/plan.js';
import type { Usage } from '../../../plan/schema.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import type { PlanningEnd } from '../../../planning/planner-state.js';
import { asksForTriage, settledGoals } from '../../../planning/triage/triage-due.js';
import type { TriageQuestion } from '../../../planning/triage/triage-question.js';
import type { TriageReply } from '../../../planning/triage/triage-reply.js';
import type { Context } from '../../shared/context.js';
import { timeNow } from '../../shared/environment.js';
import { appendAndTell } from './append-and-tell.js';
import type { LinkingAtEnd } from './link-at-end.js';
import { TRIAGE, triageEvents, triageWarning } from './triage-events.js';
import type { Answered } from './triage-events.js';

/**
 * Asks first which goals of a document are work, in one question or in several where there are too many goals for one. Each
 * answer is stored before the next is asked for: the goals that it names go, and their texts are kept with those above. A
 * reply that cannot be used costs the question and not the plan: that is told and kept as a warning.
 * @returns how planning ends before any goal is divided; null where it goes on
 * @throws PlanError STORAGE_FAILED
 */
export async function triageFirst(
  context: Context,
  triage: Omit<LinkingAtEnd, 'now'>,
): Promise<PlanningEnd | null> {
  const { log, settings, expander, drop, pause } = triage;
  const { connection } = expander;
  if (connection === undefined || !asksForTriage(settings)) return null;
  const { triageQuestion } = await import('../../../planning/triage/triage-question.js');
  const asked = new Set(settledGoals(await log.events()));
  for (;;) {
    const question = triageQuestion(log.plan, asked, connection);
    if (question === null) return null;
    if (pause.aborted) return { kind: 'paused', usage: NO_USAGE };
    const begun = context.environment.now();
    const answer = await connection.model.ask(question.question, drop, pause);
    const seconds = (context.environment.now() - begun) / 1000;
    const usage = addUsage(answer.usage, { ...NO_USAGE, seconds });
    if (answer.kind === 'budget') return { kind: 'budget', limit: answer.limit, usage };
    if (answer.kind === 'aborted') return { kind: 'paused', usage };
    // Where no model answers, none divides goals either; one that refuses this very question may, and so may a recording.
    if (answer.kind === 'unavailable' && answer.refused !== true && settings.expander !== 'replay')
      return { kind: 'unavailable', error: answer.error, usage };
    for (const id of question.goals.values()) asked.add(id);
    if (answer.kind === 'reply') await storeTriage(context, triage, { question, reply: answer.value, usage });
    else await storeFailure(triage, { question, why: whyNot(answer), usage });
  }
}

/** Stores an answer for the plan as it is by now. */
async function storeTriage(
  context: Context,
  { log, emit }: Pick<LinkingAtEnd, 'log' | 'emit'>,
  answered: Omit<Answered, 'settled'>,
): Promise<void> {
  await log.refresh();
  // Whoever has taken a goal in hand while it was asked about knows what it is.
  const settled = settledGoals(await log.events());
  const { events, gone } = triageEvents(log.plan, { ...answered, settled }, timeNow(context.environment));
  await appendAndTell(log, events, emit);
  if (gone === 0) return;
  const message = `${gone} of ${quantityOf(answered.question.goals.size, 'goal')} of the document ${gone === 1 ? 'is' : 'are'} no work by the model’s answer; what they say is kept with the goals above (\`plan log\` names them, --no-triage plans them too)`;
  emit({ type: 'notice', message, warning: { code: 'triaged', goal_id: null, message } });
}

async function storeFailure(
  { log, emit }: Pick<LinkingAtEnd, 'log' | 'emit'>,
  failed: { readonly question: TriageQuestion; readonly why: string; readonly usage: Usage },
): Promise<void> {
  const { question, why, usage } = failed;
  const warnings = [triageWarning('not_triaged', why)];
  const triaged = [...question.goals.values()];
  await appendAndTell(log, [{ type: 'usage_added', because: TRIAGE, usage, triaged, warnings }], emit);
}

function whyNot(answer: Extract<Answer<TriageReply>, { kind: 'rejected' | 'unavailable' }>): string {
  return answer.kind === 'rejected' ? answer.reason : answer.error.message;
}
