import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const PAGE = readFileSync(resolve('README.md'), 'utf8');
/** What needs more than the clone: a server, a key, an answer of one's own, a browser, or the network. */
const NEEDS_MORE =
  /^(?:npm|export) |--model |--base-url |--budget-|config test|answers\.json|^plan (?:serve|mcp)/;
/** What the page says that it refuses. */
const REFUSED = new Map([['plan convert examples/links/plan.json --to obsidian', 4]]);

interface Step {
  readonly command: string;
  /** What the page says that it prints; null where it does not say. */
  readonly printed: string | null;
}

test('the commands of the README do, one after the other, what it says', async () => {
  const user = newUser();
  cpSync(resolve('examples'), join(user.folder, 'examples'), { recursive: true });
  const steps = stepsOf(PAGE).filter(({ command }) => !NEEDS_MORE.test(command));
  expect(steps.length).toBeGreaterThan(15);
  /** The tokens of the page, and those that were given in their place. */
  const given = new Map<string, string>();
  for (const { command, printed } of steps) {
    const words = wordsOf([...given].reduce((text, [page, now]) => text.replaceAll(page, now), command));
    const { status, out, error } = await user.run(words, { FRCTL_BY: 'ana@desk' });
    expect([command, status, error]).toEqual([command, REFUSED.get(command) ?? 0, error]);
    if (printed === null) continue;
    expect([command, withoutChance(out)]).toEqual([command, withoutChance(printed)]);
    const [page, now] = [printed, out].map((text) => /^Token {2}(\S+)$/m.exec(text)?.[1]);
    if (page !== undefined && now !== undefined) given.set(page, now);
  }
});

test('the first plan of the README is the one that is made', async () => {
  const [, goal = '', shown = ''] = / init "([^"]+)"\n```\n\n```\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const { out, error } = await newUser().run(['init', goal]);
  expect(withoutChance(shown)).toContain(withoutChance(out));
  expect(withoutChance(shown)).toContain(withoutChance(error.split('\n').slice(1).join('\n')));
});

/** The commands of its blocks, in order. */
function stepsOf(page: string): readonly Step[] {
  return [...page.matchAll(/```(sh|console)\n([\s\S]*?)```/g)].flatMap(
    ([, kind, block = '']): readonly Step[] =>
      kind === 'sh'
        ? block.split('\n').flatMap((line) => {
            const command = line.replace(/^.*&& node dist\/cli\/plan\.js/, 'plan').replace(/\s+#.*$/, '');
            return command.startsWith('plan ') ? [{ command, printed: null }] : [];
          })
        : [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', printed = '']) => ({
            command,
            printed,
          })),
  );
}

/** The words of a command after its name, as a shell takes them. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '').slice(
    1,
  );
}

/** Ids, tokens and moments as one letter each. */
function withoutChance(text: string): string {
  return text
    .trimEnd()
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? (?:UTC|[+-]\d\d:\d\d)(?: \(in \d+ \w+\))?/g, 'T')
    .replaceAll(/\(process \d+ on \S+\)/g, 'P')
    .replaceAll(/\b[0-9a-f]{8}\b/g, 'I')
    .replaceAll(/ {2}[0-9a-z]{16}$/gm, '  I');
}
