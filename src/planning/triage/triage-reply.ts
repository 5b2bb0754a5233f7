import * as z from 'zod';

import { numberAsText } from '../goal-numbers.js';

/** As what the text of a goal that is no work is kept with the goal above it. */
const TOLD_AS = ['context', 'criterion', 'excluded'] as const;

export type ToldAs = (typeof TOLD_AS)[number];

/** Which goals of a document are no work, by their numbers in the tree. */
export const triageReplySchema = z
  .object({
    told: z
      .array(
        z.object({
          number: z.string().describe('Number of a goal of the list.'),
          as: z.enum(TOLD_AS).describe('What it is in place of work.'),
        }),
      )
      .describe('The goals that are no work; empty when all are.'),
  })
  .meta({ title: 'Triage' });

export type TriageReply = z.output<typeof triageReplySchema>;

const anyReply = z.looseObject({ told: z.unknown().optional() });
const anyTold = z.looseObject({ number: z.unknown(), as: z.unknown().optional() });

/** The same, read tolerantly: numbers alone, an object from number to what it is, a number that is not in quotes, null. */
export const tolerantTriageReplySchema: z.ZodType<TriageReply> = z.preprocess((value) => {
  const reply = anyReply.safeParse(value).data;
  const told = reply?.told === null ? [] : reply?.told;
  if (typeof told !== 'object') return value;
  const entries: readonly unknown[] = Array.isArray(told)
    ? told
    : Object.entries(told).map(([number, as]: [string, unknown]) => ({ number, as }));
  return { told: entries.map(normalizedEntry) };
}, triageReplySchema);

function normalizedEntry(entry: unknown): unknown {
  const { number, as } = anyTold.safeParse(entry).data ?? { number: entry, as: undefined };
  return { number: numberAsText(number), as: TOLD_AS.find((one) => one === as) ?? 'context' };
}
