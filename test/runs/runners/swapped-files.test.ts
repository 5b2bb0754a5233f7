import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, onTestFinished, test } from 'vitest';

import { readToolsFile } from '../../../src/features/actions/tools/read-tools-file.js';
import { definitionDigest } from '../../../src/features/runs/model/tools/definition-digest.js';
import { partsOfWord } from '../../../src/features/runs/runners/programs/parts-of-word.js';
import { openToolbox } from '../../../src/features/runs/runners/toolbox.js';
import type { Tool } from '../../../src/features/runs/model/tool.js';
import { callWith, newWorkplace } from '../../support/workplace.js';
import type { TestWorkplace } from '../../support/workplace.js';

const NODE = process.execPath;

/** A workplace with these files; one whose text begins with `#!` may be run. */
function placeWith(files: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const place = newWorkplace(variables);
  for (const file of files) write(join(place.root, file), `#!/bin/sh\n: ${file}\n`);
  return place;
}

function write(path: string, text: string): void {
  outputFileSync(path, text);
  chmodSync(path, 0o755);
}

async function toolOf(run: object, environment: TestWorkplace): Promise<Tool> {
  const text = JSON.stringify({ tools: [{ name: 't', effects: 'none', run }] });
  const box = await openToolbox({
    file: readToolsFile(text, 'tools.yaml'),
    needed: { tools: ['t'], conditions: [] },
    environment,
    run: 'run-1',
  });
  onTestFinished(() => box.close());
  const tool = box.tools.get('t');
  if (tool === undefined) throw new Error('the tool is not bound');
  return tool;
}

interface Form {
  /** Of the binding, `ROOT` being the workspace. */
  readonly run: Readonly<Record<string, unknown>>;
  /** What it names; the first is swapped. */
  readonly files: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}
const command = (...words: readonly string[]) => ({ command: words });
const SWAPPED = '#!/bin/sh\ntouch evil\n';

