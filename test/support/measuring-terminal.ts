import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { temporaryFolder } from './folders.js';

/** Where the cursor of a terminal is, from 0. */
export interface Cursor {
  readonly row: number;
  readonly column: number;
}

/**
 * Writes each text from the upper left corner, and asks the terminal after each where its cursor is; thousands at once, for
 * each answer takes a turn.
 */
const PROGRAM = `
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const [, , input, output] = process.argv;
const texts = JSON.parse(readFileSync(input, 'utf8'));
const found = [];
let asked = 0;
let left = '';
const ask = () => {
  if (asked - found.length > 2000) return;
  const batch = texts.slice(asked, asked + 2000);
  asked += batch.length;
  process.stdout.write(batch.map((text) => '\\x1b[H\\x1b[J' + text + '\\x1b[6n').join(''));
};
process.stdin.setRawMode(true);
process.stdin.on('data', (data) => {
  const answers = (left + data.toString('latin1')).split('R');
  left = answers.pop();
  for (const answer of answers) {
    const [row, column] = answer.slice(answer.lastIndexOf('[') + 1).split(';').map(Number);
    found.push({ row: row - 1, column: column - 1 });
  }
  ask();
  if (found.length < texts.length) return;
  writeFileSync(output + '.new', JSON.stringify(found));
  renameSync(output + '.new', output);
  process.exit(0);
});
ask();
`;

/** Where the cursor of a real terminal (tmux) of that size is after each of some texts. */
export async function cursorsAfter(
  texts: readonly string[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Promise<readonly Cursor[]> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('measure.cjs'), PROGRAM);
  writeFileSync(at('texts.json'), JSON.stringify(texts));
  const command = `${process.execPath} measure.cjs texts.json cursors.json 2>error`;
  execFileSync(
    'tmux',
    ['-f', '/dev/null', '-S', at('tmux'), 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, command],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        LC_ALL: 'C.UTF-8',
        TERM: 'xterm-256color',
        SHELL: '/bin/sh',
      },
    },
  );
  onTestFinished(() => void spawnSync('tmux', ['-S', at('tmux'), 'kill-server']));
  while (!existsSync(at('cursors.json'))) {
    const isOver = spawnSync('tmux', ['-S', at('tmux'), 'has-session']).status !== 0;
    if (isOver && !existsSync(at('cursors.json')))
      throw new Error(`the terminal did not say where its cursor is: ${readFileSync(at('error'), 'utf8')}`);
    await new Promise((done) => setTimeout(done, 200));
  }
  return JSON.parse(readFileSync(at('cursors.json'), 'utf8')) as readonly Cursor[];
}
