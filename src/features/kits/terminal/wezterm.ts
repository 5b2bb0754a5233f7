import { fileURLToPath } from 'node:url';

import * as z from 'zod';

import { programOfTty } from '../../../host/processes/tty-program.js';
import { columnsOf } from '../../../kernel/text/columns.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { askProgram } from './ask-program.js';
import { isKeys } from './terminal.js';
import type { PaneScreen, PaneState, Sending, Terminal } from './terminal.js';

/** Rows above the screen that are looked at. */
const ROWS_ABOVE = 3000;
/** How often a pane is looked at whose text moved between two looks. */
const MOST_LOOKS = 5;

const PASSED = [
  'HOME',
  'LANG',
  'LC_ALL',
  'TERM',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'WEZTERM_UNIX_SOCKET',
  'WEZTERM_CONFIG_FILE',
];

/** What `wezterm cli list` says of a pane, as far as it is used; older versions do not say whether it is dead. */
const itemSchema = z.looseObject({
  pane_id: z.int(),
  workspace: z.string(),
  size: z.looseObject({ rows: z.int(), cols: z.int() }),
  title: z.string(),
  cwd: z.string(),
  cursor_x: z.int(),
  cursor_y: z.int(),
  tty_name: z.string().nullish(),
  is_dead: z.boolean().optional(),
});
type Item = z.output<typeof itemSchema>;

type Wezterm = (
  args: readonly string[],
  given?: Pick<Sending, 'attempt'> & { readonly input: string },
) => Promise<string>;

/** Returns the panes of a wezterm. @param socket its path; that of the user's own wezterm when left out */
export function weztermTerminal(socket: string | undefined, call: KitCall): Terminal {
  const wezterm = weztermOn(socket, call);
  const own = socket ?? call.environment.variables.WEZTERM_UNIX_SOCKET;
  const state = async (pane: number) => {
    const item = await itemNow(wezterm, pane);
    return item === null ? null : stateOf(item, own);
  };
  return {
    // Each look starts wezterm four times.
    lookMs: 500,
    state,
    async screen(pane) {
      const item = await itemNow(wezterm, pane);
      return item === null ? null : screenNow(wezterm, item, await stateOf(item, own));
    },
    async send(pane, known, sending) {
      if ((await state(pane))?.identity !== known.identity) return false;
      await sendNow(wezterm, pane, sending);
      return true;
    },
    noteOf: null,
  };
}

function weztermOn(socket: string | undefined, call: KitCall): Wezterm {
  const more = socket === undefined ? {} : { more: { WEZTERM_UNIX_SOCKET: socket } };
  return async (args, given) => {
    const answer = await askProgram(
      { name: 'wezterm', passed: PASSED, ...more },
      { args: ['cli', '--no-auto-start', ...args], ...given },
      call,
    );
    if ('out' in answer) return answer.out;
    throw new RefusedCall('WEZTERM', `wezterm said: ${answer.said}`);
  };
}

async function itemNow(wezterm: Wezterm, pane: number): Promise<Item | null> {
  const listed: unknown = await wezterm(['list', '--format', 'json']).then((text) => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  });
  const read = z.array(z.looseObject({ pane_id: z.int() })).safeParse(listed);
  if (!read.success) throw new RefusedCall('WEZTERM', 'wezterm lists its panes in a form that is not known');
  const item = read.data.find((one) => one.pane_id === pane);
  if (item === undefined) return null;
  const known = itemSchema.safeParse(item);
  if (known.success) return known.data;
  const { path = [] } = known.error.issues[0] ?? {};
  throw new RefusedCall(
    'WEZTERM',
    `wezterm does not tell ${path.join('.')} of pane ${pane}: a later one does`,
  );
}

