import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { openWorkspace } from '../../src/workspace.js';
import { errorOf } from '../support/command.js';
import type { Json } from '../support/command.js';
import { allAttacks } from '../support/hostile-text.js';
import { claim, complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const goalSchema = z.looseObject({
  id: z.string(),
  number: z.string(),
  description: z.string(),
  status: z.string(),
  dependencies: z.array(z.string()),
});
const reportSchema = z.object({
  plan: z.looseObject({ id: z.string(), total_goals: z.number() }),
  changes: z.array(
    z.object({
      goal: z.string(),
      number: z.string(),
      before: z.looseObject({ status: z.string() }).nullable(),
      after: z.looseObject({ status: z.string(), description: z.string() }).nullable(),
    }),
  ),
});

/** Every goal of the plan, depth-first. */
async function goalsOf(place: Workplace) {
  const { goals } = (await place.run(['status', '--verbose', '--json'])).json();
  return z.array(goalSchema).parse(goals);
}

/** Numbers and descriptions. */
async function outline(place: Workplace): Promise<readonly string[]> {
  return (await goalsOf(place)).map(({ number, description }) => `${number} ${description}`.trim());
}

async function edit(place: Workplace, ...args: readonly string[]) {
  const ended = await place.run([...args, '--json']);
  expect([ended.status, ended.status === 0 ? '' : ended.out]).toEqual([0, '']);
  return reportSchema.parse(ended.json());
}

async function refused(place: Workplace, ...args: readonly string[]) {
  const log = readFileSync(place.eventLog, 'utf8');
  const ended = await place.run([...args, '--json']);
  expect(readFileSync(place.eventLog, 'utf8')).toBe(log);
  const document = ended.json();
  const { code, message } = errorOf(document);
  return { status: ended.status, code, message, details: detailsOf(document) };
}

function detailsOf(document: Json): Json {
  return z.object({ error: z.object({ details: z.record(z.string(), z.unknown()) }) }).parse(document).error
    .details;
}

/** Two goals, the second divided into two, and one more that waits to be planned. */
async function newTree(): Promise<Workplace> {
  const place = await newWorkplace();
  await place.change(expand('root', ['a'], ['b', 'c']), expand('b', ['d', 'e']));
  return place;
}

const EDITS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['add', ['add', 'New', '--under', 'b', '--before', 'e'], ['2.2 New', '2.3 Goal e']],
  ['edit', ['edit', 'a', '--description', 'Other', '--detail', 'More', '--tag', 'x', 'y'], ['1 Other']],
  ['move', ['move', 'd', '--under', 'root', '--at', '1'], ['1 Goal d', '3.1 Goal e']],
  ['remove', ['remove', 'b'], ['2 Goal c']],
  ['split', ['split', 'a', '--into', 'One', 'Two'], ['1.1 One', '1.2 Two']],
  ['merge', ['merge', 'd', 'e', '--description', 'Both'], ['2.1 Both']],
  ['depend', ['depend', 'd', '--on', 'a', '--reason', 'It reads it'], []],
  ['rollback', ['rollback', 'b'], ['2 Goal b']],
];

test('a reason is taken by its former option too, which no help shows', async () => {
  const place = await newTree();
  await edit(place, 'edit', 'a', '--detail', 'More', '--because', 'It was asked');
  expect((await place.run(['log', '--json'])).out).toContain('It was asked');
  const help = (await place.run(['edit', '--help'])).out;
  expect(help).toContain('--reason');
  expect(help).not.toContain('--because');
});

describe('every edit', () => {
  test.each(EDITS)(
    'plan %s says what it changed, is in the log, and can be undone',
    async (_name, args, lines) => {
      const place = await newTree();
      const before = await goalsOf(place);
      const { plan, changes } = await edit(place, ...args, '--reason', 'Better so', '--by', 'ana');
      expect(plan.id).toBe(PLAN);
      expect(changes).not.toEqual([]);
      const after = await goalsOf(place);
      for (const { goal, number, after: is, before: was } of changes) {
        const { state: _state, ...shown } = after.find((one) => one.id === goal) ?? { state: null };
        expect(shown).toEqual(is === null ? {} : { ...is, number });
        expect(before.find((one) => one.id === goal)?.status).toBe(was?.status);
      }
      expect(await outline(place)).toEqual(expect.arrayContaining([...lines]));
      expect((await place.run(['log'])).out).toMatch(/ana .*Better so/);
      expect((await place.run(['undo', '--by', 'ana', '--yes'])).status).toBe(0);
      expect(await goalsOf(place)).toEqual(before);
      expect((await place.run(['validate'])).status).toBe(0);
    },
  );

  test.each(EDITS)('plan %s prints something for people', async (_name, args) => {
    const place = await newTree();
    expect((await place.run(args)).out).toMatch(/^[-+~] /m);
  });

  test('of an archived plan is refused', async () => {
    const place = await newTree();
    await place.run(['archive', PLAN]);
    for (const [, args] of EDITS) {
      const ended = await place.run([...args, '--plan', PLAN, '--json']);
      expect([ended.status, errorOf(ended.json()).code]).toEqual([4, 'WRONG_STATE']);
    }
  });
});

