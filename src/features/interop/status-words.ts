import * as z from 'zod';

import { standingOf } from '../../planning/documents/kinds/standing-words.js';

/** Words that say that nothing is left to do: it is done, or nobody wants it any more. */
const FINISHED = new Set(
  'done closed complete completed resolved finished shipped released merged cancelled canceled wontfix rejected duplicate abandoned obsolete archived'.split(
    ' ',
  ),
);
const ALSO_FINISHED = new Set(["won't do", 'wont do', "won't fix", 'will not do', 'not planned']);
/** Words that say that it is not to be worked on for now. */
const HELD = new Set(
  'blocked deferred pinned hooked hold waiting someday paused postponed parked suspended icebox'.split(' '),
);
const ALSO_HELD = new Set(['on hold', 'waiting for', 'some day']);

/** What a status of another tool says of a task here. */
export interface Standing {
  readonly done: boolean;
  /** The word, as it is written, where that keeps the task from being worked on. */
  readonly onHold?: string;
}

/**
 * Reads the word that another tool has for the status of a task, in either case.
 * @param final words of its own configuration that say that nothing is left to do
 * @param held words of it that say that it is not to be worked on
 */
export function readStatus(
  word: string | null | undefined,
  final: readonly string[] = [],
  held: readonly string[] = [],
): Standing {
  const said = (word ?? '').trim();
  const known = normal(said);
  const isOneOf = (words: readonly string[]) => known !== '' && words.some((each) => normal(each) === known);
  if (FINISHED.has(known) || ALSO_FINISHED.has(known) || isOneOf(final)) return { done: true };
  const isHeld = HELD.has(known) || ALSO_HELD.has(known) || isOneOf(held);
  const standing = isHeld ? 'held' : standingOf(known);
  if (standing === 'done' || standing === 'dropped') return { done: true };
  return standing === 'held' ? { done: false, onHold: said } : { done: false };
}

/** Whether the status of a task says that nobody wants it any more. */
export function isDropped(word: string | undefined): boolean {
  const known = normal(word ?? '');
  return known === 'duplicate' || standingOf(known) === 'dropped';
}

function normal(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[\s_-]+/g, ' ');
}

const ownSchema = z.object({ on_hold: z.string().trim().min(1) });

/** What keeps a task from being worked on in the words of `x_frctl`, where an export from here says so beside its status. */
export function inOwnWords(standing: Standing, own: unknown): Standing {
  const reason = ownSchema.safeParse(own).data?.on_hold;
  return standing.onHold === undefined || reason === undefined ? standing : { ...standing, onHold: reason };
}
