import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { changesBetween } from '../../src/plan/changes.js';
import { newUser, errorOf, summaryOf } from '../support/command.js';
import { complete, expand, fail, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { newFileStore } from '../support/stores.js';

const entries = z.object({
  events: z.array(
    z.object({
      event: z.string(),
      at: z.string(),
      by: z.string(),
      type: z.string(),
      goals: z.array(z.string()),
      message: z.string(),
      undoes: z.string().optional(),
      refused: z.string().nullable(),
    }),
  ),
});

async function logOf(place: Workplace, ...args: readonly string[]) {
  return entries.parse((await place.run(['log', ...args, '--json'])).json()).events;
}

async function statusesOf(place: Workplace): Promise<Record<string, string>> {
  const { goals } = (await place.run(['status', '--verbose', '--json'])).json();
  const read = z.array(z.looseObject({ id: z.string(), status: z.string() })).parse(goals);
  return Object.fromEntries(read.map((goal) => [goal.id.slice(9), goal.status]));
}

describe('plan log', () => {
  test('says who did what to which goals and when, and why an event was refused', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), complete('a'), complete('b'), complete('b'), fail('a'));
    const log = await logOf(place);
    expect(log.map(({ message, goals, refused }) => ({ message, goals, refused }))).toEqual([
      { message: 'made the plan “Ship the product”', goals: [id('root')], refused: null },
      {
        message: 'split “Ship the product” into 2',
        goals: [id('root'), id('a'), id('b')],
        refused: null,
      },
      { message: 'completed “Goal a”', goals: [id('a')], refused: null },
      { message: 'completed “Goal b”', goals: [id('b'), id('root')], refused: null },
      {
        message: 'completed “Goal b”',
        goals: [id('b')],
        refused: 'goal 2 “Goal b” is done already',
      },
      {
        message: 'failed “Goal a”: the server was down',
        goals: [id('a')],
        refused: 'goal 1 “Goal a” is done already',
      },
    ]);
    for (const { by, at } of log) expect([by, Date.parse(at) > 0]).toEqual(['test', true]);
  });

  test('people see a line for each event', async () => {
    const place = await newWorkplace();
    const [outcome] = await place.change(expand('root', ['a']));
    await place.change(complete('root'));
    const { out, error } = await place.run(['log']);
    expect(error).toContain('`plan diff PLAN@EVENT` shows what changed since');
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      new RegExp(
        `^2026-01-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC  test  split “Ship the product” into 1  ${outcome?.event.id ?? ''}$`,
      ),
    );
    expect(lines[2]).toContain('refused: ');
  });

  test('--goal shows what concerned a goal, named by number, suffix or id, also when it is gone', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), complete('a'));
    for (const name of ['1', 'a', id('a')]) {
      expect((await logOf(place, '--goal', name)).map(({ type }) => type)).toEqual([
        'goal_expanded',
        'goal_completed',
      ]);
    }
    await place.run(['undo', '--any', '--yes']);
    await place.run(['undo', '--any', '--yes']);
    expect(await logOf(place, '--goal', id('b'))).toHaveLength(2);
    const nowhere = await place.run(['log', '--goal', 'zz', '--json']);
    expect([nowhere.status, errorOf(nowhere.json()).code]).toEqual([3, 'GOAL_NOT_FOUND']);
  });

  test('of an event names exactly the goals that differ after it', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), fail('a'), complete('b'));
    await place.change({ type: 'goal_reopened', goal: id('a') }, complete('a'));
    await place.run(['undo', '--any', '--yes']);
    const { plan } = await place.open();
    expect(plan.goals.get(id('root'))?.status).toBe('decomposing');
    const events = await (await place.open()).events();
    const { replayHistory } = await import('../../src/plan/history.js');
    const differing = [...replayHistory(events)].map(({ before, after }) =>
      before === null || after === null
        ? [id('root')]
        : changesBetween(before, after).map(({ goal }) => goal),
    );
    const named = (await logOf(place)).map(({ goals }) => goals);
    expect(named.map((goals) => goals.toSorted())).toEqual(differing.map((goals) => goals.toSorted()));
  });
});

