import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { openWorkspace } from '../../src/workspace.js';
import type { EventPayload } from '../../src/plan/events.js';
import { complete, expand, fail, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const nextSchema = z.looseObject({
  goals: z.array(
    z.looseObject({ id: z.string(), number: z.string(), chain: z.number(), unblocks: z.number() }),
  ),
  total: z.number(),
  claimed: z
    .object({ goal: z.string(), token: z.string(), by: z.string(), expires_at: z.string() })
    .nullable(),
  reason: z.looseObject({ code: z.string(), message: z.string(), until: z.string().nullable() }).nullable(),
});

async function nextOf(place: Workplace, ...args: readonly string[]) {
  const ended = await place.run(['next', ...args, '--json']);
  return { status: ended.status, ...nextSchema.parse(ended.json()) };
}

const after = (goal: string, add: readonly string[]): EventPayload => ({
  type: 'dependencies_changed',
  changes: [{ goal: id(goal), add: add.map(id), remove: [] }],
});

/** One goal alone, one that two wait for, and one that starts a chain of three. */
async function planWithChains(): Promise<Workplace> {
  const place = await newWorkplace();
  await place.change(
    expand('root', ['alone', 'wide', 'w1', 'w2', 'long', 'l1', 'l2']),
    after('w1', ['wide']),
    after('w2', ['wide']),
    after('l1', ['long']),
    after('l2', ['l1']),
  );
  return place;
}

describe('plan next', () => {
  test('lists what can start: the longest chain first, then what most others wait for', async () => {
    const place = await planWithChains();
    const { status, goals, total, claimed, reason } = await nextOf(place);
    expect(goals.map((goal) => [goal.number, goal.chain, goal.unblocks])).toEqual([
      ['5', 3, 2],
      ['2', 2, 2],
      ['1', 1, 0],
    ]);
    expect({ status, total, claimed, reason }).toEqual({ status: 0, total: 3, claimed: null, reason: null });
    expect((await place.run(['next', '--limit', '2'])).out).toBe(
      '5 Goal long  (2 goals wait for it; longest chain: 2)\n2 Goal wide  (2 goals wait for it)\n… and 1 more goal\n',
    );
  });

  test('offers nothing of a plan that is archived, and says that it is', async () => {
    const place = await planWithChains();
    await place.run(['archive', PLAN]);
    expect(await nextOf(place, PLAN)).toMatchObject({
      status: 1,
      goals: [],
      total: 0,
      reason: { code: 'archived', message: `plan ${PLAN} is archived` },
    });
    const { error } = await place.run(['next', PLAN]);
    expect(error).toContain('`plan restore PLAN` brings it back.');
    await place.run(['restore', PLAN]);
    expect(await nextOf(place, PLAN)).toMatchObject({ status: 0, total: 3 });
  });

  test('--claim takes the first, and the next one takes the second', async () => {
    const place = await planWithChains();
    const first = await nextOf(place, '--claim', '--by', 'ana', '--for', '1h');
    expect(first).toMatchObject({
      status: 0,
      goals: [{ number: '5' }],
      claimed: { goal: id('long'), by: 'ana' },
    });
    expect((await place.open()).plan.goals.get(id('long'))?.claim?.token).toBe(first.claimed?.token);
    const { out } = await place.run(['next', '--claim']);
    expect(out).toMatch(
      /^Claimed 2 Goal wide\nBy +.*\nUntil +.*\nToken +[0-9a-z]{16}\nNext +`plan context 2`, .*\n$/,
    );
    expect((await nextOf(place)).goals.map(({ number }) => number)).toEqual(['1']);
  });

  test('of many who take the next goal at once each gets another, and who comes too late none', async () => {
    const place = await newWorkplace();
    const goals = Array.from({ length: 4 }, (_, index) => `g${index}`);
    await place.change(expand('root', goals));
    const ends = await Promise.all(
      Array.from({ length: 6 }, (_, index) => nextOf(place, '--claim', '--by', `agent-${index}`)),
    );
    const claims = ends.flatMap(({ claimed }) => (claimed === null ? [] : [claimed]));
    expect(new Set(claims.map(({ goal }) => goal))).toEqual(new Set(goals.map(id)));
    expect(claims).toHaveLength(4);
    expect(ends.filter(({ status }) => status === 1).map(({ reason }) => reason?.code)).toEqual([
      'claimed',
      'claimed',
    ]);
  });

  test('with none ready it ends with 1 and says why', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b'], ['c']), after('b', ['a']));
    const { claimed } = await nextOf(place, '--claim', '--by', 'ana');
    const held = await nextOf(place);
    expect(held).toMatchObject({
      status: 1,
      goals: [],
      total: 0,
      reason: {
        code: 'claimed',
        until: claimed?.expires_at,
        claimed: [{ goal: id('a'), by: 'ana', expires_at: claimed?.expires_at }],
        waiting: [{ goal: id('b'), waiting_for: [id('a')] }],
        to_plan: [id('c')],
        counts: { claimed: 1, failed: 0, to_plan: 1, waiting: 1 },
      },
    });
    const people = await place.run(['next']);
    expect([people.status, people.out]).toEqual([1, '']);
    expect(people.error).toMatch(
      /^no goal can start: 1 goal is claimed, by ana until \d{4}-\d\d-\d\d \d\d:\d\d UTC; 1 still to be planned; 1 waiting for others\n`plan status` shows who holds which goal\.\n$/,
    );

    await place.run(['fail', 'a', '--reason', 'no', '--by', 'ana']);
    expect((await nextOf(place)).reason).toMatchObject({ code: 'failed', failed: [id('a')] });
    await place.run(['reopen', 'a']);
    await place.change(complete('a'), complete('b'));
    expect((await nextOf(place)).reason).toMatchObject({ code: 'to_plan', to_plan: [id('c')] });
    await place.change(expand('c', []), complete('c'));
    expect((await nextOf(place)).reason).toMatchObject({ code: 'all_done', message: 'every goal is done' });
    expect((await nextOf(place, '--claim')).reason?.code).toBe('all_done');
  });

  test.each([
    [['--limit', '0'], 'INVALID_INPUT'],
    [['--limit', '1.5'], 'INVALID_INPUT'],
    [['--by', 'ana'], 'USAGE'],
    [['--for', '1h'], 'USAGE'],
    [['--claim', '--for', 'ever'], 'INVALID_INPUT'],
  ])('%j is refused', async (args, code) => {
    const place = await planWithChains();
    const ended = await place.run(['next', ...args, '--json']);
    expect([ended.status, ended.json().error]).toMatchObject([2, { code }]);
  });
});

