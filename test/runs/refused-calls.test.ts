import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { carryOut, newPlace } from '../support/approving.js';

const SERVER = resolve(import.meta.dirname, '../support/mcp/server.mjs');

const TOOLS = JSON.stringify({
  servers: { s: { command: [process.execPath, SERVER, 'good'], tools: ['echo'] } },
  tools: [
    { name: 'first', effects: 'none', run: { command: ['touch', 'begun'] } },
    { name: 'look', effects: 'none', run: { command: ['cat', '${file}'] } },
    { name: 'safe', effects: 'none', run: { command: ['echo', '--', '${file}'] } },
    { name: 'script', effects: 'none', run: { command: ['echo "$1"', 'a ${file}'], shell: true } },
    { name: 'all', effects: 'none', run: { command: ['echo', '${args}', '${x}'] } },
    { name: 'secret', effects: 'none', run: { command: ['echo', '${env:NOBODY_SET_THIS}', '${x}'] } },
    {
      name: 'get',
      effects: 'none',
      run: {
        http: {
          method: 'GET',
          url: 'http://127.0.0.1:9/items/${id}',
          headers: { 'x-of': '${of}' },
          body: { kept: 'for ${who}', left: '${out}' },
        },
      },
    },
    {
      name: 'open',
      effects: 'none',
      run: { http: { method: 'GET', url: '${url}', origins: ['http://127.0.0.1:9'] } },
    },
    { name: 'say', effects: 'none', run: { mcp: 's/echo', args: { text: 'to ${who}', left: '${out}' } } },
    { name: 'read', run: { file: 'read', root: 'notes' } },
    { name: 'write', run: { file: 'write' } },
    { name: 'move', run: { file: 'move' } },
    { name: 'any', input_schema: { type: 'object' }, run: { file: 'write' } },
    { name: 'wa:send_text', effects: 'none', ready: 'quiet', run: { command: ['echo', '${text}'] } },
    { name: 'soul:Navigate', effects: 'none', run: { command: ['echo', '${url}', '${call:wait}'] } },
  ],
  checks: {
    is: { tool: 'look', args: { file: '${name}' }, expect: true },
    seen: { tool: 'look', expect: true },
    waits: { tool: 'soul:Navigate', args: { url: 'x' }, expect: true },
    quiet: { tool: 'look', args: { file: '${quiet}' }, expect: true },
  },
});

type Step = Readonly<Record<string, unknown>>;
const first = { id: 'a', tool: 'first', args: {} };
const step = (tool: string, args: object, more: Step = {}) => ({ id: 'b', tool, args, ...more });
const plan = (...steps: readonly Step[]) => ({
  schema_version: '1.0',
  goal: 'g',
  context: { known: 'a.txt' },
  steps,
});

interface Problem {
  readonly rule: string;
  readonly message: string;
  readonly step: string | null;
}

/** What is wrong with a plan when it is prepared; null when nothing is. Nothing is stored or done then. */
async function problemsOf(document: object): Promise<readonly Problem[] | null> {
  const place = await newPlace(document, TOOLS);
  const refused = await place.workspace.prepare('plan.json', {}).then(
    () => null,
    (error: { code: string; hint: string; details: { problems: readonly Problem[] } }) => error,
  );
  const isStored = existsSync(join(place.folder, '.plans/runs'));
  const isBegun = existsSync(join(place.folder, 'begun'));
  expect({ isStored, isBegun }).toEqual({ isStored: refused === null, isBegun: false });
  expect(refused?.code ?? 'INVALID_INPUT').toBe('INVALID_INPUT');
  expect(refused?.hint ?? 'Nothing was prepared.').toContain('Nothing was prepared.');
  return refused?.details.problems ?? null;
}