describe('plan add', () => {
  test('makes an atomic goal last below the root, or one that waits to be planned', async () => {
    const place = await newTree();
    await edit(
      place,
      'add',
      ' New ',
      '--acceptance',
      'One',
      'Two',
      '--depends-on',
      '1',
      '2.1',
      '--detail',
      'More',
      '--tag',
      'x',
      'y',
    );
    await edit(place, 'add', 'Open', '--composite', '--after', '1');
    const goals = await goalsOf(place);
    expect(goals.find(({ description }) => description === 'New')).toMatchObject({
      number: '5',
      status: 'atomic',
      acceptance: ['One', 'Two'],
      dependencies: [id('a'), id('d')],
      detail: 'More',
      tags: ['x', 'y'],
    });
    expect(goals.find(({ description }) => description === 'Open')).toMatchObject({
      number: '2',
      status: 'pending',
    });
  });

  test('takes its words with or without quotes', async () => {
    const place = await newWorkplace();
    expect((await place.run(['add', 'Write', 'the notes', '--under', 'root'])).status).toBe(0);
    expect(await outline(place)).toContainEqual(expect.stringMatching(/^\d+ Write the notes$/));
  });

  test('takes one place only, and one that there can be', async () => {
    const place = await newTree();
    const add = ['add', 'New'] as const;
    expect(await refused(place, ...add, '--before', '1', '--at', '1')).toMatchObject({
      status: 2,
      code: 'USAGE',
    });
    expect(await refused(place, ...add, '--before', 'root')).toMatchObject({ status: 2 });
    expect(await refused(place, ...add, '--under', 'a', '--before', 'd')).toMatchObject({
      status: 2,
      message: '2.1 “Goal d” is not a sub-goal of 1 “Goal a”',
    });
    expect(await refused(place, ...add, '--at', '0')).toMatchObject({
      status: 2,
      message: '--at must be at least 1, not 0',
    });
    expect(await refused(place, ...add, '--at', '1.5')).toMatchObject({
      status: 2,
      message: '--at must be a whole number, not 1.5',
    });
    expect(await refused(place, ...add, '--under', 'zz')).toMatchObject({
      status: 3,
      code: 'GOAL_NOT_FOUND',
    });
    expect(await refused(place, ...add, '--depends-on', 'zz')).toMatchObject({ status: 3 });
  });

  test('below finished work is refused', async () => {
    const place = await newTree();
    await place.change(complete('a'));
    expect(await refused(place, 'add', 'New', '--under', 'a')).toMatchObject({
      status: 4,
      code: 'REFUSED',
      message: 'goal 1 “Goal a” is done; reopen it first',
      details: { goals: [id('a')] },
    });
  });
});

describe('plan edit', () => {
  test('changes what is given, clears what is named, and the root’s words are the plan’s', async () => {
    const place = await newTree();
    await edit(place, 'edit', 'a', '--detail', 'More', '--acceptance', 'One', '--tag', 'x');
    await edit(place, 'edit', 'a', '--clear', 'detail', 'tags', '--acceptance', 'Two');
    const [, a] = await goalsOf(place);
    expect(a).toMatchObject({ acceptance: ['Two'] });
    expect(Object.keys(a ?? {})).not.toEqual(expect.arrayContaining(['detail']));
    await edit(place, 'edit', 'root', '--description', 'Ship it twice');
    expect((await place.run(['list'])).out).toContain('Ship it twice');
    await place.run(['undo', '--yes']);
    expect((await place.run(['list'])).out).toContain('Ship the product');
  });

  test('is refused when nothing is to change, or a field is given and cleared', async () => {
    const place = await newTree();
    expect(await refused(place, 'edit', 'a')).toMatchObject({ status: 2, code: 'USAGE' });
    expect(await refused(place, 'edit', 'a', '--detail', 'x', '--clear', 'detail')).toMatchObject({
      status: 2,
    });
    expect(await refused(place, 'edit', 'a', '--clear', 'status')).toMatchObject({ status: 2 });
  });

  test('of what somebody holds is the holder’s', async () => {
    const place = await newTree();
    await place.change(claim('a', 't1'));
    const change = ['edit', 'a', '--detail', 'x'] as const;
    expect(await refused(place, ...change, '--by', 'ben')).toMatchObject({ status: 4, code: 'REFUSED' });
    await edit(place, ...change, '--by', 'test');
  });
});

