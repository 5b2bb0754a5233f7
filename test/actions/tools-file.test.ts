import { describe, expect, test } from 'vitest';

import { readToolsFile } from '../../src/features/actions/tools/read-tools-file.js';
import { readTools } from '../../src/features/actions/tools/read-tools.js';
import {
  fillMembers,
  fillText,
  fillValue,
  parseTemplate,
} from '../../src/features/actions/tools/template.js';
import type { TemplateValues } from '../../src/features/actions/tools/template.js';

const FILE = `
servers:
  browser: { command: [npx, --no, playwright-mcp], tools: [browser_click, { name: browser_url, effects: none }] }
  tracker: { url: https://tracker.example.org/mcp, headers: { Authorization: 'Bearer \${env:TRACKER_TOKEN}' } }
tools:
  - name: git.log
    input_schema: { type: object, properties: { since: { type: string } }, required: [since] }
    effects: none
    run: { command: [git, log, --format=%H %s, '\${since}..HEAD'], output: lines, timeout_ms: 30000 }
  - name: note.write
    run: { file: write, root: notes }
  - name: release.create
    run: { http: { method: POST, url: 'https://api.example.org/releases', body: '\${args}', key_header: Idempotency-Key, ok: [200, 201, 409], settle_ms: 3000 } }
  - name: soul:Navigate
    run: { mcp: browser/browser_navigate, args: { url: '\${url}' } }
  - { name: drafted.only, description: Only to draft with. }
checks:
  soul:UrlMatches: { tool: browser_url, expect: { type: string, pattern: '\${args.pattern}' } }
`;

describe('a tools file that can be run', () => {
  const read = readToolsFile(FILE, 'tools.yaml');
  const effects = Object.fromEntries(read.tools.map((tool) => [tool.name, tool.effects]));

  test('says what carries each tool out, and what it does to the world where nobody says it', () => {
    expect(effects).toEqual({
      'git.log': 'none',
      'note.write': 'idempotent',
      'release.create': 'once',
      'soul:Navigate': 'once',
      'drafted.only': 'once',
      browser_click: 'once',
      browser_url: 'none',
    });
    expect(read.tools.find(({ name }) => name === 'drafted.only')?.run).toBeNull();
    expect(read.tools.find(({ name }) => name === 'browser_click')?.run).toEqual({
      mcp: 'browser/browser_click',
    });
  });

  test('can be drafted with; a built-in file tool says what its arguments are', () => {
    expect(readTools(FILE, 'tools.yaml').map(({ name }) => name)).toContain('note.write');
    expect(readTools(FILE, 'tools.yaml')[1]?.inputSchema).toMatchObject({ required: ['path', 'text'] });
  });

  test('of the first form stays valid, and binds nothing', () => {
    const v1 = readToolsFile(
      '[{"name": "fs.write", "parameters": {"type": "object"}, "x-more": 1}]',
      't.json',
    );
    expect(v1.tools.map(({ name, run }) => [name, run])).toEqual([['fs.write', null]]);
  });

  test.each([
    ['a misspelt member', 'tools: [{name: a, run: {command: [ls], sandbx: workspace}}]', 'sandbx'],
    [
      'a program that the step would choose',
      "tools: [{name: a, run: {command: ['${program}']}}]",
      'argument',
    ],
    [
      'a program that the environment would choose',
      "tools: [{name: a, run: {command: ['${env:SHELL}']}}]",
      'secret',
    ],
    ['a placeholder that is none', "tools: [{name: a, run: {command: [ls, '${a b}']}}]", 'a b'],
    ['a NUL', 'tools: [{name: a, run: {command: ["ls\\0"]}}]', 'NUL'],
    [
      'a variable that frctl itself sets',
      'tools: [{name: a, run: {command: [ls], env: {FRCTL_ATTEMPT: x}}}]',
      'env',
    ],
    ['a server that is not there', 'tools: [{name: a, run: {mcp: nowhere/x}}]', 'nowhere'],
    ['a check of a tool that is not there', 'checks: {c: {tool: x, expect: {}}}', 'x'],
    [
      'a tool of two servers',
      'servers: {a: {command: [x], tools: [t]}, b: {command: [x], tools: [t]}}',
      'two servers',
    ],
    [
      'effects that there are none of',
      'tools: [{name: a, effects: nothing, run: {command: [ls]}}]',
      'effects',
    ],
    [
      'an argument of the step in an address of a server',
      "servers: {a: {url: 'https://${host}/'}}",
      'argument',
    ],
  ])('is refused with %s', (_what, text, named) => {
    expect(() => readToolsFile(text, 'tools.yaml')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(named) }),
    );
  });

  test('takes the script of a shell as it is, whose ${…} are the shell’s own', () => {
    const text = 'tools: [{name: a, run: {shell: true, command: [\'echo "${HOME:-x}" "$1"\', \'${text}\']}}]';
    expect(readToolsFile(text, 't.yaml').tools[0]?.run).toMatchObject({ shell: true });
  });
});

describe('a template', () => {
  const values: TemplateValues = {
    args: { since: 'v1', list: [1, 'b'], deep: { at: 2 }, dollar: '${env:TOKEN}', __proto__: null },
    secret: (name) => ({ TOKEN: 's3cret' })[name],
    call: { key: 'k' },
  };

  test('is filled in whole, and what was filled in is never read again', () => {
    expect(fillText('${since}..HEAD', values)).toBe('v1..HEAD');
    expect(fillText('x ${dollar}', values)).toBe('x ${env:TOKEN}');
    expect(fillText('Bearer ${env:TOKEN}', values)).toBe('Bearer s3cret');
    expect(fillText('${list} $${since} ${deep.at} ${call:key}', values)).toBe('[1,"b"] ${since} 2 k');
  });

  test('that is one placeholder keeps the type, and a member without its argument is left out', () => {
    expect(fillValue('${list}', values)).toEqual([1, 'b']);
    expect(fillMembers({ a: '${deep}', b: '${missing}', c: '${call:wait}' }, values)).toEqual({
      a: { at: 2 },
    });
    expect(() => fillValue({ const: '${missing}' }, values, 'refused')).toThrow('missing');
  });

  test.each([
    '${missing}',
    '${env:NOT_SET}',
    '${deep.constructor}',
    '${args.__proto__}',
    '${list.length}',
    '${call:wait}',
  ])('%s in a text is refused', (text) => {
    expect(() => fillText(`x${text}`, values)).toThrow(expect.objectContaining({ name: 'UnfilledError' }));
  });

  test('takes time that grows with its length alone', () => {
    expect(parseTemplate('${'.repeat(50_000))).toHaveLength(1);
  });
});
