import { isAbsolute, join } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { whileLocked } from '../../../host/files/file-lock.js';
import { realFolder } from '../../../host/files/folders.js';
import { readStoredTextIfAny, writeTextFile } from '../../../host/files/text-files.js';
import { sha256 } from '../../../kernel/sha256.js';
import type { Environment } from '../../shared/environment.js';

/** Whoever asked this long ago is not waited for: a model has answered by then, or its agent is gone. */
const COUNTS_FOR_MS = 5 * 60_000;
/** Who had a question that is answered counts this long: another may have read the plan just before it was. */
const COUNTS_ANSWERED_FOR_MS = 30_000;
/** Agents that may have the same question at a time, so that it is answered in vain once at most. */
const MOST_HOLDERS = 2;
const MOST_BYTES = 4 * 1024 * 1024;

const notesSchema = z.record(z.string(), z.array(z.object({ by: z.string(), at: z.number() })));
type Notes = z.output<typeof notesSchema>;

/** Who asks: a name, or '' for somebody who gave none. */
export interface Asker {
  readonly by: string;
  /** Questions wanted. */
  readonly count: number;
}

/** Which questions somebody gets. */
interface HandedOut {
  readonly goals: readonly string[];
  /** Questions that wait, and that enough others have just now. */
  readonly held: number;
}

/**
 * Hands out questions, so that agents who ask at the same time get different ones while there are several. A named agent
 * gets again what it has, then what the fewest others have, and nothing that two others have; one without a name is never
 * refused. It is a note beside the store, in the user's cache: nothing waits for it, it counts for five minutes, and where it
 * cannot be kept the first questions are handed out.
 */
export interface HandOuts {
  handOut(open: readonly string[], asker: Asker): Promise<HandedOut>;
  /** Does something while nobody else on this machine does the same for the plan. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** Opens the notes of one plan of a store. @param place what tells the store from others */
export function openHandOuts(environment: Environment, place: string, planId: string): HandOuts {
  const path = notesPath(environment, place, planId);
  const noted = async (open: readonly string[], asker: Asker): Promise<HandedOut> => {
    const now = environment.now();
    const notes = await readNotes(path, now);
    const chosen = choose(open, notes, asker);
    await writeNotes(path, withAsker(open, notes, chosen.goals, { by: asker.by, at: now }));
    return chosen;
  };
  return {
    handOut: (open, asker) => unlessUnwritable(path, () => noted(open, asker)),
    alone: (work) => unlessUnwritable(path.replace(/\.json$/, '.answers'), work),
  };
}

function choose(open: readonly string[], notes: Notes, { by, count }: Asker): HandedOut {
  const ranked = open.map((goal, index) => {
    const holders = notes[goal] ?? [];
    const others = new Set(holders.filter((one) => one.by !== by || by === '').map((one) => one.by)).size;
    const mine = by !== '' && holders.some((one) => one.by === by);
    return { goal, index, others, mine, last: holders.reduce((latest, { at }) => Math.max(latest, at), 0) };
  });
  const free = ranked.filter(({ mine, others }) => mine || by === '' || others < MOST_HOLDERS);
  const goals = free
    .sort(
      (a, b) =>
        Number(b.mine) - Number(a.mine) || a.others - b.others || a.last - b.last || a.index - b.index,
    )
    .slice(0, count)
    .map(({ goal }) => goal);
  return { goals, held: ranked.length - free.length };
}

function withAsker(
  open: readonly string[],
  notes: Notes,
  chosen: readonly string[],
  note: Notes[string][number],
): Notes {
  const isOpen = new Set(open);
  const kept = [...new Set([...open, ...Object.keys(notes)])].flatMap((goal) => {
    const others = (notes[goal] ?? []).filter(
      ({ by, at }) =>
        (!chosen.includes(goal) || by !== note.by) &&
        (isOpen.has(goal) || note.at - at < COUNTS_ANSWERED_FOR_MS),
    );
    const holders = chosen.includes(goal) ? [...others, note] : others;
    return holders.length === 0 ? [] : [[goal, holders] as const];
  });
  return Object.fromEntries(kept);
}

async function readNotes(path: string, now: number): Promise<Notes> {
  try {
    const notes = notesSchema.parse(JSON.parse((await readStoredTextIfAny(path, MOST_BYTES)) ?? '{}'));
    const fresh = Object.entries(notes).map(
      ([goal, holders]) => [goal, holders.filter(({ at }) => Math.abs(now - at) < COUNTS_FOR_MS)] as const,
    );
    return Object.fromEntries(fresh);
  } catch {
    return {};
  }
}

async function writeNotes(path: string, notes: Notes): Promise<void> {
  // Without it others may be asked the same, which costs an answer and no more.
  await writeTextFile(path, JSON.stringify(notes), 'make').catch(() => undefined);
}

/** Under a lock, or without one where there is no place for it. */
async function unlessUnwritable<T>(path: string, work: () => Promise<T>): Promise<T> {
  let begun = false;
  const once = async (): Promise<T> => {
    begun = true;
    return work();
  };
  try {
    return await whileLocked(path, once);
  } catch (thrown) {
    if (begun || !(thrown instanceof PlanError)) throw thrown;
    return work();
  }
}

/** Returns where the notes of one plan of a store are, in the user’s cache. */
export function notesPath({ variables, homeFolder }: Environment, place: string, planId: string): string {
  const base = variables.XDG_CACHE_HOME ?? '';
  const folder = join(isAbsolute(base) ? base : join(homeFolder, '.cache'), 'frctl', 'questions');
  const mark = sha256(place).slice(0, 16);
  return realFolder(join(folder, `${planId}-${mark}.json`));
}
