import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import type { EventPayload } from '../../src/plan/events.js';
import { scale } from '../faults/support/scale.js';
import { newUser } from '../support/command.js';
import type { Ended } from '../support/command.js';
import { expand, id, newWorkplace, workplace } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const claimSchema = z.looseObject({
  goal: z.looseObject({ id: z.string(), number: z.string() }),
  claimed: z.object({ goal: z.string(), token: z.string(), by: z.string(), expires_at: z.string() }),
});
const refusalSchema = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

const claimOf = (ended: Ended) => claimSchema.parse(ended.json()).claimed;
const refusalOf = (ended: Ended) => refusalSchema.parse(ended.json()).error;

/** A and b can start, c waits for both, d for c; below `later` another goal inherits what it waits for. */
async function planToWorkOn(): Promise<Workplace> {
  const place = await newWorkplace();
  const after = (goal: string, add: readonly string[]): EventPayload => ({
    type: 'dependencies_changed',
    changes: [{ goal: id(goal), add: add.map(id), remove: [] }],
  });
  await place.change(
    expand('root', ['a', 'b', 'c'], ['later']),
    expand('later', ['d']),
    after('c', ['a', 'b']),
    after('later', ['c']),
  );
  return place;
}

/** A claim that ended long ago, as an agent leaves it that was killed. */
const expired = (goal: string, token: string): EventPayload => ({
  type: 'goal_claimed',
  goal: id(goal),
  token,
  expires_at: '2026-01-01T00:00:00Z',
});

async function statusOf(place: Workplace, goal: string): Promise<string | undefined> {
  return (await place.open()).plan.goals.get(id(goal))?.status;
}

describe('plan claim', () => {
  test('gives a token for the time asked for, and a second one is told who holds the goal until when', async () => {
    const place = await planToWorkOn();
    const before = Date.now();
    const claim = claimOf(await place.run(['claim', 'a', '--by', 'ana', '--for', '2h', '--json']));
    expect(claim).toMatchObject({ goal: id('a'), by: 'ana' });
    expect(claim.token).toMatch(/^[0-9a-z]{16}$/);
    const hours = (Date.parse(claim.expires_at) - before) / 3_600_000;
    expect(Math.round(hours)).toBe(2);

    const second = await place.run(['claim', 'a', '--by', 'ben', '--json']);
    expect(second.status).toBe(4);
    expect(refusalOf(second)).toMatchObject({
      code: 'REFUSED',
      message: `goal 1 “Goal a” is claimed; ana holds it until ${claim.expires_at}`,
      details: { claimed_by: 'ana', expires_at: claim.expires_at },
    });
  });

  const MANY = scale(16, 6);
  test(`of ${MANY} processes that want one goal, one gets it and the others are told by whom it is held`, async () => {
    const place = await planToWorkOn();
    const ends = await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        place.run(['claim', 'a', '--by', `agent-${index}`, '--json']),
      ),
    );
    const winners = ends.filter(({ status }) => status === 0);
    expect(winners).toHaveLength(1);
    const winner = winners[0] === undefined ? null : claimOf(winners[0]);
    expect(ends.filter(({ status }) => status === 4).map((ended) => refusalOf(ended).details)).toEqual(
      Array.from({ length: MANY - 1 }, () =>
        expect.objectContaining({ claimed_by: winner?.by, expires_at: winner?.expires_at }),
      ),
    );
    expect((await place.open()).plan.goals.get(id('a'))?.claim?.token).toBe(winner?.token);
  });

  test('a goal that waits is refused with what it waits for, one without a claim to make with its status', async () => {
    const place = await planToWorkOn();
    const waiting = await place.run(['claim', 'd', '--json']);
    expect([waiting.status, refusalOf(waiting).details.waiting_for]).toEqual([4, [id('c')]]);
    const composite = await place.run(['claim', 'later', '--json']);
    expect([composite.status, refusalOf(composite)]).toMatchObject([
      4,
      { code: 'WRONG_STATE', details: { status: 'decomposing' } },
    ]);
  });

  test.each(['5', '5x', '0s', '31d', '-3m', '1.5h', ''])('%j is no time to hold a goal for', async (time) => {
    const place = await planToWorkOn();
    const ended = await place.run(['claim', 'a', `--for=${time}`, '--json']);
    expect([ended.status, refusalOf(ended).code]).toEqual([2, 'INVALID_INPUT']);
  });

  test('people see the token once, and no other command shows it to them', async () => {
    const place = await planToWorkOn();
    const claimed = await place.run(['claim', 'a', '--by', 'ana\u001B[2J']);
    const [, token = ''] = /^Token {2}([0-9a-z]{16})$/m.exec(claimed.out) ?? [];
    expect(token).not.toBe('');
    expect(claimed.out).not.toContain('\u001B');
    for (const args of [['status'], ['status', '--verbose'], ['show', 'a'], ['log'], ['tree']]) {
      const { status, out, error } = await place.run(args);
      expect([args, status, out.includes(token), error.includes(token)]).toEqual([args, 0, false, false]);
    }
    const refused = await place.run(['claim', 'a', '--json']);
    expect(refused.out).not.toContain(token);
  });

  test('FRCTL_BY says who works, and an empty one nothing', async () => {
    const place = await planToWorkOn();
    expect(claimOf(await place.run(['claim', 'a', '--json'], { FRCTL_BY: 'zoë' })).by).toBe('zoë');
    expect(claimOf(await place.run(['claim', 'b', '--json'], { FRCTL_BY: '' })).by).toMatch(/^.+@.+$/);
  });
});

