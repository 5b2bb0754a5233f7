import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

import { truncate } from '../../../kernel/text/truncate.js';
import type { EarlierCalls } from '../../runs/model/tool.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { linesOf, markSchema, matchesAfter } from './marks.js';
import type { Mark } from './marks.js';
import type { PaneRules } from './rules.js';
import type { PaneScreen, PaneState, Terminal } from './terminal.js';

/** Lines of a pane in which a pattern is looked for that no text was sent before. */
const LATEST_LINES = 200;

/** What a send brings, as far as a later look needs it. */
const sentSchema = z.looseObject({ pane_id: z.int(), mark: markSchema });

/** The panes of a terminal, as one run knows them. */
export interface RunPanes {
  readonly terminal: Terminal;
  readonly rules: PaneRules;
  /** What makes each pane the one it was when the run met it first. */
  readonly met: Map<number, string>;
  /** The names under which panes keep notes of the last text. */
  readonly notes: Map<number, string>;
  /** The last text that was sent to each pane. */
  readonly marks: Map<number, Mark>;
  /** What each pane showed when it was looked at last, and since when, in milliseconds. */
  readonly pictures: Map<number, { readonly picture: string; readonly since: number }>;
  readonly now: () => number;
}

/**
 * Returns a pane that a run may use.
 * @throws RefusedCall NO_PANE, PANE_DEAD, PANE_REPLACED
 */
export async function livePane(pane: number, panes: RunPanes): Promise<PaneState> {
  const state = await panes.terminal.state(pane);
  if (state === null) throw new RefusedCall('NO_PANE', `there is no pane ${pane}`);
  if (state.isDead) throw new RefusedCall('PANE_DEAD', `the program of pane ${pane} has ended`);
  const known = panes.met.get(pane) ?? state.identity;
  if (known !== state.identity)
    throw new RefusedCall('PANE_REPLACED', `pane ${pane} is another one than it was: its number came back`);
  panes.met.set(pane, known);
  return state;
}

/** Returns what a live pane shows. @throws RefusedCall as {@link livePane} does */
export async function liveScreen(pane: number, panes: RunPanes): Promise<PaneScreen> {
  await livePane(pane, panes);
  const screen = await panes.terminal.screen(pane);
  if (screen === null) throw new RefusedCall('NO_PANE', `there is no pane ${pane}`);
  return screen;
}

/** The last sending to a pane; `unknown` where a call was killed, so that nobody knows whether it was made. */
async function lastSending(
  pane: number,
  panes: RunPanes,
  earlier: EarlierCalls | undefined,
): Promise<Mark | 'unknown' | null> {
  const known = panes.marks.get(pane);
  if (known !== undefined) return known;
  for (const { isKnown, output } of earlier?.('wa:send_text') ?? []) {
    if (!isKnown) return 'unknown';
    const sent = sentSchema.safeParse(await output());
    if (!sent.success || sent.data.pane_id !== pane) continue;
    panes.marks.set(pane, sent.data.mark);
    return sent.data.mark;
  }
  return null;
}

/**
 * Returns the pane that is meant where none is named: the one that the run sent a text to last, else the only one that the
 * plan names.
 * @throws RefusedCall NO_PANE
 */
export async function paneMeant(
  given: number | null | undefined,
  panes: RunPanes,
  earlier: EarlierCalls | undefined,
): Promise<number> {
  const [last = given] = [...panes.marks.keys()].slice(-1);
  if (given != null || last != null) return given ?? last ?? 0;
  const [latest] = earlier?.('wa:send_text') ?? [];
  const sent = sentSchema.safeParse(await latest?.output());
  if (sent.success) return sent.data.pane_id;
  const [only, ...others] = panes.met.keys();
  if (only !== undefined && others.length === 0) return only;
  throw new RefusedCall('NO_PANE', 'it names no pane, and the plan has several or none');
}

const NOT_KNOWN = 'nobody knows whether the text was sent, for the process was killed within the call';

/** One look for something: what was seen, and the line or state that is meant where it is there. */
export interface Look {
  readonly found: string | null;
  readonly seen: string;
}

/** Looks for a pattern: in what came after the last text that the run sent to the pane, else in its latest lines. */
export async function lookForPattern(
  pane: number,
  rule: string,
  panes: RunPanes,
  earlier: EarlierCalls | undefined,
): Promise<Look> {
  const sent = await lastSending(pane, panes, earlier);
  if (sent === 'unknown') return { found: null, seen: NOT_KNOWN };
  const screen = await liveScreen(pane, panes);
  const latest = linesOf(screen).slice(-LATEST_LINES).join('\n');
  const found =
    sent === null ? panes.rules.matchIn(latest, rule) : matchesAfter(screen, sent, rule, panes.rules);
  return { found, seen: seenIn(screen) };
}

/** How long a pane must be as it is, in milliseconds, and whether it must wait at a prompt. */
export interface Rest {
  readonly forMs: number;
  readonly atPrompt: boolean;
}

/** Looks whether a pane has been as it is for a time. */
export async function lookForRest(
  pane: number,
  { forMs, atPrompt }: Rest,
  panes: RunPanes,
  earlier: EarlierCalls | undefined,
): Promise<Look & { readonly mayCome: boolean }> {
  if ((await lastSending(pane, panes, earlier)) === 'unknown')
    return { found: null, seen: NOT_KNOWN, mayCome: false };
  const screen = await liveScreen(pane, panes);
  const { state, line } = screen;
  const picture = JSON.stringify([linesOf(screen), state.cursor, state.historySize]);
  const before = panes.pictures.get(pane);
  const since = before?.picture === picture ? before.since : panes.now();
  panes.pictures.set(pane, { picture, since });
  const waits = !atPrompt || (state.altScreen !== true && panes.rules.isPrompt(line));
  const rested = panes.now() - since;
  if (waits && rested >= forMs) return { found: line.trim(), seen: seenIn(screen), mayCome: true };
  const why =
    state.altScreen === true && atPrompt ? 'a full-screen program is in it' : `it shows ${seenIn(screen)}`;
  return { found: null, seen: waits ? `it has been as it is for ${rested} ms` : why, mayCome: waits };
}

/** Returns the last lines that a pane shows, for messages. */
function seenIn(screen: PaneScreen): string {
  const lines = linesOf(screen).filter((line) => line.trim() !== '');
  return JSON.stringify(truncate(lines.slice(-3).join(' ⏎ '), 200));
}

/** Looks again and again until something is found, or the time is over. @returns the last look, and how long it took */
export async function lookUntil<Found extends Look>(
  look: () => Promise<Found>,
  panes: Pick<RunPanes, 'now' | 'terminal'>,
  {
    untilMs,
    signal,
    everyMs = panes.terminal.lookMs,
  }: { readonly untilMs: number; readonly signal: AbortSignal; readonly everyMs?: number },
): Promise<{ readonly last: Found; readonly waitedMs: number }> {
  const began = panes.now();
  for (;;) {
    const last = await look();
    const waitedMs = panes.now() - began;
    if (last.found !== null || waitedMs >= untilMs || signal.aborted) return { last, waitedMs };
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