async function stateOf(item: Item, socket: string | undefined): Promise<PaneState> {
  const tty = item.tty_name ?? null;
  if (tty === null)
    throw new RefusedCall(
      'PANE_UNKNOWN',
      `wezterm names no terminal of pane ${item.pane_id} on this machine, so that nobody can tell it from another of its number`,
    );
  const program = await programOfTty(tty).catch(() => {
    throw new RefusedCall('PANE_UNKNOWN', `this machine does not tell which program ${tty} has`);
  });
  return {
    identity: ['wezterm', socket ?? '', item.pane_id, tty, program?.leader ?? 'dead'].join(':'),
    isDead: item.is_dead ?? program === null,
    altScreen: null,
    obstacle: null,
    cursor: { x: item.cursor_x, y: item.cursor_y },
    historySize: 0,
    height: item.size.rows,
    command: program?.command ?? '',
    cwd: folderOf(item.cwd),
    title: item.title,
    domain: item.workspace,
  };
}

function folderOf(cwd: string): string {
  try {
    return fileURLToPath(cwd, { windows: false });
  } catch {
    // Of another host.
    return URL.canParse(cwd) ? decodeURI(new URL(cwd).pathname) : cwd;
  }
}

/** Reads a pane until its cursor is where it was before. */
async function screenNow(wezterm: Wezterm, first: Item, state: PaneState): Promise<PaneScreen | null> {
  const { pane_id: pane } = first;
  for (let look = 1, before = first; ; look += 1) {
    const { rows, cols } = before.size;
    const text = await wezterm([
      'get-text',
      '--pane-id',
      String(pane),
      '--start-line',
      String(-ROWS_ABOVE),
      '--end-line',
      String(rows - 1),
    ]);
    const after = await itemNow(wezterm, pane);
    if (after === null) return null;
    if (!isAsBefore(before, after) && look < MOST_LOOKS) {
      before = after;
      continue;
    }
    const all = text.replace(/\n$/, '').split('\n');
    const row = Math.max(0, all.length - rows) + before.cursor_y;
    const cursor = { x: before.cursor_x, y: before.cursor_y };
    const historySize = Math.max(0, all.length - rows);
    return { state: { ...state, cursor, historySize, height: rows }, ...linesAround(all, row, cols) };
  }
}

function isAsBefore(before: Item, after: Item): boolean {
  return (
    after.cursor_x === before.cursor_x &&
    after.cursor_y === before.cursor_y &&
    after.size.rows === before.size.rows &&
    after.size.cols === before.size.cols
  );
}

/** Joins rows to lines: what fills a row goes on in the next one. */
function linesAround(
  rows: readonly string[],
  cursorRow: number,
  columns: number,
): Pick<PaneScreen, 'above' | 'line' | 'below'> {
  const lines: string[] = [];
  let ofCursor = 0;
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    if (isOpen) lines[lines.length - 1] += row;
    else lines.push(row);
    if (index === cursorRow) ofCursor = lines.length - 1;
    isOpen = fills(row, columns);
  }
  const ended = lines.map((line) => line.trimEnd());
  return { above: ended.slice(0, ofCursor), line: ended[ofCursor] ?? '', below: ended.slice(ofCursor + 1) };
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

function fills(row: string, columns: number): boolean {
  // A character takes two columns at most, and one at least where it is seen.
  if (row.length * 2 < columns) return false;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(row)) width += columnsOf(segment);
  return width >= columns && !row.endsWith(' ');
}

/** Sends a text, then Enter. What fails in between leaves nobody the wiser, and is told so. */
async function sendNow(wezterm: Wezterm, pane: number, sending: Sending): Promise<void> {
  const { text, isPaste, hasEnter, attempt } = sending;
  const send = (input: string, isDirect: boolean) =>
    wezterm(['send-text', '--pane-id', String(pane), ...(isDirect ? ['--no-paste'] : [])], {
      input,
      attempt,
    });
  const isPasted = isPaste && !isKeys(text);
  if (text !== '') await send(isPasted ? text : text.replaceAll(/\r\n|\n/g, '\r'), !isPasted);
  if (!hasEnter) return;
  await send('\r', true).catch((thrown: unknown) => {
    if (text === '' || !(thrown instanceof RefusedCall)) throw thrown;
    throw new RefusedCall(
      'NO_ANSWER',
      `the text was sent, and perhaps not the Enter after it: ${thrown.message}`,
    );
  });
}