describe('the library', () => {
  test('claims end by the clock of the environment', async () => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    const workspace = openWorkspace({
      store: 'memory',
      environment: { variables: {}, now: () => now, user: 'ana', host: 'desk' },
    });
    const { plan } = await workspace.init({ goal: 'Count the stars' }).result;
    const { claimed } = await workspace.next({ plan: plan.id, claim: true, for: '10m' });
    expect(claimed).toMatchObject({ by: 'ana@desk', expires_at: '2026-03-01T10:10:00.000Z' });
    now += 10 * 60_000 - 1;
    expect((await workspace.next()).reason?.code).toBe('claimed');
    now += 1;
    const taken = await workspace.next({ claim: true, by: 'ben' });
    expect(taken.claimed).toMatchObject({ goal: claimed?.goal, by: 'ben' });
    await expect(workspace.complete(claimed?.goal ?? '', { token: claimed?.token })).rejects.toMatchObject({
      code: 'REFUSED',
      details: { claimed_by: 'ben' },
    });
  });
});

describe('plan waves', () => {
  test('shows wave by wave what can be done in parallel, and the longest chain', async () => {
    const place = await planWithChains();
    await place.change(fail('l1'), complete('alone'));
    const { waves, critical_path } = (await place.run(['waves', '--json'])).json();
    const numbers = z.array(z.array(z.looseObject({ number: z.string() }))).parse(waves);
    expect(numbers.map((wave) => wave.map(({ number }) => number))).toEqual([
      ['2', '5'],
      ['3', '4', '6'],
      ['7'],
    ]);
    expect(critical_path).toEqual([id('long'), id('l1'), id('l2')]);
    expect((await place.run(['waves', PLAN])).out).toBe(
      [
        'Wave 1 2 goals\n  2 Goal wide\n* 5 Goal long\n',
        'Wave 2 3 goals\n  3 Goal w1\n  4 Goal w2\n* 6 Goal l1 [failed]\n',
        'Wave 3 1 goal\n* 7 Goal l2\n',
        '* the critical path: 3 goals in a row\n',
      ].join('\n'),
    );
  });

  test('of a plan that is done has none', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']), complete('a'));
    const ended = await place.run(['waves']);
    expect([ended.status, ended.out, ended.error]).toEqual([0, '', 'Every goal is done.\n']);
  });
});