describe('a dependency', () => {
  test('that would close a circle is refused with the whole way in numbers and words', async () => {
    const place = await newTree();
    await edit(place, 'depend', 'c', '--on', 'b');
    await edit(place, 'depend', 'a', '--on', 'c');
    const refusal = await refused(place, 'depend', 'e', '--on', 'a');
    expect(refusal).toMatchObject({ status: 4, code: 'REFUSED' });
    const cycle = z.array(z.string()).parse(refusal.details.cycle);
    expect(new Set(cycle)).toEqual(new Set([id('e'), id('a'), id('c'), id('b')]));
    expect(cycle.at(0)).toBe(cycle.at(-1));
    for (const named of ['1 “Goal a”', '2 “Goal b”', '2.2 “Goal e”', '3 “Goal c”'])
      expect(refusal.message).toContain(named);
  });

  test('is taken away by --not-on, and must have been there', async () => {
    const place = await newTree();
    await edit(place, 'depend', 'c', '--on', 'a', 'b');
    await edit(place, 'depend', 'c', '--not-on', 'a');
    expect((await goalsOf(place)).find(({ id: one }) => one === id('c'))?.dependencies).toEqual([id('b')]);
    expect(await refused(place, 'depend', 'c', '--not-on', 'a')).toMatchObject({
      status: 4,
      message: 'goal 3 “Goal c” does not depend on 1 “Goal a”',
    });
    expect(await refused(place, 'depend', 'c')).toMatchObject({ status: 2, code: 'USAGE' });
  });
});

describe('what would lose work', () => {
  test('is refused, and says which goal is in the way', async () => {
    const place = await newTree();
    await place.change(complete('d'));
    for (const args of [
      ['rollback', 'b'],
      ['remove', 'b'],
      ['merge', 'd', 'e'],
      ['rollback', 'root'],
    ]) {
      const refusal = await refused(place, ...args);
      expect(refusal).toMatchObject({ status: 4, message: 'goal 2.1 “Goal d” is done; reopen it first' });
    }
    await edit(place, 'remove', 'b', '--force');
    expect(await outline(place)).toEqual(['Ship the product', '1 Goal a', '2 Goal c']);
  });

  test('also when somebody is at work on it, whatever the force', async () => {
    const place = await newTree();
    await place.change(claim('e', 't1'));
    expect(await refused(place, 'remove', 'b', '--force')).toMatchObject({ status: 4 });
    expect((await refused(place, 'rollback', 'b')).message).toContain(
      '2.2 “Goal e” is claimed; test holds it',
    );
  });

  test('a plan of one goal cannot lose or merge it', async () => {
    const place = await newWorkplace();
    expect(await refused(place, 'remove', 'root')).toMatchObject({ status: 4 });
    expect(await refused(place, 'rollback', 'root')).toMatchObject({ status: 4 });
    expect(await refused(place, 'merge', 'root')).toMatchObject({
      status: 2,
      message: 'goals must have at least 2 entries, not 1',
    });
  });
});

