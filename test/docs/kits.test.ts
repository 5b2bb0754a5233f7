import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { createServer, type AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { expansionOf, startModelServer } from '../support/model-server.js';
import { hasTmux } from '../support/screen.js';

const PAGE = readFileSync(resolve('docs/kits.md'), 'utf8');
const PLAN = `plan() { '${process.execPath}' '${resolve('dist/cli/plan.js')}' "$@"; }`;
/** What commands print that later ones name. */
const GIVEN = { CODE: /plan approve (\S{8})\b/, RUN: /\b(run-[0-9a-z]{8})\b/, PLAN: /\b(ap-[0-9a-z]{10})\b/ };

interface Reader {
  readonly folder: string;
  /** Runs a command as the page has it, on a terminal, and agrees to what is asked. */
  run(command: string): Promise<string>;
  /** Does all that a chapter says up to a place. */
  follow(chapter: string, until?: string): Promise<string>;
}

/** Somebody new with an empty folder. @param ours what stands for names on the page that are this machine's own */
function newReader(ours: Readonly<Record<string, string>> = {}, variables = {}): Reader {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const given = new Map<string, string>();
  const inOurNames = (text: string) =>
    Object.entries({ ...ours, '/home/me/project': folder }).reduce(
      (all, [theirs, name]) => all.replaceAll(theirs, name),
      text,
    );
  const reader: Reader = {
    folder,
    async run(command) {
      const line = [...given].reduce(
        (text, [word, name]) => text.replaceAll(new RegExp(String.raw`\b${word}\b`, 'g'), name),
        inOurNames(command),
      );
      const out = await onTerminal(line, folder, { HOME: home, ...variables });
      for (const [word, pattern] of Object.entries(GIVEN)) {
        const name = pattern.exec(out)?.[1];
        if (name !== undefined) given.set(word, name);
      }
      return out;
    },
    async follow(chapter, until = '\n## ') {
      const after = PAGE.slice(PAGE.indexOf(`# ${chapter}\n`) + chapter.length);
      const told = after.slice(0, after.indexOf(until));
      let all = '';
      for (const [, path, kind, block = ''] of told.matchAll(
        /(?:[Ss]ave `([^`\n]+)`[^`]*(?:`[^`\n]+`[^`]*)*:\n\n)?```(\w+)\n([\s\S]*?)```/g,
      ))
        if (kind === 'sh') for (const line of block.trim().split('\n')) all += await reader.run(line);
        else if (path !== undefined) keep(join(folder, path), inOurNames(block));
      return all;
    },
  };
  return reader;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function keep(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function onTerminal(line: string, folder: string, variables: object): Promise<string> {
  const env = { PATH: process.env.PATH, SHELL: '/bin/bash', TERM: 'xterm', ...variables };
  const bash = `stty -echo cols 300; ${PLAN}; ${line}`;
  const background = line.endsWith('&');
  const child = background
    ? spawn('bash', ['-c', `exec ${line.slice(0, -1)}`], { cwd: folder, env, stdio: 'pipe' })
    : spawn('script', ['-qec', bash, '/dev/null'], { cwd: folder, env });
  if (background) {
    onTestFinished(() => void child.kill());
    return '';
  }
  let [out, asked] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (!out.slice(asked).includes('Type yes')) return;
    asked = out.length;
    child.stdin.write('yes\n');
  });
  const status = await new Promise<number | null>((done) => child.on('close', done));
  const said = stripVTControlCharacters(out).replaceAll('\r', '');
  expect([line, said, status]).toEqual([line, said, 0]);
  return said;
}

const hasTerminal = existsSync('/usr/bin/script');

test.runIf(hasTerminal)('ten bullets become ten notes, as the page tells it', async () => {
  const reader = newReader();
  const out = await reader.follow('From ten bullets to ten notes', '[A model]');
  expect(out).toContain('Ideas/Dark mode 1.md');
  expect(linksIn(reader.folder)).toEqual(LINKS);
});

test.runIf(hasTerminal)('and so they do with the plan that a model makes of a sentence', async () => {
  const [, written = ''] = /Save `plan\.json`:\n\n```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const server = await startModelServer({
    respond: ({ user, goal }) =>
      user.includes('<tools>')
        ? replyOf(JSON.parse(written) as Written)
        : expansionOf({ description: goal, atomic: true }),
  });
  onTestFinished(() => server.close());
  const reader = newReader({}, { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' });
  await reader.follow('From ten bullets to ten notes', 'Save `plan.json`');
  const told = PAGE.slice(PAGE.indexOf('[A model]'));
  const [, lines = ''] = /```sh\n([\s\S]*?)```/.exec(told) ?? [];
  for (const line of [...lines.trim().split('\n'), 'plan approve CODE', 'plan run RUN'])
    await reader.run(line);
  expect(linksIn(reader.folder)).toEqual(LINKS);
});

/** What the page's note links to at last, each a note that is there. */
const LINKS = [
  'Größe der Tabelle',
  'Who is root',
  'Invoices as CSV',
  'Invoices as PDF',
  'A button for exports',
  'Dark mode',
  'Faster search',
  'Backups, tested',
  'Fewer e-mails',
  'Dark mode 1',
];

/** The links of the note that are notes. */
function linksIn(folder: string): readonly string[] {
  const notes = new Set(readdirSync(join(folder, 'Ideas')));
  const day = readFileSync(join(folder, 'Daily/today.md'), 'utf8');
  return [...day.matchAll(/^- \[\[([^\]]+)\]\]$/gm)].flatMap(([, link = '']) =>
    notes.has(`${link}.md`) ? [link] : [],
  );
}

interface Written {
  readonly steps: readonly {
    readonly id: string;
    readonly tool: string;
    readonly args: object;
    readonly foreach?: { readonly from: string; readonly itemName: string };
  }[];
}

/** The page's plan as a model answers with it. */
function replyOf({ steps }: Written): object {
  return {
    title: 'Bullets to notes',
    assumptions: [],
    risks: [],
    steps: steps.map(({ id, tool, args, foreach }) => ({
      id,
      tool,
      title: id,
      args: JSON.stringify(args).replaceAll(`{${foreach?.itemName ?? ''}.`, () => '${$vars.item.'),
      each: foreach?.from ?? '',
      depends_on: [],
      on_error: 'stop',
      requires_approval: false,
    })),
  };
}

test.runIf(hasTerminal && hasTmux)('an agent is compacted and goes on, as the page tells it', async () => {
  const sockets = temporaryFolder();
  const reader = newReader({}, { TMUX_TMPDIR: sockets });
  onTestFinished(
    () =>
      void spawn('tmux', ['-L', 'trial', 'kill-server'], { env: { ...process.env, TMUX_TMPDIR: sockets } }),
  );
  const [, rules = ''] = /The file of rules[^\n]*:\n\n```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
  keep(join(reader.folder, '.plans/panes.yaml'), rules);
  const out = await reader.follow('An agent is compacted, and goes on when it is idle');
  expect(out).toMatch(/> \/compact\n[\s\S]*Compaction complete\n> go on\n/);
});

test.runIf(hasTerminal && existsSync('/usr/bin/chromium'))(
  'a form is filled in, checked, and delivered, as the page tells it',
  async () => {
    const reader = newReader({ 8124: String(await freePort()) });
    const out = await reader.follow('A form is filled in, checked, and delivered as a file');
    expect(out).toContain('"text": "Thank you');
    expect(readFileSync(join(reader.folder, 'receipt.json'), 'utf8')).toContain('Order 17 is on its way.');
  },
);
