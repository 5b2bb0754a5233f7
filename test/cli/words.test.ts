import { hostname } from 'node:os';

import { describe, expect, test } from 'vitest';

import { NO_USAGE } from '../../src/plan/plan.js';
import { newUser } from '../support/command.js';
import { PLAN, complete, expand, fail, id, newWorkplace } from '../support/worked-plan.js';

describe('words on the screen', () => {
  test('a plan is planned, so far done, done; the stored status stays what it was', async () => {
    const place = await newWorkplace();
    const words = async () => {
      const { out } = await place.run(['status']);
      const list = await place.run(['list']);
      const said = /^Plan +[0-9a-f]{8} {2}(.*)$/m.exec(out)?.[1] ?? '';
      expect(list.out).toContain(`  ${said} `);
      const { plan } = (await place.run(['status', '--json'])).json();
      const { status, progress } = plan as Record<string, string>;
      const { plans } = (await place.run(['list', '--json'])).json();
      expect((plans as readonly unknown[])[0]).toMatchObject({ status, progress });
      return [said, status, progress];
    };
    expect(await words()).toEqual(['to plan', 'in_progress', 'to_plan']);
    await place.change(expand('root', ['a', 'b']));
    expect(await words()).toEqual(['planned', 'complete', 'planned']);
    await place.change(complete('a'));
    expect(await words()).toEqual(['1 of 2 done', 'complete', 'working']);
    await place.change(complete('b'));
    expect(await words()).toEqual(['done', 'complete', 'done']);
    await place.run(['add', 'c', '--composite']);
    expect(await words()).toEqual(['to plan', 'in_progress', 'to_plan']);
  });

  test('a plan is worked while somebody holds a goal, and no longer', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const held = (goal: string, expires_at: string) =>
      place.change({ type: 'goal_claimed', goal: id(goal), token: `token-${goal}`, expires_at });
    const progress = async () => {
      const { plan } = (await place.run(['status', '--json'])).json();
      const { plans } = (await place.run(['list', '--json'])).json();
      const [listed] = plans as readonly { readonly progress: string }[];
      expect(listed?.progress).toBe((plan as { progress: string }).progress);
      return listed?.progress;
    };
    expect(await progress()).toBe('planned');
    await held('a', '2999-01-01T00:00:00.000Z');
    expect(await progress()).toBe('working');
    expect((await place.run(['list'])).out).toContain('0 of 2 done');
    await place.change({ type: 'claim_released', goal: id('a'), token: 'token-a' });
    expect(await progress()).toBe('planned');
    await held('b', '2001-01-01T00:00:00.000Z');
    expect(await progress()).toBe('planned');
  });

  test('plans are listed by the word that is shown as well as by the one that is stored', async () => {
    const place = await newWorkplace();
    const listedBy = async () => {
      const listed: string[] = [];
      for (const word of ['in_progress', 'complete', 'paused', 'to-plan', 'planning', 'planned', 'done']) {
        const { plans } = (await place.run(['list', '--status', word, '--json'])).json();
        if ((plans as readonly unknown[]).length > 0) listed.push(word);
      }
      return listed;
    };
    expect(await listedBy()).toEqual(['in_progress', 'to-plan']);
    await place.change(expand('root', ['a', 'b']));
    expect(await listedBy()).toEqual(['complete', 'planned']);
    await place.change(complete('a'));
    expect(await listedBy()).toEqual(['complete', 'planned']);
    await place.change(complete('b'));
    expect(await listedBy()).toEqual(['complete', 'done']);
  });

  test('a budget that nothing keeps to is told', async () => {
    const user = newUser();
    const said = async (...args: readonly string[]) => (await user.run(['init', ...args, '--dry-run'])).error;
    expect(await said('Build a web shop', '--budget-usd', '20')).toContain(
      'The budget limits nothing: rules',
    );
    expect(await said('Build a web shop')).not.toContain('budget');
  });

  test('a paused plan says why, and the command that goes on', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a'], ['b']), { type: 'plan_paused', because: 'user' });
    const goesOn = `\`plan resume ${PLAN}\` goes on`;
    const status = (await place.run(['status'])).out;
    expect(status).toContain('paused (user)\n');
    expect(status).toContain(goesOn);
    const list = await place.run(['list']);
    expect(list.out).toContain('paused (user)');
    expect(list.error).toContain(`${PLAN} is paused (user): ${goesOn}`);
    // Below the list, where both are on one screen.
    const screen = newUser(place.folder, 'plan', ['sh', '-c', 'exec "$0" "$@" 2>&1']);
    expect((await screen.start(['list']).ended).out).toMatch(/Ship the product\n[0-9a-f]{8} is paused/);
  });

  test('pausing says who is still at it, and that nobody is', async () => {
    const place = await newWorkplace();
    const run = { id: 'run-1', host: hostname(), pid: process.ppid, started_at: '2026-11-21T00:00:00Z' };
    await place.change(expand('root', ['a'], ['b']), { type: 'planning_started', run, replaces: null });
    const asked = (await place.run(['pause'])).out;
    expect(asked).toContain(`\nProcess ${process.ppid} on ${hostname()} has been asked to stop, and calls`);
    expect(asked).toContain(`after that \`plan resume ${PLAN}\` goes on.\n`);
    expect(Object.keys((await place.run(['pause', '--json'])).json())).toEqual(['plan']);
    await place.change({ type: 'planning_ended', run: 'run-1', usage: NO_USAGE });
    expect((await place.run(['pause'])).out).toMatch(/\n`plan resume \w+` goes on\.\n$/);
  });

  test('a pause that is refused writes nothing', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    const events = async () => (await place.run(['log', '--json'])).json().events;
    const before = await events();
    expect((await place.run(['pause'])).status).toBe(4);
    expect(await events()).toEqual(before);
  });

  test('undo counts goals that are gone apart, and a plan that nobody plans is to plan', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a'], ['b']));
    expect((await place.run(['status'])).out).toMatch(/^Plan +\w+ {2}to plan$/m);
    const undone = await place.run(['undo', '--any', '--yes']);
    expect(undone.out).toContain('\nRestored 1 goal and removed 2 goals.\n');
    expect(undone.out).toContain(`${PLAN}  to plan`);
  });

  test('the question before undo has the whole time until which a goal is claimed', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    await place.run(['edit', '1', 'Decide on the sign-in methods that the users of the web API are to have']);
    await place.run(['claim', '1']);
    expect((await place.run(['undo'])).error).toMatch(
      /\(claimed “.*” until \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\?/,
    );
  });

  test('a goal is to do, ready, waiting or claimed; divided; done; failed; never atomic or decomposing', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c', 'd'], ['e', 'f']), expand('e', ['g']), {
      type: 'dependencies_changed',
      changes: [{ goal: id('b'), add: [id('a')], remove: [] }],
    });
    await place.change(complete('c'), fail('d'));
    await place.run(['claim', 'a', '--by', 'ana']);
    const { out } = await place.run(['status', '--verbose']);
    expect(
      out.match(/^ *(?:\d[\d.]* |)(?:Goal \w+|Ship the product) \[.*\]$/gm)?.map((line) => line.trim()),
    ).toEqual([
      'Ship the product [divided]',
      '1 Goal a [to do (claimed by ana)]',
      '2 Goal b [to do (waiting)]',
      '3 Goal c [done]',
      '4 Goal d [failed]',
      '5 Goal e [divided]',
      '5.1 Goal g [to do (ready)]',
      '6 Goal f [to plan]',
    ]);
    const { goals } = (await place.run(['status', '--verbose', '--json'])).json();
    expect((goals as readonly { readonly state: string }[]).map(({ state }) => state)).toEqual([
      'divided',
      'claimed',
      'waiting',
      'done',
      'failed',
      'divided',
      'ready',
      'to_plan',
    ]);
    const { children, goal } = (await place.run(['show', 'root', '--json'])).json();
    expect((children as readonly { readonly state: string }[])[0]?.state).toBe('claimed');
    expect((goal as { state: string }).state).toBe('divided');
    const shown = (await place.run(['show', 'root'])).out;
    expect(shown).toContain('Status     divided\n');
    expect(shown).toContain('  1 Goal a [to do (claimed by ana)]\n  2 Goal b [to do (waiting)]\n');
    expect((await place.run(['reopen', 'd'])).out).toBe('Reopened 4 Goal d [to do]\n');
    expect((await place.run(['waves'])).out).not.toMatch(/atomic|decomposing|pending/);
  });

  test('one is one: a goal that one other waits for', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), {
      type: 'dependencies_changed',
      changes: [{ goal: id('b'), add: [id('a')], remove: [] }],
    });
    expect((await place.run(['next'])).out).toBe('1 Goal a  (1 goal waits for it)\n');
  });

  test('warnings name goals by number, and no screen names one by an id that nobody typed', async () => {
    const place = await newWorkplace();
    const warnings = [{ code: 'max_depth', goal_id: id('b'), message: 'odd' }];
    await place.change({ ...expand('root', ['a', 'b']), warnings });
    const { out } = await place.run(['status']);
    expect(out).toContain('warning: goal 2: odd\n');
    expect((await place.run(['edit', '2', '--description', 'Do it'])).out).toMatch(/^~ 2 {2}Do it$/m);
  });

  test('a warning ends with what it warns of, and what was wrong with an answer is told when it comes', async () => {
    const place = await newWorkplace();
    const warning = (code: string, goal: string | null) => ({
      code,
      goal_id: goal === null ? null : id(goal),
      message: `about ${code}`,
    });
    const warnings = [warning('max_depth', 'a'), warning('repeated', 'root'), warning('not_linked', null)];
    await place.change({ ...expand('root', ['a', 'b', 'c']), warnings });
    const said = async (...options: string[]) =>
      [...(await place.run(['status', ...options])).out.matchAll(/about (\w+)/g)].map(([, code]) => code);
    const codes = async () => {
      const { plan } = (await place.run(['status', '--json'])).json() as {
        plan: { warnings: { code: string }[] };
      };
      return plan.warnings.map(({ code }) => code);
    };
    expect(await said()).toEqual(['max_depth', 'not_linked']);
    expect(await said('--verbose')).toEqual(['max_depth', 'repeated', 'not_linked']);
    await place.change(complete('a'), { ...fail('b'), warnings: [warning('needs_review', 'b')] });
    expect(await codes()).toEqual(['repeated', 'not_linked', 'needs_review']);
    await place.change({ type: 'goal_reopened', goal: id('b') });
    expect(await codes()).toEqual(['repeated', 'not_linked']);
    expect(await said()).toEqual(['not_linked']);
    await place.change(complete('b'), complete('c'));
    expect(await codes()).toEqual([]);
  });
});

