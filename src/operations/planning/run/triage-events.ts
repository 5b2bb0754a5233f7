import type { EventPayload } from '../../../plan/events.js';
import type { Plan } from '../../../plan/plan.js';
import type { Usage, Warning } from '../../../plan/schema.js';
import { triageChanges } from '../../../planning/triage/triage-changes.js';
import type { TriageQuestion } from '../../../planning/triage/triage-question.js';
import type { TriageReply } from '../../../planning/triage/triage-reply.js';

/** What calls were made for that ask which goals of a document are work. */
export const TRIAGE = 'asked which goals of the document are work';

/** A question which goals of a document are work, its answer, and what that cost. */
export interface Answered {
  readonly question: TriageQuestion;
  readonly reply: TriageReply;
  readonly usage: Usage;
  /** Ids of the goals that somebody has taken in hand since they were asked about. */
  readonly settled: ReadonlySet<string>;
}

/**
 * Returns the events that store an answer, the cost first, and how many goals go by it.
 * @param at the moment that decides whether a claim still holds
 */
export function triageEvents(
  plan: Plan,
  { question: { goals }, reply, usage, settled }: Answered,
  at: string,
): { readonly events: readonly EventPayload[]; readonly gone: number } {
  const { events, gone, notices } = triageChanges(plan, reply, { goals, settled, at });
  const warnings = notices.map((notice) => triageWarning('triage_answer', notice));
  const paid: EventPayload = {
    type: 'usage_added',
    because: TRIAGE,
    usage,
    triaged: [...goals.values()],
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  return { events: [paid, ...events], gone };
}

/** Returns what is told of an answer that is not followed, or of none. */
export function triageWarning(code: 'triage_answer' | 'not_triaged', why: string): Warning {
  return { code, goal_id: null, message: `which goals of the document are work: ${why}` };
}
