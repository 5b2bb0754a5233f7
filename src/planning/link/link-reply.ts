import * as z from 'zod';

import { numberAsText } from '../goal-numbers.js';

/** What leaves need of each other, leaves named by their numbers in the tree. */
export const linkReplySchema = z.object({
  needs: z
    .array(
      z.object({
        goal: z.string().describe('Number of a leaf.'),
        on: z.array(z.string()).describe('Numbers of the leaves whose result it uses; may be empty.'),
      }),
    )
    .describe('An entry for every leaf.'),
  missing: z
    .array(
      z.object({
        what: z.string().describe('A result that leaves use and none makes, in one line.'),
        used_by: z.array(z.string()).describe('Numbers of the leaves that use it.'),
      }),
    )
    .describe('Empty when nothing is missing.'),
});

export type LinkReply = z.output<typeof linkReplySchema>;

/** The same, read tolerantly: `needs` may be an object from leaf to leaves, a number may be a number, `missing` may lack. */
export const tolerantLinkReplySchema: z.ZodType<LinkReply> = z.preprocess(
  (value) => normalizedReply(value),
  linkReplySchema,
);

// Made once: a reply may have a hundred thousand entries.
const anyReply = z.looseObject({ needs: z.unknown().optional(), missing: z.unknown().optional() });
const anyNeed = z.looseObject({ goal: z.unknown().optional(), on: z.unknown().optional() });
const anyMissing = z.looseObject({ what: z.string(), used_by: z.unknown().optional() });

function normalizedReply(value: unknown): unknown {
  const reply = anyReply.safeParse(value).data;
  if (reply === undefined) return value;
  return { needs: normalizedNeeds(reply.needs), missing: normalizedMissing(reply.missing) };
}

function normalizedNeeds(needs: unknown): unknown {
  if (Array.isArray(needs))
    return needs.map((entry: unknown) => {
      const read = anyNeed.safeParse(entry).data;
      return read === undefined ? entry : { goal: numberAsText(read.goal), on: asTexts(read.on) };
    });
  const entries = z.record(z.string(), z.unknown()).safeParse(needs).data;
  return entries === undefined
    ? needs
    : Object.entries(entries).map(([goal, on]) => ({ goal, on: asTexts(on) }));
}

function normalizedMissing(missing: unknown): unknown {
  if (missing === undefined || missing === null) return [];
  if (!Array.isArray(missing)) return missing;
  return missing.flatMap((entry: unknown) => {
    const read = anyMissing.safeParse(entry).data;
    return read === undefined
      ? []
      : [{ what: read.what, used_by: asTexts(read.used_by).filter((one) => typeof one === 'string') }];
  });
}

function asTexts(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map(numberAsText);
  // Several numbers in one text, or none.
  return typeof value === 'string'
    ? value.split(/[,;]/).filter((one) => one.trim() !== '')
    : [numberAsText(value)];
}
