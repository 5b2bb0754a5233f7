import { processStart } from '../../../host/processes/recorded-process.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { askProgram } from './ask-program.js';
import { isKeys } from './terminal.js';
import type { PaneScreen, PaneState, Sending, Terminal } from './terminal.js';

const PROGRAM = { name: 'tmux', passed: ['HOME', 'TMUX_TMPDIR', 'LANG', 'LC_ALL', 'TERM'] };
/** Rows above the screen that are looked at. */
const ROWS_ABOVE = 3000;
/** Between two parts of what tmux prints; no pane prints it first in a line but to mislead, and then nothing matches. */
const BREAK = 'frctl:below-the-cursor';

const NUMBERS =
  '#{pid} #{start_time} #{pane_id} #{pane_pid} #{pane_dead} #{pane_in_mode} #{alternate_on} #{pane_synchronized} #{pane_input_off} #{cursor_x} #{cursor_y} #{history_size} #{pane_height}';
const TEXTS = ['#{pane_current_command}', '#{pane_current_path}', '#{pane_title}', '#{session_name}'];

/** @param attempt marks the process with it */
type Tmux = (args: readonly string[], input?: string, attempt?: string) => Promise<string>;

/** Returns the panes of a tmux server. @param socket its name, or its path */
export function tmuxTerminal(socket: string, call: KitCall): Terminal {
  const tmux = tmuxOn(socket, call);
  const state = (pane: number) => stateNow(tmux, pane);
  return {
    lookMs: 100,
    state,
    async screen(pane): Promise<PaneScreen | null> {
      const now = await state(pane);
      return now === null ? null : screenNow(tmux, pane, now);
    },
    send: (pane, known, sending) => sendNow(tmux, pane, known, sending),
    async noteOf(pane, name) {
      const note = await tmux(['show-options', '-p', '-q', '-v', '-t', `%${pane}`, `@${name}`]);
      return note === '' ? null : note.trim();
    },
  };
}