describe('status and show', () => {
  test('a claimed goal is not ready, an expired one is again', async () => {
    const place = await planToWorkOn();
    await place.change(expired('b', 'old'));
    const { expires_at } = claimOf(await place.run(['claim', 'a', '--by', 'ana', '--json']));
    expect((await place.run(['status', '--json'])).json()).toMatchObject({
      ready: [id('b')],
      claimed: [{ goal: id('a'), by: 'ana', expires_at }],
      blocked: [{ goal: id('c') }, { goal: id('d') }],
    });
    const until = `until ${expires_at.slice(0, 16).replace('T', ' ')} UTC (in 30 min)`;
    expect((await place.run(['status'])).out).toContain(`Claimed 1\n  1        Goal a · by ana ${until}\n`);
    expect((await place.run(['show', 'a'])).out).toMatch(
      /^Claimed {4}by ana \d+ s ago, until .* UTC \(in 30 min\)$/m,
    );
  });
});

describe('plan renew and release', () => {
  test('renewing puts the end off, also of a claim that expired; an unknown token is refused', async () => {
    const place = await planToWorkOn();
    await place.change(expired('a', 'tok1'));
    const renewed = claimOf(await place.run(['renew', 'a', '--token', 'tok1', '--for', '1d', '--json']));
    expect(renewed).toMatchObject({ token: 'tok1', by: 'test' });
    expect((await place.open()).plan.goals.get(id('a'))?.claim?.expires_at).toBe(renewed.expires_at);
    const wrong = await place.run(['renew', 'a', '--token', 'nope', '--json']);
    expect([wrong.status, refusalOf(wrong).details.claimed_by]).toEqual([4, 'test']);
    expect((await place.run(['renew', 'a', '--json'])).status).toBe(2);
    expect((await place.run(['renew', 'a', '--token=', '--json'])).status).toBe(2);
  });

  test('releasing needs the token or the name, or force', async () => {
    const place = await planToWorkOn();
    const { token } = claimOf(await place.run(['claim', 'a', '--by', 'ana', '--json']));
    const other = await place.run(['release', 'a', '--by', 'ben', '--json']);
    expect([other.status, refusalOf(other).details.claimed_by]).toEqual([4, 'ana']);
    expect((await place.run(['release', 'a', '--token', token])).out).toBe(
      'Released 1 Goal a, which ana held.\n',
    );
    const free = await place.run(['release', 'a', '--json']);
    expect([free.status, refusalOf(free).code]).toEqual([4, 'WRONG_STATE']);

    await place.run(['claim', 'a', '--by', 'ana']);
    expect((await place.run(['release', 'a', '--by', 'ana'])).status).toBe(0);
    await place.run(['claim', 'a', '--by', 'ana']);
    expect((await place.run(['release', 'a', '--by', 'ben', '--force'])).status).toBe(0);
    expect((await place.run(['log', '--goal', 'a'])).out).toContain('ben  broke the claim on “Goal a”');
    expect((await place.run(['claim', 'a', '--by', 'ben'])).status).toBe(0);
  });
});