describe('what now', () => {
  test('claims with their ends, failed goals by name with what mends them, and the next command', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c']), fail('b'));
    await place.run(['claim', 'a', '--by', 'ana', '--for', '90m']);
    const { out } = await place.run(['status'], { TZ: 'Asia/Kolkata' });
    expect(out).toMatch(/^ {2}1 +Goal a · by ana until \d{4}-\d\d-\d\d \d\d:\d\d \+05:30 \(in [12] h\)$/m);
    expect(out).toMatch(/^Failed 1\n {2}2 +Goal b: \S+/m);
    expect(out).toContain('\nNext `plan next --claim` takes');
    await place.change(complete('c'));
    expect((await place.run(['status'])).out).toMatch(
      /^Next `plan reopen 2` tries it again, `plan replan 2` plans it another way\.$/m,
    );
  });

  test('with everything done it says so', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']), complete('a'));
    expect((await place.run(['status'])).out).toContain('\nNext nothing: every goal is done.\n');
  });

  test('show shows criteria, tags, notes, action plans and failures', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    await place.run(['edit', '1', '--tag', 'web', 'db', '--acceptance', 'It starts']);
    await place.change(fail('a'));
    await place.change({ type: 'action_plan_linked', goal: id('a'), action_plan: 'ap-abcdef' });
    const { out } = await place.run(['show', '1']);
    expect(out).toContain('Tags       web, db\n');
    expect(out).toContain('\nDone when\n  - It starts\n');
    expect(out).toMatch(/^Failed +.+: the server was down$/m);
    expect(out).toMatch(/\nAction plans\n {2}- ap-abcdef\n/);
  });
});