/** Returns what runs commands of tmux on a server. Without a server it prints nothing. */
function tmuxOn(socket: string, call: KitCall): Tmux {
  const server = socket.includes('/') ? ['-S', socket] : ['-L', socket];
  return async (args, input, attempt) => {
    const answer = await askProgram(PROGRAM, { args: ['-u', ...server, ...args], input, attempt }, call);
    if ('out' in answer) return answer.out;
    if (/^(?:no server running|error connecting|can't find)/.test(answer.said)) return '';
    throw new RefusedCall('TMUX', `tmux said: ${answer.said}`);
  };
}

async function stateNow(tmux: Tmux, pane: number): Promise<PaneState | null> {
  const listed = [NUMBERS, ...TEXTS].flatMap((format, index) => [
    ...(index === 0 ? [] : [';']),
    'list-panes',
    '-a',
    '-f',
    `#{==:#{pane_id},%${pane}}`,
    '-F',
    format,
  ]);
  const lines = (await tmux(listed)).split('\n').slice(0, -1);
  // A window that is in several sessions has its panes in each.
  const each = lines.length / (1 + TEXTS.length);
  const [numbers = '', command = '', cwd = '', title = '', domain = ''] = lines.filter(
    (_, index) => index % each === 0,
  );
  return numbers === '' ? null : stateOf(numbers, { command, cwd, title, domain });
}

async function screenNow(tmux: Tmux, pane: number, state: PaneState): Promise<PaneScreen> {
  const { y } = state.cursor;
  const target = ['-p', '-J', '-t', `%${pane}`];
  const below = ['display-message', '-p', BREAK, ';', 'capture-pane', ...target, '-S', String(y + 1)];
  const text = await tmux([
    'capture-pane',
    ...target,
    '-S',
    String(-ROWS_ABOVE),
    '-E',
    String(y),
    ...(y + 1 < state.height ? [';', ...below] : []),
  ]);
  const [upTo = '', after = ''] = text.split(`\n${BREAK}\n`, 2);
  const above = upTo.replace(/\n$/, '').split('\n').map(withoutEnd);
  const line = above.pop() ?? '';
  return { state, above, line, below: after.split('\n').map(withoutEnd) };
}

/** Has tmux look once more at the pane and send in one command. */
async function sendNow(
  tmux: Tmux,
  pane: number,
  { identity, altScreen }: PaneState,
  sending: Sending,
): Promise<boolean> {
  const [, pid, , , shell] = identity.split(':');
  const holds = [
    `#{==:#{pid},${pid}}`,
    `#{==:#{pane_pid},${shell}}`,
    '#{==:#{pane_dead}#{pane_in_mode}#{pane_synchronized}#{pane_input_off},0000}',
    `#{==:#{alternate_on},${altScreen === true ? 1 : 0}}`,
  ].reduce((all, one) => `#{&&:${all},${one}}`);
  const deed = `${deeds(pane, sending)} ; display-message -p sent`;
  const hasBuffer = !isKeys(sending.text);
  const said = await tmux(
    [
      ...(hasBuffer ? ['load-buffer', '-b', sending.name, '-', ';'] : []),
      'if-shell',
      '-F',
      '-t',
      `%${pane}`,
      holds,
      deed,
      ...(hasBuffer ? [`delete-buffer -b ${sending.name}`] : []),
    ],
    hasBuffer ? sending.text.replaceAll('\r\n', '\n') : undefined,
    sending.attempt,
  );
  return said.trim() === 'sent';
}

/** What tmux does to send a text: what is written in keys alone is typed, all else pasted from a buffer. */
function deeds(pane: number, sending: Sending): string {
  const { text, isPaste, hasEnter, name } = sending;
  const target = `-t %${pane}`;
  const kept = notes(target, sending);
  const enter = `send-keys ${target} Enter`;
  if (!isKeys(sending.text))
    return `${kept}paste-buffer -d ${isPaste ? '-p ' : ''}-b ${name} ${target}${hasEnter ? ` ; ${enter}` : ''}`;
  if (text === '') return kept + enter;
  const keys = Array.from(text.replaceAll('\n', '\r'), (key) =>
    key.charCodeAt(0).toString(16).padStart(2, '0'),
  );
  return `${kept}send-keys ${target} -H ${keys.join(' ')}`;
}

/** The pane itself notes what is sent to it, by the same command, so that after a kill it tells whether it was. */
function notes(target: string, { name, note, done }: Sending): string {
  const forgotten = done === null ? '' : `set-option -p -u ${target} @${done} ; `;
  return `${forgotten}set-option -p ${target} @${name} ${note} ; `;
}

async function stateOf(
  numbers: string,
  texts: Pick<PaneState, 'command' | 'cwd' | 'title' | 'domain'>,
): Promise<PaneState> {
  const [pid, began, pane, shell = '', dead, inMode, alternate, synchronized, inputOff, ...sizes] =
    numbers.split(' ');
  const [x = 0, y = 0, historySize = 0, height = 0] = sizes.map(Number);
  const isDead = dead === '1';
  const ticks = isDead ? 'dead' : ((await processStart(Number(shell))) ?? '');
  const obstacle =
    inMode === '1'
      ? { code: 'PANE_IN_MODE', message: 'the pane is in copy mode, or another mode of tmux' }
      : synchronized === '1'
        ? { code: 'PANE_SYNCHRONIZED', message: 'what is typed in the pane goes to others as well' }
        : inputOff === '1'
          ? { code: 'INPUT_OFF', message: 'the pane takes no input' }
          : null;
  return {
    identity: ['tmux', pid, began, pane, shell, ticks].join(':'),
    isDead,
    altScreen: alternate === '1',
    obstacle,
    cursor: { x, y },
    historySize,
    height,
    ...texts,
  };
}

function withoutEnd(line: string): string {
  return line.trimEnd();
}