describe('plan undo', () => {
  test('of an expansion takes its goals away, and of the one before that as well', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    await place.change({
      type: 'goal_reopened',
      goal: id('a'),
    });
    const first = await place.run(['undo', '--any', '--yes', '--json']);
    expect(first.status).toBe(0);
    expect(first.json()).toMatchObject({
      undone: { type: 'goal_expanded', by: 'test', message: 'split “Ship the product” into 2' },
      goals: [id('root'), id('a'), id('b')],
    });
    expect(summaryOf(first.json())).toMatchObject({
      status: 'in_progress',
      total_goals: 1,
      pending_goals: 1,
    });
    expect(await statusesOf(place)).toEqual({ root: 'pending' });
    const nothing = await place.run(['undo', '--any', '--yes', '--json']);
    expect([nothing.status, errorOf(nothing.json()).code]).toEqual([4, 'WRONG_STATE']);
  });

  test('of a completion reopens the goals above it', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), complete('a'), complete('b'));
    expect(await statusesOf(place)).toEqual({ root: 'complete', a: 'complete', b: 'complete' });
    const ended = await place.run(['undo', '--any', '--yes']);
    expect(ended.out).toContain('completed “Goal b”\nRestored 2 goals.\n');
    expect(await statusesOf(place)).toEqual({ root: 'decomposing', a: 'complete', b: 'atomic' });
    await place.run(['undo', '--any', '--yes']);
    expect(await statusesOf(place)).toEqual({ root: 'decomposing', a: 'atomic', b: 'atomic' });
  });

  test('of a failure makes the goal atomic again, without its reason', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']), fail('a'));
    await place.run(['undo', '--any', '--yes']);
    const { goal } = (await place.run(['show', 'a', '--json'])).json();
    expect(goal).toMatchObject({ status: 'atomic' });
    expect(goal).not.toHaveProperty('failure');
  });

  test('is itself undone by nothing, and what comes after it is', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    await place.run(['undo', '--any', '--yes']);
    await place.change(expand('root', ['c', 'd']));
    expect((await place.run(['undo', '--any', '--yes'])).out).toContain('into 2');
    expect((await place.run(['undo', '--any', '--yes'])).status).toBe(4);
  });

  test('is refused when a goal has changed since, and may be tried again on what came after', async () => {
    const place = await newWorkplace();
    const [expansion] = await place.change(expand('root', ['a', 'b']));
    const log = await place.open();
    const before = await log.events();
    const { replayHistory } = await import('../../src/plan/history.js');
    const last = [...replayHistory(before)].at(-1);
    if (last?.before == null || last.after === null) throw new TypeError('the expansion is the last event');
    const changes = changesBetween(last.before, last.after).map(({ goal, before, after }) => ({
      goal,
      before,
      after,
    }));
    await place.change(complete('a'));
    const [late] = await log.append([{ type: 'change_undone', undoes: expansion?.event.id ?? '', changes }]);
    expect(late?.refused).toEqual({ code: 'changed_since', goal: id('a') });
    expect((await logOf(place)).at(-1)).toMatchObject({
      message: 'undid: split “Ship the product” into 2',
      undoes: expansion?.event.id,
      refused: 'goal 1 “Goal a” has changed since',
    });
    expect((await place.run(['undo', '--any', '--yes'])).out).toContain('completed “Goal a”');
    expect((await place.run(['undo', '--any', '--yes'])).out).toContain('into 2');
    expect(await statusesOf(place)).toEqual({ root: 'pending' });
  });

  test('only adds to the log, and leaves a valid plan whose cost stays counted', async () => {
    const place = await newWorkplace();
    const usage = { calls: 1, input_tokens: 10, output_tokens: 5, cost_usd: null };
    await place.change({ ...expand('root', ['a']), usage }, complete('a'));
    for (const _time of [1, 2]) {
      const bytes = readFileSync(place.eventLog);
      await place.run(['undo', '--any', '--yes']);
      const grown = readFileSync(place.eventLog);
      expect(grown.length).toBeGreaterThan(bytes.length);
      expect(grown.subarray(0, bytes.length).equals(bytes)).toBe(true);
      expect((await place.run(['validate'])).out).toBe('valid\n');
    }
    expect(summaryOf((await place.run(['status', '--json'])).json()).total_tokens).toBe(15);
  });

  test('is refused in the archive', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    await place.run(['archive', '--yes']);
    expect(errorOf((await place.run(['undo', PLAN, '--json'])).json()).code).toBe('WRONG_STATE');
  });
});

