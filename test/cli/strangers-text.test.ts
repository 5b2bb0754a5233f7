import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { fileFormatNames } from '../../src/exports/registry.js';
import { allFormats, FEATURES } from '../../src/features.js';
import { OPERATIONS } from '../../src/operations/registry.js';
import type { OperationTable } from '../../src/operations/registered-operation.js';
import { newUser } from '../support/command.js';
import { expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';

/** What a terminal obeys or a reader's eye is misled by: a control sequence of one character, and an override. */
const EVIL = 'x\u009B31m\u202Eevil\u0085\u001B[2J\u2066';
const RAW = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

const ACTION_PLAN = {
  schema_version: '1.0',
  title: EVIL,
  steps: [{ id: 's1', title: EVIL, tool: 'browser.click', args: { text: EVIL, [EVIL]: EVIL } }],
};

describe('text of strangers never reaches the terminal as it is', () => {
  test.each([
    ['convert', ['convert', 'plan.json']],
    ['convert to another form', ['convert', 'plan.json', '--to', 'plan-lint', '--lossy']],
    ['convert as a document', ['convert', 'plan.json', '--json']],
    ['hash', ['hash', 'plan.json']],
    ['lint', ['lint', 'plan.json']],
    ['lint for a program', ['lint', 'plan.json', '--format', 'json']],
    ['lint as SARIF', ['lint', 'plan.json', '--format', 'sarif']],
    ['lint as annotations', ['lint', 'plan.json', '--format', 'github']],
    ['preview', ['preview', 'plan.json']],
  ])('of an action plan: %s', async (_what, args) => {
    const user = newUser();
    writeFileSync(join(user.folder, 'plan.json'), JSON.stringify(ACTION_PLAN, null, 2));
    const { out, error } = await user.run(args);
    expect([RAW.test(out + error), out + error]).toEqual([false, out + error]);
  });

  // Windows takes no such names.
  test.skipIf(process.platform === 'win32')('of the name of a file', async () => {
    const name = 'a\u001B[31m\u0007\u202Eb\u2028c\u009Bd';
    const files = { plan: `${name}.json`, broken: `${name}-broken.json`, list: `${name}.md` };
    const user = newUser();
    writeFileSync(join(user.folder, files.plan), JSON.stringify(ACTION_PLAN, null, 2));
    writeFileSync(join(user.folder, files.broken), '{');
    writeFileSync(join(user.folder, files.list), '# Goal\n\n- [ ] One\n- [ ] Two\n');
    const formats = ['text', 'json', 'sarif', 'github'];
    const commands: readonly (readonly string[])[] = [
      ...formats.map((format) => ['lint', files.plan, files.broken, '--format', format]),
      ['lint', files.plan, '--policy', files.broken],
      ['lint', files.plan, '--baseline', files.broken],
      ...[files.plan, files.broken].flatMap((file) => [
        ['convert', file],
        ['convert', file, '-o', `${name}-out.json`],
        ['hash', file],
        ['preview', file],
        ['prepare', file],
        ['import', file],
        ['draft', 'Copy a file', '--tools', file],
      ]),
      ['init', '--from', files.list],
      ['init', 'Build it', '--context', files.list],
      ['coverage', files.list],
      ['sync', files.list],
      ['export', '-o', `${name}-plan.md`],
      ['export', '--format', 'svg', '-o', `${name}.svg`],
      ['status'],
      ['list'],
    ];
    for (const args of [...commands, ...commands.map((command) => [...command, '--json'])]) {
      const { out, error } = await user.run(args);
      expect([args, RAW.test(out + error), out + error]).toEqual([args, false, out + error]);
    }
  });

  test('what is printed of a conversion is the same JSON, and a file is byte for byte', async () => {
    const user = newUser();
    const text = JSON.stringify(ACTION_PLAN, null, 2);
    writeFileSync(join(user.folder, 'plan.json'), text);
    const { out } = await user.run(['convert', 'plan.json', '--to', 'frctl']);
    expect(JSON.parse(out)).toEqual(ACTION_PLAN);
    await user.run(['convert', 'plan.json', '--to', 'frctl', '-o', 'same.json']);
    expect(readFileSync(join(user.folder, 'same.json'), 'utf8')).toBe(text);
  });

  test('of a plan: every command that shows it', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), {
      type: 'goal_edited',
      goal: id('a'),
      fields: { description: EVIL, reasoning: EVIL, detail: EVIL, acceptance: [EVIL], tags: [EVIL] },
      because: EVIL,
    });
    await place.change({ type: 'goal_failed', goal: id('b'), phase: 'work', reason: EVIL });
    await place.run(['claim', id('a'), '--by', EVIL]);
    const formats = fileFormatNames(await allFormats());
    const tables: readonly OperationTable[] = [
      OPERATIONS,
      ...FEATURES.map(({ operations }) => operations ?? {}),
    ];
    const loaded = await Promise.all(
      tables.flatMap((table) =>
        Object.entries(table).map(async ([name, { load }]) => ({
          words: name.split(' '),
          ...(await load()),
        })),
      ),
    );
    const reading = loaded.flatMap(({ words, mutates }) => (mutates ? [] : [words]));
    expect(reading.length).toBeGreaterThan(20);
    const commands: readonly (readonly string[])[] = [
      ...reading.flatMap((words) => [words, [...words, id('a')]]),
      ['status', '--verbose'],
      ['next'],
      ['diff', PLAN],
      ['show', EVIL],
      ...formats.map((format) => ['export', '--format', format]),
    ];
    for (const args of [...commands, ...commands.map((command) => [...command, '--json'])]) {
      const { out, error } = await place.run(args);
      expect([args, RAW.test(out + error)]).toEqual([args, false]);
    }
  });
});
