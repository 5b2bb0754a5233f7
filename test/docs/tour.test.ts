import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

import { describe, expect, test } from 'vitest';

import { sharedFolder } from '../support/folders.js';

const PAGE = readFileSync(resolve('docs/tour.md'), 'utf8');
/** The folder of the page's users, and their home. */
const FOLDER = '/home/ana/invoices';
const HOME = '/home/ana';
/** What is drawn by chance and named again by later commands. */
const NAMES = [
  /^Token {2}(\S+)$/m,
  /^Code: {3}(\S+)$/m,
  /\b(run-[0-9a-z]{8})\b/,
  /\b(ap-[0-9a-z]{10})\b/,
] as const;

interface File {
  readonly path: string;
  readonly text: string;
}

interface Step {
  readonly who: string;
  readonly command: string;
  /** What the page says that it prints. */
  readonly printed: string;
}

/** The chapters of the page, in their order: each goes on with what those before it have left. */
const CHAPTERS = chaptersOf(PAGE)
  .map((text) => ({ name: text.split('\n', 1)[0] ?? '', parts: partsOf(text) }))
  .filter(({ parts }) => parts.length > 0);

describe('the tour prints what the page says, but for ids, tokens and times', () => {
  const place = { folder: sharedFolder(), home: sharedFolder() };
  /** The names of the page, and those that were given in their place. */
  const given = new Map<string, string>();
  /** Whether a person is needed and there is no terminal. */
  let isOver = false;
  /** How long the slowest command took, in seconds. */
  let slowest = 0;

  test('in all of its parts', () => {
    expect(CHAPTERS.flatMap(({ parts }) => parts).length).toBeGreaterThan(20);
    expect(CHAPTERS.flatMap(({ parts }) => parts)).toEqual(partsOf(PAGE));
  });

  test.each(CHAPTERS)('$name', async ({ parts }) => {
    for (const part of parts) {
      if (isOver) return;
      if ('path' in part) {
        mkdirSync(dirname(join(place.folder, part.path)), { recursive: true });
        writeFileSync(join(place.folder, part.path), part.text);
        continue;
      }
      const { who, command, printed } = part;
      // A person agrees on a terminal, and nowhere else.
      const atTerminal = command.startsWith('plan approve');
      isOver = atTerminal && !existsSync('/usr/bin/script');
      if (isOver) return;
      const named = [...given].reduce((text, [onPage, name]) => text.replaceAll(onPage, name), command);
      // The claim that expires has to outlive the commands before, however slow the machine.
      const seconds = String(Math.max(20, Math.ceil(10 * slowest)));
      const lasting = named.replace('--for 20s', `--for ${seconds}s`).replace('sleep 20', `sleep ${seconds}`);
      const begun = Date.now();
      const said = await run(lasting, { ...place, who, atTerminal });
      if (lasting === named) slowest = Math.max(slowest, (Date.now() - begun) / 1000);
      expect([command, withoutChance(said)]).toEqual([command, withoutChance(printed)]);
      for (const name of NAMES) {
        const [onPage, now] = [name.exec(printed)?.[1], name.exec(said)?.[1]];
        if (onPage !== undefined && now !== undefined) given.set(onPage, now);
      }
    }
  });
});

test('the tour is of one plan', () => {
  const plans = PAGE.matchAll(/\b([0-9a-f]{8})(?=-[0-9a-z]{6}\b| {2}(?:planned|done)\b)/g);
  expect(new Set(Array.from(plans, ([, plan]) => plan)).size).toBe(1);
});

/** A page in the parts that its headings begin; what stands in a block of it is no heading. */
function chaptersOf(page: string): readonly string[] {
  const chapters = [''];
  let isBlock = false;
  for (const line of page.split(/(?<=\n)/)) {
    if (line.startsWith('```')) isBlock = !isBlock;
    if (!isBlock && line.startsWith('## ')) chapters.push('');
    chapters.push(`${chapters.pop() ?? ''}${line}`);
  }
  return chapters;
}

/** The files that the page shows and the commands of its two users, in their order. */
function partsOf(page: string): readonly (File | Step)[] {
  const blocks = page.matchAll(
    /`([^`\n]+)`[^`\n]*:\n\n```(?:markdown|yaml)\n([\s\S]*?)```|```console\n([\s\S]*?)```/g,
  );
  return [...blocks].flatMap(([, path, text = '', console = '']): readonly (File | Step)[] =>
    path === undefined ? stepsOf(console) : [{ path, text }],
  );
}

/** The commands of a block, each with the lines up to the next. */
function stepsOf(block: string): readonly Step[] {
  return [...block.matchAll(/^(ana|bo)\$ (.*)\n((?:(?!ana\$ |bo\$ ).*\n)*)/gm)].map(
    ([, who = '', command = '', printed = '']) => ({ who, command, printed }),
  );
}

interface Running {
  readonly folder: string;
  readonly home: string;
  readonly who: string;
  /** Whether it needs a terminal, at which it is answered with a yes. */
  readonly atTerminal: boolean;
}

/** Both streams together, as a terminal shows them. */
async function run(command: string, { folder, home, who, atTerminal }: Running): Promise<string> {
  const plan = `'${process.execPath}' '${resolve('dist/cli/plan.js')}'`;
  const bash = `plan() { ${plan} "$@"; }; { ${command}; } 2>&1`;
  const env = { PATH: process.env.PATH, HOME: home, FRCTL_BY: who, TZ: 'UTC', SHELL: '/bin/bash' };
  const child = atTerminal
    ? spawn('script', ['-qec', `stty -echo cols 400; ${bash}`, '/dev/null'], { cwd: folder, env })
    : spawn('bash', ['-c', bash], { cwd: folder, env });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (text.includes('Type yes')) child.stdin.write('yes\n');
  });
  await new Promise((done) => child.on('close', done));
  return stripVTControlCharacters(out).replaceAll('\r', '').replaceAll(folder, FOLDER).replaceAll(home, HOME);
}

/** Ids, tokens, moments and durations as one letter each. */
function withoutChance(text: string): string {
  return (
    text
      .trimEnd()
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC(?: \(in \d+ \w+\))?/g, 'T')
      .replaceAll(/\b\d+ \w+ ago\b/g, 'T')
      .replaceAll(/\b(?:run-[0-9a-z]{8}|ap-[0-9a-z]{10})\b/g, 'I')
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-z]{6})?\b/g, 'I')
      .replaceAll(/\b(?:Code: {3}|plan approve )[0-9A-Z]{8}\b/g, 'I')
      .replaceAll(/ {2}(?:[0-9a-z]{6}|[0-9a-z]{16})$/gm, '  I')
      .replaceAll(/ in \d+\.\d s/g, '')
      // An id of a run in a note can look like a number or a name, which are facts, and mostly does not.
      .replaceAll(/\((\d+) of \1 facts\)/g, '(all facts)')
  );
}
