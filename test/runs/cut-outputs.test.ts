import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readToolsFile } from '../../src/features/actions/tools/read-tools-file.js';
import { agree, carryOut, newPlace } from '../support/approving.js';
import { startServer } from '../support/http-server.js';

const MB = 1024 * 1024;
const HOSTILE = resolve(import.meta.dirname, '../support/mcp/hostile.mjs');

/** Prints that many bytes. */
const printing = (bytes: number, what = 'x') => `head -c ${bytes} /dev/zero | tr '\\0' '${what}'`;
const tool = (name: string, script: string, more: object = {}) => ({
  name,
  effects: 'none',
  run: { command: ['sh', '-c', script], ...more },
});
/** Keeps little, so that little needs to be printed. */
const LITTLE = { max_output: 1000 };
const TOOLS = {
  tools: [
    tool('default', printing(3 * MB)),
    tool('long', printing(3000), LITTLE),
    tool('short', 'printf short'),
    tool('either', `test "$0" = long && { ${printing(3000)}; } || printf short`, {
      command: ['sh', '-c', `test "$0" = long && { ${printing(3000)}; } || printf short`, '${which}'],
      ...LITTLE,
    }),
    tool('lines', printing(3000, '\\n'), { ...LITTLE, output: 'lines' }),
    tool('kept', printing(3 * MB), { max_output: 4 * MB }),
    tool('fails', 'exit 1'),
    { name: 'write', run: { file: 'write' } },
  ],
  checks: {
    holds: { tool: 'short', args: {}, expect: true },
    long: { tool: 'long', args: {}, expect: true },
  },
};

const step = (id: string, name: string, more: object = {}) => ({ id, tool: name, args: {}, ...more });
const writing = (text: string, more: object = {}) =>
  step('use', 'write', { args: { path: 'out.txt', text }, ...more });
const asks = (argument: string) => [{ type: 'holds', args: { text: argument } }];

async function carriedOut(steps: readonly object[], tools: object = TOOLS, more: object = {}) {
  const plan = { schema_version: '1.0', title: 'Cut', steps, ...more };
  const place = await newPlace(plan, JSON.stringify(tools));
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  if (approval !== null) await agree(place.workspace, approval.code);
  const report = await carryOut(place.workspace, run);
  const shown = await place.workspace.runs.show(run);
  const path = join(place.folder, 'out.txt');
  return {
    report,
    errorOf: (name: string) => shown.steps.find((one) => one.step === name)?.error ?? null,
    written: existsSync(path) ? statSync(path).size : null,
  };
}

describe('an output of which only the beginning was kept fails the step that refers to it', () => {
  const long = step('a', 'long');
  test.each<[string, readonly object[], string?]>([
    ['where nothing says how much is kept', [step('a', 'default'), writing('${a.text}')]],
    ['as an argument', [long, writing('${a.text}')]],
    ['within the text of an argument', [long, writing('It says: ${a.text}.')]],
    ['as a whole', [long, writing('${a}')]],
    ['by a name that captures it', [{ ...long, capture_as: 'said' }, writing('$vars.said.text')]],
    ['in a precondition', [long, writing('x', { preconditions: asks('${a.text}') })]],
    ['in a verification', [long, writing('x', { verifications: asks('${a.text}') })]],
    [
      'as the list of a foreach',
      [step('a', 'lines'), writing('${it}', { foreach: { from: '$steps.a.lines', item_name: 'it' } })],
    ],
    [
      'as the output of a nested plan',
      [step('n', 'plan', { plan: { steps: [long] } }), writing('${n.text}')],
    ],
    [
      'within a nested plan',
      [step('n', 'plan', { plan: { steps: [long, writing('${a.text}')] } })],
      'n/plan/use',
    ],
    [
      'as the output of a fallback',
      [step('f', 'fails', { on_error: { strategy: 'fallback', steps: [long] } }), writing('${f.text}')],
    ],
    [
      'in a fallback',
      [long, step('f', 'fails', { on_error: { strategy: 'fallback', steps: [writing('${a.text}')] } })],
      'f/fallback/use',
    ],
    [
      'as an item of what a foreach brought',
      [
        step('a', 'either', {
          args: { which: '${it}' },
          foreach: { from: '$vars.words', item_name: 'it' },
        }),
        writing('$steps.a'),
      ],
    ],
    [
      'as an item of a nested foreach',
      [
        step('n', 'plan', {
          plan: {
            steps: [
              step('a', 'either', {
                args: { which: '${it}' },
                foreach: { from: '$vars.words', item_name: 'it' },
              }),
            ],
          },
        }),
        writing('$steps.n.1.text'),
      ],
    ],
  ])('%s', async (_where, steps, failed = 'use') => {
    const { report, errorOf, written } = await carriedOut(steps, TOOLS, {
      context: { words: ['short', 'long'] },
    });
    expect(report).toMatchObject({ status: 'failed' });
    expect(errorOf(failed)).toMatchObject({
      code: 'OUTPUT_CUT',
      message: expect.stringMatching(/was cut: its first 1,(?:000|048,576) bytes are kept; `max_output`/),
    });
    // A verification is looked at when the step is done.
    expect(written === null || JSON.stringify(steps).includes('verifications')).toBe(true);
  });

  test('and no other: an item of a foreach that is whole can be used, and nobody need use what was cut', async () => {
    const foreach = { from: '$vars.words', item_name: 'it' };
    const { report, written } = await carriedOut(
      [step('a', 'either', { args: { which: '${it}' }, foreach }), writing('$steps.a.0.text')],
      TOOLS,
      { context: { words: ['short', 'long'] } },
    );
    expect(report).toMatchObject({ status: 'succeeded' });
    expect(written).toBe('short'.length);
  });

  test('unless its binding keeps more: then all of it arrives', async () => {
    const { report, written } = await carriedOut([step('a', 'kept'), writing('${a.text}')]);
    expect(report).toMatchObject({ status: 'succeeded' });
    expect(written).toBe(3 * MB);
  });

  test('of an HTTP answer too, whose binding keeps as much as it says', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify('y'.repeat(2 * MB)));
    });
    const get = (name: string, max_output: number) => ({
      name,
      effects: 'none',
      run: { http: { method: 'GET', url: `${server.origin}/`, max_output } },
    });
    const tools = { tools: [...TOOLS.tools, get('little', MB), get('enough', 3 * MB)] };
    const cut = await carriedOut([step('a', 'little'), writing('${a.json}')], tools);
    expect(cut.errorOf('use')).toMatchObject({ code: 'OUTPUT_CUT' });
    const whole = await carriedOut([step('a', 'enough'), writing('${a.json}')], tools);
    expect(whole.written).toBe(2 * MB);
  });

  test('but what a server itself calls truncated is its own', async () => {
    const servers = {
      s: {
        command: [process.execPath, HOSTILE, 'part of a list'],
        tools: [{ name: 'say', effects: 'none' }],
      },
    };
    const { report, written } = await carriedOut([step('a', 'say'), writing('${a.items.0}')], {
      ...TOOLS,
      servers,
    });
    expect(report).toMatchObject({ status: 'succeeded' });
    expect(written).toBe('one'.length);
  });
});