const FORMS: readonly (readonly [string, Form])[] = [
  // Those of the first attack.
  [
    'named by NODE_OPTIONS',
    { run: { ...command(NODE, '-e', '0'), env: { NODE_OPTIONS: '--require ./s.js' } }, files: ['s.js'] },
  ],
  [
    'named by BASH_ENV',
    { run: { ...command('bash', '-c', 'true'), env: { BASH_ENV: './init' } }, files: ['init'] },
  ],
  [
    'found by PATH',
    { run: { ...command('git', '--version'), env: { PATH: './.bin:/usr/bin' } }, files: ['.bin/git'] },
  ],
  [
    'behind a variable that env sets',
    { run: command('env', 'NODE_OPTIONS=--require=./s.js', NODE, '-e', '0'), files: ['s.js'] },
  ],
  ['by a URL', { run: command(NODE, '--import=file://ROOT/s.mjs', '-e', '0'), files: ['s.mjs'] }],
  ['behind an exclamation mark', { run: command('git', '-c', 'alias.x=!./s.sh', 'x'), files: ['s.sh'] }],
  // Others.
  ['by a URL that is encoded', { run: command(NODE, '--import=file://ROOT/%73.mjs'), files: ['s.mjs'] }],
  [
    'by a URL with a host and in capitals',
    { run: command(NODE, '--import=FILE://localhost/ROOT/s.mjs'), files: ['s.mjs'] },
  ],
  [
    'by the name of a module with a query',
    { run: command(NODE, '--import=./s.mjs?x=1#y'), files: ['s.mjs'] },
  ],
  ['by the name of a module that is encoded', { run: command(NODE, '--import=./%73.mjs'), files: ['s.mjs'] }],
  [
    'by the name of a module with a tab in it',
    { run: command(NODE, '--import=./s\t.mjs'), files: ['s.mjs'] },
  ],
  ['without its ending', { run: command(NODE, '--require', './s', '-e', '0'), files: ['s.js'] }],
  ['without its ending and a slash', { run: command(NODE, 's'), files: ['s.js'] }],
  ['as a module of Python', { run: command('python3', '-m', 'tools.s'), files: ['tools/s.py'] }],
  [
    'behind two equals signs',
    { run: command('tar', '--checkpoint-action=exec=./s.sh', '-cf', '/dev/null', '.'), files: ['s.sh'] },
  ],
  [
    'in a command within an option',
    { run: command('ssh', '-o', 'ProxyCommand=./s.sh %h %p', 'host'), files: ['s.sh'] },
  ],
  ['in the text of a shell', { run: command('sh', '-c', 'true && ./s.sh > out.txt'), files: ['s.sh'] }],
  ['on standard input', { run: { ...command('sh'), stdin: '. ./s.sh' }, files: ['s.sh'] }],
  [
    'on standard input, as a list of files',
    { run: { ...command('xargs', 'sh'), stdin: ['s.sh'] }, files: ['s.sh'] },
  ],
  [
    'on standard input, in a folder that a word goes to',
    { run: { ...command('sh', '-c', 'cd sub && sh'), stdin: 'set -e\n./s.sh\n' }, files: ['sub/s.sh'] },
  ],
  [
    'by a word, in a folder that standard input goes to',
    { run: { ...command('sh', '-s', 's.sh'), stdin: 'cd sub; . $1' }, files: ['sub/s.sh', 'sub/x'] },
  ],
  ['behind $PWD', { run: command('sh', '-c', 'exec $PWD/s.sh'), files: ['s.sh'] }],
  [
    'behind the answer of a command',
    { run: command('sh', '-c', 'exec "$(pwd)/in/s.sh"'), files: ['in/s.sh'] },
  ],
  ['behind ~', { run: command('sh', '-c', 'exec ~/in/s.sh'), files: ['in/s.sh'] }],
  ['by a pattern', { run: command('sh', '-c', 'for one in ./in/*.sh; do "$one"; done'), files: ['in/s.sh'] }],
  [
    'by a pattern beside it',
    { run: command('sh', '-c', 'for one in s*.sh; do . "./$one"; done'), files: ['s1.sh'] },
  ],
  [
    'by a pattern on standard input',
    { run: { ...command('sh'), stdin: 'for one in in/?.[s]h; do . $one; done' }, files: ['in/s.sh'] },
  ],
  [
    'in a text that a shell reads from another file',
    { run: command('sh', '-c', '. "./s.sh"'), files: ['s.sh'] },
  ],
  [
    'in the script of a binding that has one',
    { run: { ...command('set -e; node ./s.js'), shell: true }, files: ['s.js'] },
  ],
  ['in a string that env splits', { run: command('env', '-S', 'node ./s.js'), files: ['s.js'] }],
  [
    'behind an at sign',
    { run: command('curl', '-d', '@data.txt', 'http://127.0.0.1:9'), files: ['data.txt'] },
  ],
  [
    'between a colon and an equals sign',
    { run: command('java', '-javaagent:./s.jar=opts', 'Main'), files: ['s.jar'] },
  ],
  ['in a list with commas', { run: command('lint', '--rules=a.txt,b.txt'), files: ['b.txt', 'a.txt'] }],
  [
    'in a list with colons',
    { run: command('java', '-cp', 'a.jar:lib/b.jar', 'Main'), files: ['lib/b.jar', 'a.jar'] },
  ],
  ['glued to several short options', { run: command('ruby', '-wlr./s.rb', '-e', '0'), files: ['s.rb'] }],
  [
    'in a folder that another word names',
    { run: command('env', '-C', 'sub', './s.sh'), files: ['sub/s.sh'] },
  ],
  [
    'in the workspace, where the binding has a folder',
    { run: { ...command('git', '-c', 'alias.x=!./s.sh', 'x'), folder: 'sub' }, files: ['s.sh', 'sub/x'] },
  ],
  [
    'in the folder of the binding',
    { run: { ...command(NODE, '--import=./s.mjs', '-e', '0'), folder: 'sub' }, files: ['sub/s.mjs'] },
  ],
  [
    'in a folder of programs',
    { run: command('git', '-c', 'core.hooksPath=./hooks', 'commit'), files: ['hooks/pre-commit'] },
  ],
  ['in JSON', { run: command('run', '{"require":["./s.js"]}'), files: ['s.js'] }],
  [
    'by a variable of the user',
    { run: { ...command('true'), env: ['CONF'] }, files: ['conf.ini'], variables: { CONF: 'conf.ini' } },
  ],
  ['with two dollars in its name', { run: command('run', './$${s}.js'), files: ['${s}.js'] }],
  ['with blanks in its name', { run: command('run', '--config=my rules.txt'), files: ['my rules.txt'] }],
  ['with separators in its name', { run: command('run', '--config=a,b=c.txt'), files: ['a,b=c.txt'] }],
  ['with dots on the way', { run: command('run', './sub/../s.txt'), files: ['s.txt', 'sub/x'] }],
];

