import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { agree, carryOut, newPlace, prepare } from '../support/approving.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const TOOLS = `tools:
  - { name: note, run: { file: write, root: notes } }
  - { name: take, run: { file: move, root: notes } }
`;

/** Kills the process at the moment in which the file would be put in its place. */
const KILLS = `const fs = require('node:fs');
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  if (String(to).endsWith('target.txt')) process.kill(process.pid, 'SIGKILL');
  rename(from, to);
};
require('node:module').syncBuiltinESMExports();
`;

test.runIf(process.platform === 'linux').each([
  ['written', { id: 'n', tool: 'note', args: { path: 'target.txt', text: 'new' } }],
  ['moved', { id: 'n', tool: 'take', args: { from: 'source.txt', to: 'target.txt' } }],
])(
  'what a process leaves that was killed while a file was %s is gone when the run goes on, and nothing else',
  async (how, step) => {
    const place = await newPlace({ schema_version: '1.0', steps: [step] }, TOOLS);
    const notes = join(place.folder, 'notes');
    mkdirSync(notes);
    const own = ['source.txt', 'target.txt', 'target.txt.1-1-0123456789ab.tmp', 'target.txt.tmp', 'x.tmp'];
    for (const name of own) writeFileSync(join(notes, name), `own ${name}`);
    const hook = join(temporaryFolder(), 'kills.cjs');
    writeFileSync(hook, KILLS);
    const { run, code } = await prepare(place.workspace);
    await agree(place.workspace, code);
    const killed = newUser(place.folder).start(['run', run], {
      HOME: place.home,
      XDG_CONFIG_HOME: join(place.home, '.config'),
      NODE_OPTIONS: `--require ${hook}`,
    });
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
    const left = readdirSync(notes).filter((name) => !own.includes(name));
    expect(left).toHaveLength(1);
    await carryOut(place.workspace, run);
    // What had not happened yet is done, as the files themselves tell.
    const kept = own.filter((name) => how === 'written' || name !== 'source.txt');
    expect(readdirSync(notes).toSorted()).toEqual(kept.toSorted());
    for (const name of kept.filter((one) => one !== 'target.txt'))
      expect(readFileSync(join(notes, name), 'utf8')).toBe(`own ${name}`);
  },
);
