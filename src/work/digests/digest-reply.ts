import * as z from 'zod';

/** What a model answers when it is asked for a digest. */
export const digestReplySchema = z
  .object({
    summary: z
      .string()
      .describe('What was accomplished, in two or three sentences of at most 100 words in all.'),
    key_decisions: z
      .array(z.string())
      .describe('Significant choices and why they were made; not routine ones. Empty when there were none.'),
    artifacts: z
      .array(z.string())
      .describe(
        'Main deliverables: files, addresses, interfaces, as they were written. Empty when there were none.',
      ),
  })
  .meta({ title: 'Digest' });

export type DigestReply = z.infer<typeof digestReplySchema>;
