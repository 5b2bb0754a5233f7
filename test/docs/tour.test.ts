import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';

const PAGE = readFileSync(resolve('docs/tour.md'), 'utf8');

interface Step {
  readonly who: string;
  readonly command: string;
  /** What the page says that it prints. */
  readonly printed: string;
}

test('the tour prints what the page says, but for ids, tokens and times', { timeout: 240_000 }, async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'PRD.md'), /```markdown\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '');
  const steps = stepsOf(PAGE);
  expect(steps.length).toBeGreaterThan(12);
  /** The tokens of the page, and those that were given in their place. */
  const tokens = new Map<string, string>();
  for (const { who, command, printed } of steps) {
    const said = await run(
      command.replaceAll(/(?<=--token )\S+/g, (token) => tokens.get(token) ?? token),
      {
        folder,
        who,
      },
    );
    expect([command, withoutChance(said)]).toEqual([command, withoutChance(printed)]);
    const [onPage, given] = [tokenIn(printed), tokenIn(said)];
    if (onPage !== null && given !== null) tokens.set(onPage, given);
  }
});

/** The commands of the page's two users, each with the lines up to the next. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    [...block.matchAll(/^(ana|bo)\$ (.*)\n((?:(?!ana\$ |bo\$ ).*\n)*)/gm)].map(
      ([, who = '', command = '', printed = '']) => ({ who, command, printed }),
    ),
  );
}

/** Both streams together, as a terminal shows them. */
async function run(
  command: string,
  { folder, who }: { readonly folder: string; readonly who: string },
): Promise<string> {
  const plan = `'${process.execPath}' '${resolve('dist/cli/plan.js')}'`;
  const script = `plan() { ${plan} "$@"; }; { ${command}; } 2>&1`;
  const env = { PATH: process.env.PATH, HOME: folder, FRCTL_BY: who, TZ: 'UTC' };
  return new Promise((done) => {
    execFile('bash', ['-c', script], { cwd: folder, env }, (_error, out) => done(out));
  });
}

function tokenIn(text: string): string | null {
  return /^Token {2}(\S+)$/m.exec(text)?.[1] ?? null;
}

/** Ids, tokens, moments and durations as one letter each. */
function withoutChance(text: string): string {
  return text
    .trimEnd()
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC(?: \(in \d+ \w+\))?/g, 'T')
    .replaceAll(/\b\d+ \w+ ago\b/g, 'T')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-z]{6})?\b/g, 'I')
    .replaceAll(/ {2}(?:[0-9a-z]{6}|[0-9a-z]{16})$/gm, '  I')
    .replaceAll(/ in \d+\.\d s/g, '');
}