describe('what was cut is passed on in no other way', () => {
  test('a condition that looks at it does not hold, for what must not be there may stand behind', async () => {
    const { errorOf } = await carriedOut([writing('x', { preconditions: [{ type: 'long', args: {} }] })]);
    expect(errorOf('use')).toMatchObject({
      code: 'PRECONDITION_FAILED',
      message: expect.stringContaining('was cut: its first 1,000 bytes are kept'),
    });
  });

  test.each<[string, { isNone?: boolean; output: string; max_output?: number }, RegExp]>([
    [
      'json',
      { output: 'json' },
      /printed 3,145,730 bytes, of which the first 1,048,576 are kept; `max_output` of its binding keeps more, 67,108,864 at most, so its JSON cannot be read/,
    ],
    [
      'more JSON than its binding keeps',
      { output: 'json', max_output: 2 * MB },
      /printed 3,145,730 bytes, of which the first 2,097,152 are kept/,
    ],
    ['no JSON', { output: 'json', max_output: 4 * MB, isNone: true }, /printed no JSON/],
  ])('%s says what is wrong with it, and how large it is', async (_what, { isNone, ...more }, message) => {
    const quote = isNone === true ? '' : '"';
    const tools = { tools: [tool('j', `printf '${quote}'; ${printing(3 * MB)}; printf '${quote}'`, more)] };
    const { errorOf } = await carriedOut([step('a', 'j')], tools);
    expect(errorOf('a')).toMatchObject({ code: 'OUTPUT_INVALID', message: expect.stringMatching(message) });
  });

  test('JSON of eight megabytes is read, kept, and read again, where its binding keeps that much', async () => {
    const tools = {
      tools: [
        tool('j', `printf '["'; ${printing(8 * MB)}; printf '","end"]'`, {
          output: 'json',
          max_output: 16 * MB,
        }),
        { name: 'write', run: { file: 'write' } },
      ],
    };
    const { report, written } = await carriedOut([step('a', 'j'), writing('${a.json.1}')], tools);
    expect(report).toMatchObject({ status: 'succeeded' });
    expect(written).toBe('end'.length);
  });

  test('what is too much to be kept and read again fails the step, and the run has an end', async () => {
    const tools = {
      tools: [tool('j', printing(34 * MB, '\\1'), { max_output: 64 * MB })],
    };
    const { report, errorOf } = await carriedOut([step('a', 'j')], tools);
    expect(report).toMatchObject({ status: 'failed' });
    expect(errorOf('a')).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('cannot be kept'),
    });
  });

  test.each([0, 64 * MB + 1, 1.5])('a tools file that asks for %s bytes is refused', (max_output) => {
    const text = JSON.stringify({ tools: [tool('a', 'true', { max_output })] });
    expect(() => readToolsFile(text, 'tools.yaml')).toThrow(/max_output/);
  });
});

test('64 MB can be asked for', () => {
  const text = JSON.stringify({ tools: [tool('a', 'true', { max_output: 64 * MB })] });
  expect(readToolsFile(text, 'tools.yaml').tools).toHaveLength(1);
});

test('what a kit keeps only the beginning of is passed on by no step either', async () => {
  const tools = { ...TOOLS, kits: { shell: { allow: ['head'] } } };
  const args = { command: ['head', '-c', `${3 * MB}`, '/dev/zero'] };
  const { report, errorOf, written } = await carriedOut(
    [step('brings', 'shell.run', { args }), writing('$steps.brings.text')],
    tools,
  );
  expect(report.status).toBe('failed');
  expect(errorOf('use')).toMatchObject({
    code: 'OUTPUT_CUT',
    message: expect.stringContaining('1,048,576 bytes are kept') as string,
  });
  expect(written).toBeNull();
});
