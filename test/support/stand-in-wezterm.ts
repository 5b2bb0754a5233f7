import { chmodSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';

import { temporaryFolder } from './folders.js';

/**
 * Makes a program `wezterm` that answers `wezterm cli` as version 20240203 does (list, get-text, send-text), over the panes of
 * a tmux whose socket WEZTERM_UNIX_SOCKET names.
 * @param more a body of JavaScript that may change the `items` that are listed
 * @returns a PATH on which it comes first
 */
export function standInWezterm(more = ''): string {
  const folder = temporaryFolder();
  const program = join(folder, 'wezterm');
  outputFileSync(
    program,
    `#!${process.execPath}
const { execFileSync } = require('node:child_process');
const { appendFileSync, readFileSync } = require('node:fs');
const tmux = (args, input) =>
  execFileSync('tmux', ['-u', '-S', process.env.WEZTERM_UNIX_SOCKET, ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });
const [cli, noStart, command, ...args] = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(folder, 'calls'))}, JSON.stringify(process.argv.slice(2)) + '\\n');
const fail = (message) => { process.stderr.write('ERROR wezterm > ' + message + '; terminating\\n'); process.exit(1); };
if (cli !== 'cli' || noStart !== '--no-auto-start') fail('unexpected arguments');
const after = (name) => { const at = args.indexOf(name); return at < 0 ? undefined : args[at + 1]; };
const panes = () => {
  try {
    return tmux(['list-panes', '-a', '-F', ['pane_id', 'pane_dead', 'pane_tty', 'pane_width', 'pane_height', 'cursor_x', 'cursor_y', 'session_name', 'pane_title'].map((n) => '#{' + n + '}').join('\\t')]);
  } catch { return fail('failed to connect to Socket("' + process.env.WEZTERM_UNIX_SOCKET + '")'); }
};
const items = panes().split('\\n').filter(Boolean).map((line) => {
  const [id, dead, tty, cols, rows, x, y, , title] = line.split('\\t');
  return { window_id: 0, tab_id: 0, pane_id: Number(id.slice(1)), workspace: 'default', size: { rows: Number(rows), cols: Number(cols), pixel_width: 0, pixel_height: 0, dpi: 0 }, title, cwd: 'file://host/tmp/a%20folder', cursor_x: Number(x), cursor_y: Number(y), cursor_shape: 'Default', cursor_visibility: 'Visible', left_col: 0, top_row: 0, tab_title: '', window_title: '', is_active: true, is_zoomed: false, tty_name: dead === '1' ? '/dev/pts/99999' : tty };
});
${more}
if (command === 'list') { process.stdout.write(JSON.stringify(items, null, 2)); process.exit(0); }
const pane = after('--pane-id');
if (!items.some(({ pane_id }) => String(pane_id) === pane)) fail('no such pane');
if (command === 'get-text') {
  process.stdout.write(tmux(['capture-pane', '-p', '-t', '%' + pane, '-S', after('--start-line'), '-E', after('--end-line')]));
} else if (command === 'send-text') {
  tmux(['load-buffer', '-b', 'text', '-'], readFileSync(0));
  tmux(['paste-buffer', '-d', '-b', 'text', args.includes('--no-paste') ? '-r' : '-p', '-t', '%' + pane]);
} else fail('unrecognized subcommand');
`,
  );
  chmodSync(program, 0o755);
  return `${folder}:${process.env.PATH}`;
}
