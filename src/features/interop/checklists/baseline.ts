import * as z from 'zod';

const entrySchema = z.object({
  goal: z.string(),
  parent: z.string(),
  text: z.string(),
  done: z.boolean(),
  /** The mark in its box that put it on hold. */
  mark: z.enum(['-', '>']).optional(),
  /** Whether the line was there before the file was first brought in step; an undo does not take it out. Older ones do not say. */
  adopted: z.boolean().optional(),
});
/** What stood below a line that went with its goal: it comes back with it. */
const removedSchema = z.object({
  goal: z.string(),
  /** The columns before the line. */
  indent: z.number(),
  texts: z.array(z.object({ lines: z.array(z.string()), isOpen: z.boolean() })),
});
const stateShape = {
  items: z.array(entrySchema),
  /** The last event of the plan then. Older ones do not say. */
  event: z.string().nullish(),
  /** A digest of the file then. */
  file: z.string().optional(),
};
const stateSchema = z.object(stateShape);
const removedShape = { removed: z.array(removedSchema).optional() };
const keptSchema = z.object({ ...stateShape, ...removedShape, past: z.array(stateSchema).optional() });

/** States of before that are kept, and the entries that they may have together. */
const MOST_STATES = 20;
const MOST_ENTRIES = 20_000;

/** What a checklist and a plan said alike when they were brought in step. */
export type BaselineEntry = z.output<typeof entrySchema>;
export type Baseline = ReadonlyMap<string, BaselineEntry>;
/** The same, and what file and what plan that was. */
export type SyncedState = z.output<typeof stateSchema> & {
  readonly removed?: readonly RemovedNotes[] | undefined;
};
export type RemovedNotes = z.output<typeof removedSchema>;

/** So many lines that went have what stood below them kept. */
const MOST_REMOVED = 200;

/** Reads what was kept, newest first; nothing when there is none, or none that can be read. */
export function parseBaseline(text: string | null): readonly SyncedState[] {
  if (text === null) return [];
  try {
    const parsed = keptSchema.safeParse(JSON.parse(text));
    if (!parsed.success) return [];
    const { past = [], ...last } = parsed.data;
    return [last, ...past];
  } catch {
    return [];
  }
}

/** Returns a state as a merge looks into it. */
export function baselineOf(state: SyncedState | null): Baseline | null {
  return state === null ? null : new Map(state.items.map((entry) => [entry.goal, entry]));
}

/** Returns the text to keep: a state, and as many of those before it as there is room for. */
export function stringifyBaseline(state: SyncedState, before: readonly SyncedState[]): string {
  const past: SyncedState[] = [];
  let entries = 0;
  for (const { removed: _kept, ...each } of before) {
    if (each.file === undefined || (each.file === state.file && each.event === state.event)) continue;
    entries += each.items.length;
    if (past.length === MOST_STATES || entries > MOST_ENTRIES) break;
    past.push(each);
  }
  return `${JSON.stringify({ ...state, removed: state.removed?.slice(0, MOST_REMOVED), past })}\n`;
}
