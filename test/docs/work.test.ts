import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';

const PAGE = readFileSync(resolve('docs/work.md'), 'utf8');
const NAMED = { json: '.config/frctl/config.json', yaml: 'demo/.plans/tools.yaml' };
const PLAN = `plan() { '${process.execPath}' '${resolve('dist/cli/plan.js')}' "$@"; }`;

/** Runs lines on a terminal, where a person trusts what is shown. */
async function atTerminal(lines: string, folder: string, home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, SHELL: '/bin/bash', GIT_PAGER: 'cat' };
  const child = spawn('script', ['-qec', `set -e; ${PLAN}; ${lines}`, '/dev/null'], { cwd: folder, env });
  let [out, asked] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.slice(asked).includes('Type yes')) {
      asked = out.length;
      child.stdin.write('yes\n');
    }
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  expect([lines, out, status]).toEqual([lines, out, 0]);
  return out;
}

test.skipIf(!existsSync('/usr/bin/script'))(
  'the page of plan work, done word for word in an empty folder, ends with both goals on the branch',
  async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, '.gitconfig'), '[user]\nname = Ana\nemail = ana@example.org\n');
    const [, trial = ''] = /## Try it\n([\s\S]*?)\n## /.exec(PAGE) ?? [];
    let [folder, out] = [home, ''];
    for (const [, kind = '', block = ''] of trial.matchAll(/ {3}```(\w+)\n([\s\S]*?) {3}```/g)) {
      const text = block.replaceAll(/^ {3}/gm, '').replaceAll('FRCTL/', `${resolve('.')}/`);
      if (kind === 'sh') out = await atTerminal(text, folder, home);
      else {
        const file = join(home, NAMED[kind as keyof typeof NAMED]);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      if (existsSync(join(home, 'demo'))) folder = join(home, 'demo');
    }
    expect(out).toContain('All goals are done.');
    expect(out.replaceAll('\r', '')).toMatch(/first\nsecond\n$/);
  },
);
