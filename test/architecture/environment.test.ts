import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

/** What a process has of its own, but what only measures how long something takes. */
const OF_PROCESS = /\b(?:process\.(?:env|pid|cwd)\b|Math\.random\b|Date\.now\b|new Date\(\)|randomBytes\()/;

/** Who may look at it besides the environment itself: locks, temporary names, git, marks of processes. */
const MAY = [
  /^host\/(?:git\/git-(?:folder|history)|files\/(?:private-key|replace-file|file-lock)|processes\/marked-processes)\.ts$/,
  /^(?:cli|features\/(?:page|mcp))\//,
  /^features\/runs\/runners\/toolbox\.ts$/,
  // Who works on an attempt, to tell whether that process is still there.
  /^features\/agents\/attempt\/state\.ts$/,
  // Whose a profile is, for the same.
  /^features\/kits\/browser\/profile\.ts$/,
  /^operations\/shared\/default-environment\.ts$/,
  // The codes of approvals must not be guessed.
  /^features\/runs\/operations\/run-approvals\.ts$/,
];

test('clock, ids, chance and variables come from the environment, but for what is the process’s own', () => {
  const withoutComments = (text: string) =>
    text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !MAY.some((may) => may.test(name)))
    .filter((name) => OF_PROCESS.test(withoutComments(readFileSync(join('src', name), 'utf8'))));
  expect(found).toEqual([]);
});

test('what is looked at again and again waits for the last look: no interval piles up work that waits', () => {
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) =>
      /^(?:operations|planning|features\/(?:actions|runs|rules|interop|page\/watching|teams\/(?:operations|runs)))\/.*\.ts$/.test(
        name,
      ),
    )
    .filter((name) => readFileSync(join('src', name), 'utf8').includes('setInterval('));
  expect(found).toEqual([]);
});
