import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';

/** What may look wrong in a plan, beside what is said of its dependencies. */
export const JUDGEMENT_CODES = [
  'DUPLICATE_LEAF',
  'VAGUE_LEAF',
  'NO_CHECK',
  'CIRCULAR_CHECK',
  'JOINED_RESULTS',
  'LOST_CHECK',
  'STALE_DECISION',
  'MISSING_RESULT',
  'WIDE_WAIT',
  'NO_CLOSING_CHECK',
] as const;

/** Something that looks wrong in a plan. */
export interface JudgementFinding {
  readonly code: (typeof JUDGEMENT_CODES)[number];
  /** The goal that it is about. */
  readonly goal: string;
  /** The other goals that are meant. */
  readonly goals: readonly string[];
  readonly message: string;
  /** What may be done about it. */
  readonly hint: string;
}

/** A plan as it is checked. */
export interface CheckedPlan {
  readonly plan: Plan;
  /** The goals that are not done, depth-first. */
  readonly open: readonly Goal[];
  /** Of these, the ones that are to be done as they are. */
  readonly leaves: readonly Goal[];
  /** Names a goal in a message. */
  readonly named: (goal: Goal) => string;
  /** The number of a goal as a command takes it. */
  readonly numberOf: (goal: Goal) => string;
  /** The stems of the words of a text that carry meaning; kept. */
  readonly stemsOf: (text: string) => ReadonlySet<string>;
  /** Whether the plan is written in English, which the lists of words are in. */
  readonly isEnglish: boolean;
}

/** As much of a text as is looked at; nobody writes a longer line. */
export const MOST_TEXT = 500;

/** Returns a text as patterns take it: on one line, in small letters, without marks around it. */
export function plainText(text: string): string {
  return text
    .slice(0, MOST_TEXT)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/(?<![\s.!;:…])[\s.!;:…]+$/u, '');
}