describe('a file that a command line names is part of what the tool is', () => {
  test.each(FORMS)('%s', async (_how, { run, files, variables }) => {
    const place = placeWith(files, variables);
    const bound: object = JSON.parse(JSON.stringify(run).replaceAll('ROOT', place.root));
    const tool = await toolOf(bound, place);
    const [swapped = ''] = files;
    const digest = definitionDigest(tool.definition());
    expect(JSON.stringify(tool.definition().binding)).toContain('"program"');
    // The same while nothing changes.
    expect(definitionDigest((await toolOf(bound, place)).definition())).toBe(digest);
    write(join(place.root, swapped), SWAPPED);
    expect(definitionDigest((await toolOf(bound, place)).definition())).not.toBe(digest);
    expect(await tool.call(callWith({}))).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'E_TOOL_CHANGED' },
    });
    expect(existsSync(join(place.root, 'evil'))).toBe(false);
  });

  test.each(FORMS)(
    'and counts as changed where it was not there before: %s',
    async (_how, { run, files, variables }) => {
      const place = placeWith(files, variables);
      const [swapped = ''] = files;
      rmSync(join(place.root, swapped));
      const bound: object = JSON.parse(JSON.stringify(run).replaceAll('ROOT', place.root));
      const tool = await toolOf(bound, place);
      write(join(place.root, swapped), SWAPPED);
      expect(await tool.call(callWith({}))).toMatchObject({
        outcome: 'not_sent',
        error: { code: 'E_TOOL_CHANGED' },
      });
    },
  );
});