describe('plan complete', () => {
  test('keeps what came of it, completes the goals above, and says what can start', async () => {
    const place = await planToWorkOn();
    await place.run(['complete', 'a']);
    const decisions = ['--decision', 'Sessions in Redis', '--decision', 'No cookies'];
    const made = ['--summary', 'It works', '--artifact', 'src/b.ts', '--json'];
    const ended = await place.run(['complete', 'b', ...decisions, ...made]);
    expect(ended.json()).toMatchObject({
      plan: { complete_goals: 2 },
      goal: {
        status: 'complete',
        digest: {
          summary: 'It works',
          key_decisions: ['Sessions in Redis', 'No cookies'],
          artifacts: ['src/b.ts'],
        },
      },
      completed_parents: [],
      became_ready: [{ id: id('c'), number: '3' }],
    });
    await place.run(['complete', 'c']);
    const last = await place.run(['complete', 'd']);
    expect(last.out).toBe(
      'Completed 4.1 Goal d\nWhich also completes\n  4 Goal later\n  root Ship the product\nEverything is done.\n',
    );
    expect(await statusOf(place, 'root')).toBe('complete');
  });

  test('refuses a goal that waits, unless it is forced', async () => {
    const place = await planToWorkOn();
    const ended = await place.run(['complete', 'c', '--summary', 'early', '--json']);
    expect([ended.status, refusalOf(ended).details.waiting_for]).toEqual([4, [id('a'), id('b')]]);
    expect(await statusOf(place, 'c')).toBe('atomic');
    expect((await place.run(['complete', 'c', '--force'])).status).toBe(0);
    expect(await statusOf(place, 'c')).toBe('complete');
  });

  test('with a token from before another took the goal is refused, and what was submitted is kept and shown', async () => {
    const place = await planToWorkOn();
    await place.change(expired('a', 'old-token'));
    const { expires_at } = claimOf(await place.run(['claim', 'a', '--by', 'ben', '--json']));
    const late = ['complete', 'a', '--token', 'old-token', '--by', 'ana', '--summary', 'Done, late'];
    const ended = await place.run([...late, '--decision', 'Keep it small', '--json']);
    expect(ended.status).toBe(4);
    const refusal = refusalOf(ended);
    expect(refusal).toMatchObject({
      message: `that token is not that of the claim on goal 1 “Goal a”; ben holds it until ${expires_at}`,
      details: {
        claimed_by: 'ben',
        expires_at,
        result: { summary: 'Done, late', decisions: ['Keep it small'] },
      },
    });
    expect(await statusOf(place, 'a')).toBe('atomic');

    expect((await place.run(['show', 'a', '--json'])).json().refused_results).toMatchObject([
      {
        event: refusal.details.kept_as,
        by: 'ana',
        reason: refusal.message,
        result: { summary: 'Done, late', decisions: ['Keep it small'] },
      },
    ]);
    const shown = (await place.run(['show', 'a'])).out;
    expect(shown).toContain('Refused result of ana');
    expect(shown).toContain('  Done, late\n  - Keep it small\n');
    expect((await place.run(['log', '--goal', 'a'])).out).toMatch(
      /ana {2}completed “Goal a”: Done, late {2}refused: that token/,
    );
    expect((await place.run(['complete', 'a', '--by', 'ben', '--summary', 'Mine'])).status).toBe(0);
  });

  test('a refused completion that brings nothing leaves no trace in the log', async () => {
    const place = await planToWorkOn();
    await place.run(['claim', 'a', '--by', 'ana']);
    const before = (await (await place.open()).events()).length;
    expect((await place.run(['complete', 'a', '--by', 'ben'])).status).toBe(4);
    expect((await (await place.open()).events()).length).toBe(before);
  });

  test('reads a report, or a result as JSON, from a file or from standard input', async () => {
    const place = await planToWorkOn();
    writeFileSync(join(place.folder, 'a.md'), '# Report\n\nAll 12 cases pass.\n');
    writeFileSync(
      join(place.folder, 'b.json'),
      JSON.stringify({ summary: 'b', key_decisions: ['one'], mood: 'good', artifacts: ['b.ts'] }),
    );
    await place.run(['complete', 'a', '--from', 'a.md', '--decision', 'two']);
    await place.run(['complete', 'b', '--from', 'b.json', '--artifact', 'b.md', '--artifact', 'b.ts']);
    const child = place.start(['complete', 'c', '--from', '-'], {}, 'A report from a pipe.');
    expect((await child.ended).status).toBe(0);
    const events = await (await place.open()).events();
    expect(events.flatMap((event) => (event.type === 'goal_completed' ? [event.result] : []))).toEqual([
      { text: '# Report\n\nAll 12 cases pass.\n', decisions: ['two'] },
      { summary: 'b', decisions: ['one'], mood: 'good', artifacts: ['b.ts', 'b.md'] },
      { text: 'A report from a pipe.' },
    ]);
  });

  test.each([
    ['a path out of the project', ['--artifact', 'docs/../../x']],
    ['a path of this machine', ['--artifact', '/etc/passwd']],
    ['an empty artifact', ['--artifact', ' ']],
    ['a file that is empty', ['--from', 'empty.txt']],
    ['JSON that is no result', ['--from', 'wrong.json']],
    ['a name that is no name', ['--by', ' \n ']],
    ['an empty token', ['--token=']],
    ['a range that is an option', ['--from-git=--output=x']],
    ['a folder without a repository', ['--from-git', 'main..HEAD']],
  ])('%s is refused before anything changes', async (_name, args) => {
    const place = await planToWorkOn();
    writeFileSync(join(place.folder, 'empty.txt'), ' \n');
    writeFileSync(join(place.folder, 'wrong.json'), '{"summary": 3}');
    const ended = await place.run(['complete', 'a', ...args, '--json'], { GIT_CEILING_DIRECTORIES: '/' });
    expect([ended.status, refusalOf(ended).code]).toEqual([2, 'INVALID_INPUT']);
    expect(await statusOf(place, 'a')).toBe('atomic');
  });

  test('a plan in the archive is not worked on', async () => {
    const place = await planToWorkOn();
    await place.run(['archive', '--yes']);
    for (const args of [
      ['claim', id('a')],
      ['complete', id('a')],
      ['fail', id('a'), '--reason', 'x'],
    ]) {
      const ended = await place.run([...args, '--json']);
      expect([ended.status, refusalOf(ended).code]).toEqual([4, 'WRONG_STATE']);
    }
  });
});