describe('plan diff', () => {
  test('of a plan and its state after an event', async () => {
    const place = await newWorkplace();
    const [first] = await place.change(expand('root', ['a', 'b']));
    await place.change(complete('a'), { type: 'goal_reopened', goal: id('a') }, expand('b', []), fail('a'));
    const since = `${PLAN.slice(0, 4)}@${first?.event.id ?? ''}`;
    const diff = await place.run(['diff', since, '--json']);
    expect(diff.json()).toEqual({
      from: since,
      to: PLAN,
      added: [],
      removed: [],
      changed: [
        {
          goal: id('a'),
          number: '1',
          description: 'Goal a',
          fields: {
            status: { from: 'atomic', to: 'failed' },
            failure: { from: null, to: expect.objectContaining({ reason: 'the server was down' }) },
          },
        },
      ],
    });
    expect((await place.run(['diff', since])).out).toMatch(
      /^~ 1 {2}Goal a\n {4}status: to do → failed\n {4}failure: none → the server was down/,
    );
    const unknown = await place.run(['diff', `${PLAN}@nowhere`, '--json']);
    expect([unknown.status, errorOf(unknown.json()).code]).toEqual([2, 'INVALID_INPUT']);
  });

  test('of two files, with goals that are new and gone', async () => {
    const place = await newWorkplace();
    const file = join(place.store, `${PLAN}.json`);
    copyFileSync(file, join(place.folder, 'before.json'));
    await place.change(expand('root', ['a', 'b']));
    copyFileSync(file, join(place.folder, 'after.json'));
    const grown = await place.run(['diff', 'before.json', './after.json']);
    expect(grown.out.split('\n').slice(0, 3)).toEqual([
      '+ 1  Goal a',
      '+ 2  Goal b',
      '~ root  Ship the product',
    ]);
    const shrunk = await place.run(['diff', 'after.json', 'before.json', '--json']);
    expect(shrunk.json()).toMatchObject({
      added: [],
      removed: [{ number: '1' }, { number: '2' }],
      changed: [{ number: '', fields: { child_ids: { from: [id('a'), id('b')], to: [] } } }],
    });
    expect((await place.run(['diff', 'after.json', 'after.json'])).error).toBe('No goal differs.\n');
    expect((await place.run(['diff', 'gone.json', 'after.json'])).status).toBe(3);
  });

  test('of two plans of the same goal, matched by number', async () => {
    const user = newUser();
    const goal = 'Build a REST API with authentication';
    const [one, two] = [
      summaryOf((await user.run(['init', goal, '--json'])).json()).id,
      summaryOf((await user.run(['init', goal, '--json'])).json()).id,
    ];
    const same = await user.run(['diff', one, two, '--json']);
    expect(same.json()).toEqual({ from: one, to: two, added: [], removed: [], changed: [] });
    const log = await (await newFileStore(join(user.folder, '.plans'))).open(two);
    const leaf = [...log.plan.goals.values()].find(({ status }) => status === 'atomic');
    await log.append([{ type: 'goal_completed', goal: leaf?.id ?? '' }]);
    const worked = await user.run(['diff', one, two, '--json']);
    expect(worked.json()).toMatchObject({
      added: [],
      removed: [],
      changed: [{ goal: leaf?.id, fields: { status: { from: 'atomic', to: 'complete' } } }],
    });
  });
});

test('log, undo and diff write no control character that came from a plan', async () => {
  const hostile = 'Build \u001b]0;pwned\u0007 it\u009b31m \u202Ereversed';
  const place = await newWorkplace();
  const expansion = expand('root', ['a']);
  const [first] = await place.change({
    ...expansion,
    sub_goals: expansion.sub_goals.map((goal) => ({ ...goal, description: hostile })),
  });
  await place.change(complete('a'));
  const since = `${PLAN}@${first?.event.id ?? ''}`;
  for (const args of [
    ['log'],
    ['diff', since],
    ['diff', since, '--json'],
    ['log', '--json'],
    ['undo', '--any', '--yes'],
  ]) {
    const ended = await place.run(args);
    expect(ended.status).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(ended.out + ended.error).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(ended.out).toContain('reversed');
  }
});
