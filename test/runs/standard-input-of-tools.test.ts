import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import { findSandbox } from '../../src/features/runs/runners/sandbox/sandbox.js';

const MB = 1024 * 1024;
const sandboxes = (await findSandbox(process.env, '/nowhere')) !== null;

const tool = (name: string, command: readonly string[], more: object = {}) => ({
  name,
  effects: 'none',
  run: { command, ...more },
});
/** Ends well where it is given just so much. */
const COUNT = ['sh', '-c', `test "$(wc -c)" -eq ${3 * MB}`];
const TOOLS = {
  tools: [
    tool('count', COUNT, { stdin: '${text}' }),
    tool('confined', COUNT, { stdin: '${text}', sandbox: 'read-only' }),
    tool('told', ['sh', '-c', `test "$(cat)" = '{"given":{"a":[1,"ü"]}}'`], { stdin: { given: '${args}' } }),
    tool('deaf', ['true'], { stdin: '${text}' }),
    tool('large', ['sh', '-c', `head -c ${3 * MB} /dev/zero | tr '\\0' x`], { max_output: 4 * MB }),
    tool('say', ['echo', '${text}']),
    tool('all', [
      'true',
      '${a}',
      '${b}',
      '${c}',
      '${d}',
      '${e}',
      '${f}',
      '${g}',
      '${h}',
      '${i}',
      '${j}',
      '${k}',
      '${l}',
    ]),
  ],
};

async function carriedOut(steps: readonly object[]) {
  const place = await newPlace({ schema_version: '1.0', title: 'Input', steps }, JSON.stringify(TOOLS));
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  if (approval !== null) await agree(place.workspace, approval.code);
  await carryOut(place.workspace, run);
  return { shown: await place.workspace.runs.show(run) };
}
const step = (name: string, args: object) => ({ id: name, tool: name, args });

describe('what a program reads on its standard input', () => {
  test.each([['count'], ...(sandboxes ? [['confined']] : [])])(
    '%s gets three megabytes whole',
    async (name) => {
      const { shown } = await carriedOut([step('large', {}), step(name, { text: '${large.text}' })]);
      expect(shown.steps[1]).toMatchObject({ state: 'succeeded' });
    },
  );

  test('is JSON where it is no text, and may be left unread', async () => {
    const { shown } = await carriedOut([
      step('told', { a: [1, 'ü'] }),
      step('large', {}),
      step('deaf', { text: '$steps.large.text' }),
    ]);
    expect(shown).toMatchObject({ status: 'succeeded' });
  });
});

describe('what no command line takes', () => {
  const prepared = async (steps: readonly object[]) => {
    const place = await newPlace({ schema_version: '1.0', title: 'Long', steps }, JSON.stringify(TOOLS));
    return place.workspace.prepare('plan.json', {}).then(
      () => 'prepared',
      (thrown: { readonly details: { readonly rule: string }; readonly hint: string }) =>
        `${thrown.details.rule} ${thrown.hint}`,
    );
  };

  test('is refused when it is prepared, where it stands in the plan', async () => {
    expect(await prepared([step('say', { text: 'x'.repeat(131_071) })])).toBe('prepared');
    expect(await prepared([step('say', { text: 'x'.repeat(131_072) })])).toMatch(
      /^ARGUMENT_TOO_LONG .*`stdin`/,
    );
    // Bytes count, not characters.
    expect(await prepared([step('say', { text: 'ü'.repeat(70_000) })])).toMatch(/^ARGUMENT_TOO_LONG/);
    const many = Object.fromEntries('abcdefghijkl'.split('').map((name) => [name, 'x'.repeat(130_000)]));
    expect(await prepared([step('all', many)])).toMatch(/^ARGUMENT_TOO_LONG/);
  });

  test('is refused before the call, where a reference brings it', async () => {
    const { shown } = await carriedOut([step('large', {}), step('say', { text: '${large.text}' })]);
    expect(shown.steps[1]).toMatchObject({ state: 'failed', error: { code: 'ARGUMENT_TOO_LONG' } });
    expect(shown.steps[1]?.error?.message).not.toContain('E2BIG');
  });

  test('is the most that a program can be started with', async () => {
    const { shown } = await carriedOut([step('say', { text: 'x'.repeat(131_071) })]);
    expect(shown).toMatchObject({ status: 'succeeded' });
  });
});
