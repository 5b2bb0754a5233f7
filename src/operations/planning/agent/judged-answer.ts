import * as z from 'zod';

import { printable } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { digestSchema } from '../../../plan/schema.js';
import { linkFindingsShape } from '../run/link-findings.js';

/** Why an answer was not stored. */
export const refusedAnswerSchema = z
  .object({
    goal: z.string().nullable().describe('As the answer names it; null where it names none.'),
    code: z
      .enum(['late', 'malformed', 'no_goal', 'refused'])
      .describe('`late`: it was answered before, or the plan has changed; `malformed`: give it again.'),
    message: z.string(),
  })
  .readonly();

export type RefusedAnswer = z.output<typeof refusedAnswerSchema>;

/** The action plan that an answer was stored as, and its goal. */
export const storedActionPlanSchema = z
  .object({ goal: z.string(), id: z.string(), file: z.string().nullable() })
  .readonly();

export type StoredActionPlan = z.output<typeof storedActionPlanSchema>;

/** The digest that is there after an answer. */
export const storedDigestSchema = z
  .object({
    goal: z.string(),
    digest: digestSchema,
    made_by: z.enum(['answer', 'extraction', 'before']).describe('`answer`: whoever answered.'),
    reason: z.string().nullable().describe('Why it is not word for word what was sent; null where it is.'),
  })
  .readonly();

export type StoredDigest = z.output<typeof storedDigestSchema>;

/** What an answer about which goals need each other changed; only `added` where it was about pairs of goals. */
export const storedLinksSchema = z
  .object({ goal: z.string(), ...linkFindingsShape })
  .partial({ replaced: true, dropped: true, missing: true, chain: true, can_start: true })
  .readonly();

export type StoredLinks = z.output<typeof storedLinksSchema>;

/** What became of an answer: the goal that it was stored for, or why it was not. */
export type Judged =
  | {
      readonly stored: string;
      readonly actionPlan?: StoredActionPlan | undefined;
      readonly digest?: StoredDigest | undefined;
      readonly links?: StoredLinks | undefined;
    }
  | { readonly refused: RefusedAnswer };

const MOST_FAULTS = 5;
const LONGEST_MESSAGE = 1000;

/** An answer that was judged and is refused. */
export function refusedAnswer(
  goal: string | null,
  code: RefusedAnswer['code'],
  message: string,
): { readonly refused: RefusedAnswer } {
  return {
    refused: {
      goal: goal === null ? null : truncate(printable(goal), 100),
      code,
      message: truncate(message, LONGEST_MESSAGE),
    },
  };
}

/** An answer that is not of the shape that was asked for, with the path of each fault. */
export function malformedAnswer(answer: unknown, error: z.ZodError): { readonly refused: RefusedAnswer } {
  const faults = error.issues.slice(0, MOST_FAULTS).map(({ path, message }) => {
    const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
    return isMissing(answer, path) ? `$${place} is missing; ${WHERE}` : `$${place}: ${message}`;
  });
  const more = error.issues.length - faults.length;
  return refusedAnswer(
    goalOfAnswer(answer),
    'malformed',
    `${faults.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  );
}

const WHERE =
  'an answer is one object with `goal`, the id that the question has, and the other members beside it';

/** Whether what an answer needs at its top is not there at all. */
function isMissing(answer: unknown, [name, ...more]: readonly PropertyKey[]): boolean {
  return (
    name !== undefined &&
    more.length === 0 &&
    typeof answer === 'object' &&
    answer !== null &&
    !Object.hasOwn(answer, name)
  );
}

/** The goal that an answer names, whatever else is wrong with it. */
function goalOfAnswer(answer: unknown): string | null {
  const named = z.looseObject({ goal: z.string() }).safeParse(answer);
  return named.success ? named.data.goal : null;
}
