import * as z from 'zod';

/** The members that the store adds to an event when it is written. */
export const stampFields = {
  id: z.string().min(1).max(64),
  at: z.iso.datetime({ offset: true }),
  by: z.string(),
  replica: z.string().min(1).max(64).describe('The copy of the store that the writer worked in.'),
  clock: z.int().positive().describe('Lamport time: one more than the greatest the writer had read.'),
  change: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Id of the first event of the same command; that one itself has none.'),
  again: z
    .boolean()
    .optional()
    .describe('The event was written once before, into a log file that another file has replaced.'),
};

/** Who, when and where; added by the store when an event is written. */
export type EventStamp = {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly replica: string;
  readonly clock: number;
  /** Id of the first event of the same command; that one itself has none. */
  readonly change?: string | undefined;
  /** Whether the event was written once before, into a log file that another file has replaced. */
  readonly again?: boolean | undefined;
};
