import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync, writeJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const TOOLS = `tools:
  - { name: slow, effects: none, run: { command: [sleep, '1.2'] } }
  - { name: fails, effects: none, run: { command: [sh, -c, "printf '\\\\033[2Jbad' >&2; exit 3"] } }
`;

test.runIf(existsSync('/usr/bin/script'))(
  'on a terminal a run shows what is under way, how much is done and what went wrong, and leaves the screen clean (needs script)',
  async () => {
    const user = newUser();
    outputFileSync(join(user.folder, '.plans/tools.yaml'), TOOLS);
    writeJsonSync(join(user.folder, 'plan.json'), {
      schema_version: '1.0',
      goal: 'Wait',
      steps: [
        { id: 'first', tool: 'fails', args: {}, on_error: { strategy: 'skip' } },
        { id: 'second\u001B[2J', tool: 'slow', args: {} },
        { id: 'third', tool: 'slow', args: {} },
      ],
    });
    const shown = await user.run(['tools', 'trust', '--json']);
    await user.run(['tools', 'trust', '--digest', String(shown.json().digest)]);
    const { run } = (await user.run(['prepare', 'plan.json', '--json'])).json();
    const command = `'${process.execPath}' '${resolve('dist/cli/plan.js')}' run ${String(run)}`;
    const terminal = spawn('script', ['-qec', `stty cols 60 rows 20; ${command}`, '/dev/null'], {
      cwd: user.folder,
      env: { PATH: process.env.PATH, HOME: user.home, TERM: 'xterm', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    terminal.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const status = await new Promise((done) => terminal.on('exit', done));
    expect(status).toBe(0);
    // While it runs: what is under way, what is done, and what failed.
    expect(said).toContain('› second');
    expect(said).toContain('› third: slow');
    expect(said).toMatch(/Running · 0 steps done · 1 failed attempt/);
    expect(said).toMatch(/Running · 1 step done · 1 failed attempt/);
    // The screen of its own is left, and what went wrong is said below it.
    const left = said.lastIndexOf('\u001B[?1049l');
    expect(left).toBeGreaterThan(said.lastIndexOf('\u001B[?1049h'));
    const below = said.slice(left);
    expect(below).toContain('Step first: sh ended with status 3: \\u001b[2Jbad\r\nStep first is skipped\r\n');
    expect(below).toContain(`${String(run)} `);
    expect(below).toContain('(1 skipped, 2 done)');
    // What a tool or a plan says drives no terminal.
    expect(below).not.toContain('\u001B[2J');
    expect(said).not.toContain('second\u001B[2J');
  },
);