describe('the library', () => {
  test('merges goals given in order or by name, and refuses fewer than two', async () => {
    const place = await newTree();
    const workspace = openWorkspace({ dir: place.store });
    const { changes } = await workspace.merge(['d', 'e'], { because: 'One thing' });
    expect(changes.find(({ goal }) => goal === id('d'))?.after?.description).toBe('Goal d; Goal e');
    await workspace.merge({ goals: ['a', 'c'], description: 'Both' });
    expect(await outline(place)).toContain('1 Both');
    await expect(workspace.merge(['a'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(workspace.merge([])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('checks dependencies, each operation with its own options only', async () => {
    const place = await newTree();
    // Whoever runs this may have a key.
    const variables = { XDG_CONFIG_HOME: place.home };
    const workspace = openWorkspace({ dir: place.store, environment: { variables } });
    expect((await workspace.dependencies.check()).findings).toEqual([]);
    await expect(workspace.dependencies.infer()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    expect(await refused(place, 'dependencies', 'check', '--max-tokens', '5')).toMatchObject({
      status: 2,
      message: 'plan dependencies check takes no --max-tokens',
    });
    expect(await refused(place, 'dependencies')).toMatchObject({ status: 2, code: 'USAGE' });
  });

  test('refuses what an edit does not take, and what is no text', async () => {
    const place = await newTree();
    const workspace = openWorkspace({ dir: place.store });
    const unknown = { goal: 'a', detial: 'More' };
    await expect(workspace.edit(unknown)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'there is no "detial"',
    });
    const wrong = { goal: 'a', tags: 'x' as unknown as string[] };
    await expect(workspace.edit(wrong)).rejects.toMatchObject({ message: 'tags must be a list, not "x"' });
  });
});

describe('two editors at once', () => {
  test('lose nothing that was accepted, and each learns what became of its own', async () => {
    const place = await newTree();
    const editor = async (name: string) => {
      const ended = [];
      for (let turn = 0; turn < 4; turn += 1) {
        ended.push(await place.run(['add', `${name} ${turn}`, '--under', 'a', '--json', '--by', name]));
        ended.push(await place.run(['remove', turn === 0 ? 'd' : 'e', '--json', '--by', name]));
      }
      return ended;
    };
    const ended = (await Promise.all([editor('ana'), editor('ben')])).flat();
    const accepted = ended.filter(({ status }) => status === 0);
    // Eight goals were added, and each of the two was removed by one of the editors only.
    expect(accepted).toHaveLength(10);
    for (const { status } of ended.filter((one) => !accepted.includes(one))) expect([3, 4]).toContain(status);
    const names = (await outline(place)).filter((line) => /ana|ben/.test(line)).map((line) => line.slice(4));
    expect(names.toSorted()).toEqual(
      ['ana', 'ben'].flatMap((name) => [0, 1, 2, 3].map((turn) => `${name} ${turn}`)),
    );
    expect(await outline(place)).not.toContain('2.1 Goal d');
    expect((await place.run(['validate'])).status).toBe(0);
  });
});

describe('hostile input', () => {
  test('that is empty or endless is refused with its name', async () => {
    const place = await newTree();
    for (const empty of ['', '   ']) {
      expect(await refused(place, 'add', empty)).toMatchObject({
        status: 2,
        message: 'the description is empty',
      });
      expect(await refused(place, 'edit', 'a', '--acceptance', 'x', empty)).toMatchObject({ status: 2 });
      expect(await refused(place, 'split', 'a', '--into', empty)).toMatchObject({ status: 2 });
      expect(await refused(place, 'remove', 'a', '--reason', empty)).toMatchObject({ status: 2 });
    }
    const workspace = openWorkspace({ dir: place.store });
    const long = 'x'.repeat(1_000_000);
    await expect(workspace.add({ description: long })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(workspace.edit('a', { detail: long })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(workspace.edit('a', { tags: Array.from({ length: 200 }, String) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(workspace.split('a', { into: [long] }).result).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  test('as names of goals finds none', async () => {
    const place = await newTree();
    const edits = [
      ['edit', '__proto__', '--detail', 'x'],
      ['move', 'a', '--under', 'constructor'],
      ['remove', `${PLAN}-__proto__`],
      ['depend', 'a', '--on', '../x'],
      ['rollback', '1.-1'],
      ['split', '\u001B[2J', '--into', 'x'],
      ['replan', ''],
    ];
    for (const args of edits)
      expect(await refused(place, ...args)).toMatchObject({ status: 3, code: 'GOAL_NOT_FOUND' });
  });

  test('in every text is kept as it is, and reaches no terminal', async () => {
    const place = await newTree();
    const texts = allAttacks.filter((text) => text.trim() !== '' && !text.includes('\u0000'));
    const workspace = openWorkspace({ dir: place.store });
    for (const text of texts) await workspace.add({ description: text, detail: text, acceptance: [text] });
    const kept = (await goalsOf(place)).map(({ description }) => description);
    expect(kept).toEqual(expect.arrayContaining(texts.map((text) => text.trim())));
    for (const args of [
      ['edit', '4', '--tag', '\u001B[31mred'],
      ['move', '9', '--under', '8'],
      ['remove', '5'],
    ]) {
      const { out, error } = await place.run(args);
      // oxlint-disable-next-line no-control-regex
      expect(out + error).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
    }
    expect((await place.run(['validate'])).status).toBe(0);
  });
});

describe('plan dependencies check', () => {
  test('names what is redundant, ends with 1, and takes it away when told to', async () => {
    const place = await newTree();
    await edit(place, 'depend', 'c', '--on', 'a', 'b');
    await edit(place, 'depend', 'b', '--on', 'a');
    const check = await place.run(['dependencies', 'check', '--json']);
    expect(check.status).toBe(1);
    expect(check.json()).toMatchObject({
      findings: [
        {
          code: 'REDUNDANT',
          goal: id('c'),
          depends_on: id('a'),
          path: [id('c'), id('b'), id('a')],
          removed: false,
        },
      ],
      changes: [],
    });
    expect((await place.run(['dependencies', 'check'])).out).toContain(
      '3 “Goal c” need not name 1 “Goal a”, which comes first anyway: 3 “Goal c” → 2 “Goal b” → 1 “Goal a”',
    );
    const applied = await place.run(['dependencies', 'check', '--apply', '--json']);
    expect(applied.status).toBe(0);
    expect(applied.json()).toMatchObject({ findings: [{ removed: true }], changes: [{ goal: id('c') }] });
    const clean = await place.run(['dependencies', 'check', '--plan', PLAN, '--json']);
    expect([clean.status, clean.json().findings]).toEqual([0, []]);
  });
});