describe('a plan whose call would be refused whenever it is made is not prepared', () => {
  test.each<readonly [string, object, string]>([
    ['look', {}, 'there is no argument file'],
    ['look', { file: '-n' }, '"${file}" would become the option "-n"'],
    ['look', { file: 'a\0b' }, '"${file}" would hold a NUL'],
    ['safe', { file: 'a\0b' }, '"${file}" would hold a NUL'],
    ['script', {}, 'there is no argument file'],
    ['script', { file: '\0' }, '"a ${file}" would hold a NUL'],
    ['all', { y: 1 }, 'there is no argument x'],
    ['secret', {}, 'there is no argument x'],
    ['get', { of: 'o', who: 'w' }, 'there is no argument id'],
    ['get', { id: '..', of: 'o', who: 'w' }, 'another place of the server'],
    ['get', { id: '1', who: 'w' }, 'there is no argument of'],
    ['get', { id: '1', of: 'a\nb', who: 'w' }, 'the header x-of'],
    ['get', { id: '1', of: 'o' }, 'there is no argument who'],
    ['open', { url: 'http://127.0.0.2:9/' }, 'none of the origins'],
    ['open', { url: 'nowhere' }, 'is not a URL'],
    ['say', { text: 'x' }, 'there is no argument who'],
    ['read', { path: '../a' }, 'leads out of'],
    ['read', { path: '/etc/passwd' }, 'leads out of'],
    ['write', { path: '.plans/tools.yaml', text: 'x' }, 'is not for tools'],
    ['write', { path: 'a/.git/hooks/x', text: 'x' }, 'is not for tools'],
    ['write', { path: '', text: 'x' }, 'not the name of a file'],
    ['any', { path: 7, text: 'x' }, 'so: path must be a text, not 7'],
    ['any', { path: 'a' }, 'so: text is missing'],
  ])('%s %j', async (tool, args, said) => {
    expect(await problemsOf(plan(first, step(tool, args)))).toEqual([
      { rule: 'REFUSED_CALL', step: 'b', message: expect.stringContaining(said) },
    ]);
  });

  test('also where the step is within another, and where other arguments are references', async () => {
    const bad = step('look', { other: '${a.text}' });
    for (const within of [
      step('first', {}, { id: 'c', on_error: { strategy: 'fallback', steps: [bad] } }),
      { id: 'c', tool: 'nested', args: {}, plan: { steps: [{ ...bad, args: { other: 1 } }] } },
      { ...bad, args: { other: '${x}' }, foreach: { from: '$vars.known', item_name: 'x' } },
      bad,
    ])
      expect(await problemsOf(plan(first, within))).toEqual([
        { rule: 'REFUSED_CALL', step: 'b', message: expect.stringContaining('there is no argument file') },
      ]);
  });

  test('each of them is named', async () => {
    const problems = await problemsOf(
      plan(first, step('look', {}), { ...step('look', { file: '-x' }), id: 'c' }),
    );
    expect(problems?.map((one) => one.step)).toEqual(['b', 'c']);
  });

  test('also one of a check, or of what a tool waits for', async () => {
    const checked = (type: string, args: object) =>
      plan(first, step('first', {}, { verifications: [{ type, args }] }));
    expect((await problemsOf(checked('is', {})))?.[0]?.message).toContain(
      'is can never hold: there is no argument',
    );
    expect((await problemsOf(checked('seen', { file: '-x' })))?.[0]?.message).toContain('the option "-x"');
    expect((await problemsOf(checked('waits', {})))?.[0]?.message).toContain('the step gives no wait');
    expect(await problemsOf(checked('seen', { file: 'a' }))).toBeNull();
    const wa = plan(first, step('wa:send_text', { text: 'x' }));
    expect((await problemsOf(wa))?.[0]?.message).toContain('there is no argument file');
  });

  test('what the step waits for afterwards is known', async () => {
    const soul = (wait: string) => ({
      task_id: 'task',
      title: 'a plan',
      description: '',
      created_at: '2026-01-01T00:00:00Z',
      meta: { rationale: [], risk_assessment: [], vendor_context: {} },
      steps: [
        {
          id: 'b',
          title: 'Open',
          detail: '',
          tool: { kind: { Navigate: { url: 'https://example.com' } }, wait, timeout_ms: null },
          validations: [],
          requires_approval: false,
          metadata: {},
        },
      ],
    });
    expect(await problemsOf(soul('None'))).toEqual([
      { rule: 'REFUSED_CALL', step: 'b', message: expect.stringContaining('the step gives no wait') },
    ]);
    expect(await problemsOf(soul('Idle'))).toBeNull();
  });
});

describe('a plan is prepared', () => {
  test.each<readonly [string, object]>([
    ['look', { file: '$vars.known' }],
    ['look', { file: 'notes that are not there yet' }],
    ['safe', { file: '-n' }],
    ['all', { x: 1 }],
    ['all', { x: 1, other: '${a.text}' }],
    ['secret', { x: 1 }],
    ['get', { id: '1', of: 'o', who: '${a.text}' }],
    ['get', { id: '${a.text}', of: 'o', who: 'w' }],
    ['say', { who: 'w' }],
    ['read', { path: 'nothing/there/yet.md' }],
    ['write', { path: '${a.text}', text: 'x' }],
    ['move', { from: 'a', to: 'b' }],
    ['wa:send_text', { text: '${a.text}' }],
  ])('whose call may be made: %s %j', async (tool, args) => {
    expect(await problemsOf(plan(first, step(tool, args)))).toBeNull();
  });

  test('whose reference brings at last what is refused; the step fails then', async () => {
    const late = { ...plan(first, step('look', { file: '$vars.n' })), context: { n: '-n' } };
    const { workspace } = await newPlace(late, TOOLS);
    const { run } = await workspace.prepare('plan.json', {});
    expect(await carryOut(workspace, run)).toMatchObject({ status: 'failed', failed: 'b' });
  });
});