describe('the program is found as the child finds it', () => {
  test('a program that appears earlier on PATH is another one', async () => {
    const place = placeWith(['late/tool']);
    const run = { ...command('tool'), env: { PATH: './early:./late' } };
    const tool = await toolOf(run, place);
    expect(await tool.call(callWith({}))).toMatchObject({ outcome: 'succeeded' });
    write(join(place.root, 'early/tool'), SWAPPED);
    expect(await tool.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
  });

  test('on the PATH of the user too, where that leads into the workspace', async () => {
    const place = newWorkplace();
    const bin = join(place.root, 'node_modules/.bin');
    write(join(bin, 'lint'), '#!/bin/sh\ntrue\n');
    const here = { ...place, variables: { ...place.variables, PATH: `${bin}:/usr/bin:/bin` } };
    const tool = await toolOf(command('lint'), here);
    const wrapped = await toolOf(command('env', 'lint'), here);
    write(join(bin, 'lint'), SWAPPED);
    for (const one of [tool, wrapped])
      expect(await one.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
  });

  test('one that only looks is the system’s own, and not one of that name in the workspace', async () => {
    const place = placeWith(['bin/cat', 's.sh']);
    const run = { ...command('cat', './s.sh'), env: { PATH: './bin:/bin' } };
    const tool = await toolOf(run, place);
    write(join(place.root, 's.sh'), SWAPPED);
    expect(await tool.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
    const plain = await toolOf(command('cat', './s.sh'), place);
    write(join(place.root, 's.sh'), '#!/bin/sh\n');
    expect(await plain.call(callWith({}))).toMatchObject({ outcome: 'succeeded' });
  });

  test('what a script names in its first line as what runs it', async () => {
    const place = placeWith(['interpreter']);
    write(join(place.root, 's'), '#!./interpreter -x\n');
    const tool = await toolOf(command('./s'), place);
    write(join(place.root, 'interpreter'), SWAPPED);
    expect(await tool.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
  });

  test('where a link leads counts, and where a link to its folder does', async () => {
    const place = placeWith(['one/s.sh', 'two/s.sh']);
    writeFileSync(join(place.root, 'two/s.sh'), readFileSync(join(place.root, 'one/s.sh')));
    symlinkSync('one', join(place.root, 'now'));
    const tool = await toolOf(command('sh', 'now/s.sh'), place);
    rmSync(join(place.root, 'now'));
    symlinkSync('two', join(place.root, 'now'));
    expect(await tool.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
  });

  test('a folder that is exchanged for another one', async () => {
    const place = placeWith(['scripts/s.sh', 'other/s.sh']);
    const tool = await toolOf(command('sh', 'scripts/s.sh'), place);
    renameSync(join(place.root, 'scripts'), join(place.root, 'old'));
    renameSync(join(place.root, 'other'), join(place.root, 'scripts'));
    expect(await tool.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
  });
});

describe('nothing else counts, so that what has not changed is not called so', () => {
  test.each<[string, object]>([
    ['what a script writes and mentions', command('sh', '-c', 'date > state.txt; grep x state.txt; true')],
    ['a folder', command('ls', 'data')],
    ['a folder behind an option', command('true', '--root=data')],
    ['what only looks', command('cat', 'state.txt')],
    ['what it says that it writes', { ...command('true', 'state.txt'), writes: ['state.txt'] }],
    [
      'what is below a folder that it says it writes, and no program',
      { ...command('true', 'data/x.txt'), writes: ['data'] },
    ],
    ['a pipe', command('true', 'pipe')],
    ...[
      'Is it ok? Yes.',
      '{ "all": ["one", 2], "none": [] }',
      '**Bold** and `data/x.txt`? A list:\n* one [1]\n* two [data/x.txt](data/x.txt)',
      '/* 1 * 2 */',
    ].map((stdin): [string, object] => [
      `a script beside it, for a pattern that ${stdin} is not`,
      { ...command('sort'), stdin },
    ]),
    ['what is outside of the workspace', command('true', '../outside.txt')],
  ])('%s', async (_what, run) => {
    const place = placeWith(['state.txt', 'data/x.txt', '../outside.txt', 'beside.sh']);
    for (const name of ['state.txt', 'data/x.txt']) chmodSync(join(place.root, name), 0o644);
    for (const name of ['state.txt', 'data/x.txt']) writeFileSync(join(place.root, name), 'old');
    execFileSync('mkfifo', [join(place.root, 'pipe')]);
    const tool = await toolOf(run, place);
    for (const name of ['state.txt', 'data/x.txt', '../outside.txt', 'beside.sh'])
      writeFileSync(join(place.root, name), 'new');
    expect(await tool.call(callWith({}))).toMatchObject({ outcome: 'succeeded' });
  });

  test('what a text on standard input names beyond any measure, and the text is no reason to refuse the call', async () => {
    const folders = Array.from({ length: 80 }, (_, index) => `folder${index}`);
    const place = placeWith([...folders.map((folder) => `${folder}/x.sh`), 's.sh']);
    const text = `. ./s.sh\n${folders.join('\n')}\n`;
    const arg = await toolOf({ ...command('sort'), stdin: '${text}' }, place);
    const call = { args: { text }, later: new Set<string>() };
    expect((await arg.named?.(call))?.map(({ path }) => path)).toEqual(['s.sh']);
    const tool = await toolOf({ ...command('sort'), stdin: text }, place);
    expect(await tool.call(callWith({}))).toMatchObject({ outcome: 'succeeded' });
    write(join(place.root, 's.sh'), SWAPPED);
    expect(await tool.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
    await expect(toolOf(command('sort', ...folders), place)).rejects.toThrow('more than 64 folders');
  });

  test('a server keeps its state in files that are no programs, and its programs and variables count', async () => {
    const place = placeWith(['state.db', 's.js']);
    writeFileSync(join(place.root, 'state.db'), 'old');
    chmodSync(join(place.root, 'state.db'), 0o644);
    const open = async () => {
      const servers = {
        s: {
          command: [NODE, join(import.meta.dirname, '../../support/mcp/hostile.mjs'), 'x', 'state.db'],
          env: { HOOK: './s.js' },
        },
      };
      const text = JSON.stringify({ servers, tools: [{ name: 't', run: { mcp: 's/say' } }] });
      const box = await openToolbox({
        file: readToolsFile(text, 'x'),
        needed: { tools: ['t'], conditions: [] },
        environment: place,
        run: 'run-1',
      });
      onTestFinished(() => box.close());
      return box.tools.get('t');
    };
    const tool = await open();
    writeFileSync(join(place.root, 'state.db'), 'new');
    expect(await tool?.call(callWith({}))).toMatchObject({ outcome: 'succeeded' });
    write(join(place.root, 's.js'), SWAPPED);
    expect(await tool?.call(callWith({}))).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
  });
});

describe('the work grows with the length of a word alone', () => {
  test.each([
    '=',
    ':',
    ',',
    '!',
    '@',
    '-',
    '/',
    '.',
    './',
    '%41',
    ' ',
    '"',
    'file://',
    'file:',
    '-a',
    '=a',
    'a,b',
    '\\',
    '%',
    '-/',
    '#!',
  ])('of %j again and again', (unit) => {
    const size = (length: number) => {
      // Each part another one, so that none is left out for being there already.
      const word = Array.from({ length }, (_, index) => `${unit}${index}`).join('');
      return partsOfWord(word).reduce((total, { text }) => total + text.length + 1, 0);
    };
    expect(size(8000)).toBeLessThanOrEqual(3 * size(4000));
  });
});