describe('plan fail and reopen', () => {
  test('a failed goal keeps its reason and holds up what depends on it, until it is reopened', async () => {
    const place = await planToWorkOn();
    await place.run(['complete', 'b']);
    const failed = await place.run(['fail', 'a', '--reason', 'no sandbox', '--json']);
    expect(failed.json()).toMatchObject({ goal: { status: 'failed', failure: { reason: 'no sandbox' } } });
    const blocked = await place.run(['claim', 'c', '--json']);
    expect(refusalOf(blocked).details.waiting_for).toEqual([id('a')]);
    expect((await place.run(['reopen', 'a'])).out).toBe('Reopened 1 Goal a [to do]\n');
    const again = await place.run(['reopen', 'a', '--json']);
    expect([again.status, refusalOf(again).code]).toEqual([4, 'WRONG_STATE']);
  });

  test('only the holder can fail a claimed goal; the reason of another is kept in the log', async () => {
    const place = await planToWorkOn();
    const { token } = claimOf(await place.run(['claim', 'a', '--by', 'ana', '--json']));
    const other = await place.run(['fail', 'a', '--reason', 'broken', '--by', 'ben', '--json']);
    expect([other.status, refusalOf(other).details.claimed_by]).toEqual([4, 'ana']);
    expect((await place.run(['log', '--goal', 'a'])).out).toContain('failed “Goal a”: broken  refused: ');
    expect((await place.run(['fail', 'a', '--reason', 'broken', '--token', token])).status).toBe(0);
    expect((await place.run(['fail', 'b', '--json'])).status).toBe(2);
    expect((await place.run(['fail', 'b', '--reason', ' ', '--json'])).status).toBe(2);
  });

  test('reopening a finished goal opens those above it', async () => {
    const place = await planToWorkOn();
    for (const goal of ['a', 'b', 'c', 'd']) await place.run(['complete', goal]);
    await place.run(['reopen', 'd', '--reason', 'it leaks']);
    expect([await statusOf(place, 'later'), await statusOf(place, 'root')]).toEqual([
      'decomposing',
      'decomposing',
    ]);
  });

  test('several goals are reopened in one change, or none where one cannot be', async () => {
    const place = await planToWorkOn();
    for (const goal of ['a', 'b']) await place.run(['complete', goal]);
    const refused = await place.run(['reopen', 'a', 'd', '--json']);
    expect([refused.status, refusalOf(refused).code]).toEqual([4, 'WRONG_STATE']);
    expect(await statusOf(place, 'a')).toBe('complete');
    expect((await place.run(['reopen', 'b', 'a', 'b'])).out).toBe(
      'Reopened 2 Goal b [to do]\nReopened 1 Goal a [to do]\n',
    );
    expect([await statusOf(place, 'a'), await statusOf(place, 'b')]).toEqual(['atomic', 'atomic']);
    await place.run(['undo', '--yes']);
    expect([await statusOf(place, 'a'), await statusOf(place, 'b')]).toEqual(['complete', 'complete']);
  });
});

test('two users of one store are kept apart by name', async () => {
  const place = await planToWorkOn();
  const other = workplace(newUser(place.folder));
  await place.run(['claim', 'a'], { FRCTL_BY: 'ana' });
  expect((await other.run(['complete', 'a'], { FRCTL_BY: 'ben' })).status).toBe(4);
  expect((await place.run(['complete', 'a'], { FRCTL_BY: 'ana' })).status).toBe(0);
});