describe('search', () => {
  test('by tag, state, holder and words; together they narrow, and --json has the same goals', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c'], ['d']), expand('d', ['e']), complete('c'));
    await place.run(['edit', '1', '--tag', 'web']);
    await place.run(['edit', '4.1', '--description', 'Write the CSV Export', '--detail', 'with invoices']);
    await place.run(['claim', '2', '--by', 'ana@desk']);
    const found = async (...args: readonly string[]) => {
      const { goals } = (await place.run(['tree', '--json', ...args])).json();
      const { goals: verbose } = (await place.run(['status', '--verbose', '--json', ...args])).json();
      expect(verbose).toEqual(goals);
      return (goals as { number: string }[]).map(({ number }) => number);
    };
    expect(await found('--tag', 'web')).toEqual(['1']);
    expect(await found('--by', 'ana')).toEqual(['2']);
    expect(await found('--by', 'an')).toEqual([]);
    expect(await found('--status', 'ready')).toEqual(['1', '4.1']);
    expect(await found('--text', 'export INVOICES')).toEqual(['4.1']);
    expect(await found('--text', 'export', '--tag', 'web')).toEqual([]);
    expect((await place.run(['tree', '--text', 'csv'])).out).toBe(
      '◐ Ship the product\n└─ ◐ 4 Goal d\n   └─ ● 4.1 Write the CSV Export\n',
    );
    expect((await place.run(['list', '--text', 'csv'])).out).toContain(PLAN);
    expect((await place.run(['list', '--tag', 'nothing'])).out).toBe('');
    expect((await place.run(['status', '--tag', 'web', '--json'])).json()).toMatchObject({
      ready: [id('a')],
      claimed: [],
    });
  });

  test('aliases are what people guess, and a goal needs no quotes', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    expect((await place.run(['ls'])).out).toContain(PLAN);
    expect((await place.run(['start', '1', '--by', 'test'])).out).toContain('Claimed 1 Goal a');
    expect((await place.run(['done', '1', '--by', 'test'])).status).toBe(0);
    expect((await place.run(['rename', '2', '--description', 'Other'])).out).toContain('~ 2  Other');
    expect((await place.run(['block', '2', '--reason', 'no'])).out).toContain('Failed');
    const made = (await place.run(['new', 'Move', 'the', 'blog', '--json'])).json();
    expect(made).toMatchObject({ plan: { description: 'Move the blog' } });
  });
});
