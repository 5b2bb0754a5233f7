import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import type { Workspace } from '../../src/workspace.js';
import { newUser } from '../support/command.js';
import { mergeBothWays, twoClones } from '../support/clones.js';
import { temporaryFolder } from '../support/folders.js';
import { complete, expand, id, newWorkplace } from '../support/worked-plan.js';

interface Place {
  readonly workspace: Workspace;
  readonly plan: string;
  readonly folder: string;
}

/** A store in files with a plan of three goals, which rules made. */
async function newPlace(): Promise<Place> {
  const folder = temporaryFolder();
  const workspace = openWorkspace({ dir: join(folder, '.plans'), environment: me(folder) });
  const { plan } = await workspace.init('Paint the fence and water the roses and mow the lawn').result;
  return { workspace, plan: plan.id, folder };
}

function me(folder: string) {
  const variables = { XDG_CONFIG_HOME: join(folder, 'config'), FRCTL_BY: 'me' };
  return { workingFolder: folder, homeFolder: folder, variables };
}

/** Every goal as the plan has it. */
async function goalsOf({ workspace, plan }: Place) {
  const { goals } = await workspace.status(plan, { verbose: true });
  return goals;
}

function eventsOf({ folder, plan }: Place): readonly Record<string, unknown>[] {
  return readFileSync(join(folder, '.plans', `${plan}.events.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('plan undo', () => {
  test('takes a completion back with the digests that it caused, and redo brings both back', async () => {
    const place = await newPlace();
    const { workspace } = place;
    for (const goal of ['1', '2'])
      await workspace.complete(goal, { summary: `Did goal ${goal} well.`, force: true });
    const before = await goalsOf(place);
    await workspace.complete('3', { summary: 'Mowed the lawn to 4 cm.', force: true });
    const done = await goalsOf(place);
    const [completion, digest] = eventsOf(place).slice(-2);
    expect([completion?.type, digest?.type]).toEqual(['goal_completed', 'goal_digested']);
    expect(completion).not.toHaveProperty('change');
    expect(digest).toMatchObject({ change: completion?.id });

    const { undone } = await workspace.undo();
    expect(undone).toMatchObject({ type: 'goal_completed', events: 2 });
    expect(await goalsOf(place)).toEqual(before);
    expect((await workspace.redo()).redone).toMatchObject({ event: undone.event, events: 2 });
    expect(await goalsOf(place)).toEqual(done);
    // And back again, as often as one likes.
    await workspace.undo();
    expect(await goalsOf(place)).toEqual(before);
  });

  test('takes back one command after the other, and redo brings them back in turn', async () => {
    const place = await newPlace();
    const { workspace } = place;
    const states = [await goalsOf(place)];
    for (const description of ['Feed the cat', 'Feed the dog']) {
      await workspace.add({ description });
      states.push(await goalsOf(place));
    }
    await workspace.undo();
    await workspace.undo();
    expect(await goalsOf(place)).toEqual(states[0]);
    await workspace.redo();
    expect(await goalsOf(place)).toEqual(states[1]);
    await workspace.redo();
    expect(await goalsOf(place)).toEqual(states[2]);
    await expect(workspace.redo()).rejects.toMatchObject({ code: 'WRONG_STATE' });
  });

  test('takes back all that one run of planning divided', async () => {
    const place = await newPlace();
    const { undone, plan } = await place.workspace.undo();
    expect(undone.type).toBe('goal_expanded');
    expect(plan).toMatchObject({ total_goals: 1, pending_goals: 1 });
    await place.workspace.redo();
    expect(await goalsOf(place)).toHaveLength(4);
  });

  test('leaves alone what somebody else did, unless that is asked for', async () => {
    const { workspace, plan } = await newPlace();
    await workspace.edit('1', { description: 'Paint the gate' });
    await workspace.edit('2', { description: 'Water the tulips', by: 'ann' });
    const { undone } = await workspace.undo();
    expect(undone).toMatchObject({ by: 'me' });
    expect((await workspace.show('1')).goal.description).not.toBe('Paint the gate');
    expect((await workspace.show('2')).goal.description).toBe('Water the tulips');
    await expect(workspace.undo({ by: 'ben' })).rejects.toMatchObject({
      code: 'WRONG_STATE',
      message: expect.stringMatching(/^there is no change of yours to undo in plan \w{8}$/) as string,
      hint: expect.stringMatching(/is by ann: --any/) as string,
    });
    expect((await workspace.undo({ plan, any: true })).undone.by).toBe('ann');
  });

  test('never takes a claim from somebody who holds it, but with force', async () => {
    const { workspace, plan } = await newPlace();
    await workspace.claim('1', { by: 'ann', for: '1h' });
    const size = (await workspace.log(plan)).length;
    await expect(workspace.undo({ any: true })).rejects.toMatchObject({
      code: 'REFUSED',
      details: { claimed_by: 'ann' },
      hint: expect.stringMatching(/--force/) as string,
    });
    expect(await workspace.log(plan)).toHaveLength(size);
    await workspace.undo({ any: true, force: true });
    expect((await workspace.show('1')).goal.claim).toBeUndefined();
  });

  test('is refused, and writes nothing new, where a goal has changed since', async () => {
    const place = await newPlace();
    const { workspace } = place;
    await workspace.edit('1', { description: 'Paint the gate' });
    await workspace.edit('1', { description: 'Paint the door', by: 'ann' });
    const size = eventsOf(place).length;
    for (const force of [false, true])
      await expect(workspace.undo({ force })).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringMatching(
          /goal 1 “Paint the door” has changed since: ann edited description of “Paint the gate”/,
        ) as string,
        hint: expect.stringMatching(/--skip .*--any/) as string,
      });
    expect(eventsOf(place)).toHaveLength(size);
    expect((await workspace.show('1')).goal.description).toBe('Paint the door');
  });

  test('passes over what cannot be taken back any more, and so does redo', async () => {
    const place = await newPlace();
    const { workspace } = place;
    await workspace.edit('2', { description: 'Water the tulips' });
    await workspace.edit('1', { description: 'Paint the gate' });
    await workspace.edit('1', { description: 'Paint the door', by: 'ann' });
    expect((await workspace.undo({ skip: true })).undone.message).toContain('Water the roses');
    expect((await workspace.show('1')).goal.description).toBe('Paint the door');
    expect((await workspace.redo()).redone.message).toContain('Water the roses');
    // The division itself cannot be taken back while others have changed what it made.
    const size = eventsOf(place).length;
    await workspace.undo({ skip: true });
    await expect(workspace.undo({ skip: true })).rejects.toMatchObject({
      code: 'WRONG_STATE',
      message: expect.stringMatching(
        /^there is no change of yours that can be undone in plan \w{8}$/,
      ) as string,
    });
    expect(eventsOf(place)).toHaveLength(size + 1);
  });

  test('with force it takes back what was done to a goal that somebody claimed since, and the claim with it', async () => {
    const place = await newPlace();
    const { workspace } = place;
    await workspace.edit('1', { description: 'Paint the gate' });
    await workspace.claim('1', { by: 'ann', for: '1h' });
    const size = eventsOf(place).length;
    await expect(workspace.undo()).rejects.toMatchObject({ details: { claimed_by: 'ann' } });
    expect(eventsOf(place)).toHaveLength(size);
    await workspace.undo({ force: true });
    const { goal } = await workspace.show('1');
    expect([goal.description, goal.claim]).toEqual(['Paint the fence', undefined]);
  });

  test('frees a goal whose work by an agent is over, and gives a person his own claim again', async () => {
    const made = await newWorkplace();
    const environment = { workingFolder: made.folder, homeFolder: made.home, variables: { FRCTL_BY: 'ana' } };
    const workspace = openWorkspace({ dir: made.store, environment });
    await made.change(expand('root', ['a', 'b']));
    const tokenOf = async (number: string) => (await workspace.claim(number, { for: '1h' })).claimed.token;
    const tokens = [await tokenOf('1'), await tokenOf('2')] as const;
    await workspace.complete('1', { token: tokens[0] });
    await workspace.complete('2', { token: tokens[1] });
    await made.change({
      type: 'work_attempted',
      goal: id('b'),
      token: tokens[1],
      try: 1,
      agent: 'mine',
      outcome: 'landed',
      commit: null,
      files: [],
      cost_usd: null,
      seconds: 1,
      session: null,
    });
    await workspace.undo();
    expect((await workspace.show('2')).goal.claim).toBeUndefined();
    await workspace.claim('2', { by: 'ben' });
    await workspace.release('2', { by: 'ben' });
    await workspace.undo();
    expect((await workspace.show('1')).goal.claim).toMatchObject({ by: 'ana' });
    await workspace.redo();
    await workspace.redo();
    expect((await workspace.status()).plan.progress).toBe('done');
  });

  test('a claim that came and went in between keeps nobody from undoing', async () => {
    const { workspace } = await newPlace();
    await workspace.edit('1', { description: 'Paint the gate' });
    await workspace.claim('1', { by: 'ann', for: '1h' });
    await workspace.release('1', { by: 'ann' });
    await workspace.undo();
    expect((await workspace.show('1')).goal.description).toBe('Paint the fence');
  });

  test('what is told of a plan has the levels that there are, also after what made them was undone', async () => {
    const { workspace } = await newPlace();
    expect((await workspace.status()).plan.max_depth).toBe(1);
    expect((await workspace.undo()).plan.max_depth).toBe(0);
    expect((await workspace.list()).plans[0]?.max_depth).toBe(0);
    expect((await workspace.redo()).plan.max_depth).toBe(1);
  });

  test('a split is called one', async () => {
    const { workspace } = await newPlace();
    await workspace.split('1', { into: ['Sand the fence', 'Varnish the fence'] }).result;
    expect((await workspace.undo()).undone.message).toBe('split “Paint the fence” into 2');
  });

  test('commands in a workspace that keeps its plans in memory are changes of their own too', async () => {
    const workspace = openWorkspace({ store: 'memory', environment: me(temporaryFolder()) });
    await workspace.init('Paint the fence and water the roses').result;
    await workspace.add({ description: 'Feed the cat' });
    const { plan } = await workspace.undo();
    expect(plan.total_goals).toBe(3);
  });
});

test('undoing and redoing in two clones comes to the same in both, whichever way they are merged', async () => {
  const [one, two] = await twoClones();
  const by = { FRCTL_BY: 'test' };
  await one.change(complete('a'));
  one.commit('a');
  mergeBothWays(one, two);
  await one.run(['undo', '--yes'], by);
  one.commit('undo');
  await two.run(['undo', '--yes'], by);
  await two.run(['redo'], by);
  two.commit('undo and redo');
  mergeBothWays(one, two);
  const [ours, theirs] = [(await one.open()).plan, (await two.open()).plan];
  expect(Object.fromEntries(ours.goals)).toEqual(Object.fromEntries(theirs.goals));
  expect((await one.run(['validate'])).out).toBe('valid\n');
});

test('plan undo and plan redo say what they did', async () => {
  const user = newUser();
  await user.run(['init', 'Paint the fence and water the roses']);
  expect((await user.run(['undo', '--yes'])).out).toMatch(
    /^Undid what .*:\n  split “Paint.*into 2\nRestored 1 goal and removed 2 goals\.\n/,
  );
  expect((await user.run(['redo'])).out).toMatch(
    /^Redid what .*:\n  split “Paint.*into 2\nChanged 3 goals\.\n/,
  );
  await user.run(['complete', '1', '2', '--summary', 'both. Really']);
  expect((await user.run(['undo', '--yes'])).out).toMatch(
    /:\n  completed “Paint the fence”: both\. Really\n  and \d more changes? that came with it\nRestored 3 goals\.\n/,
  );
  expect(readdirSync(join(user.folder, '.plans'))).toContain('index.json');
});

test('the log tells another order of goals from another place', async () => {
  const { workspace, plan } = await newPlace();
  await workspace.move('3', { under: 'root', at: 1 });
  expect((await workspace.log(plan)).at(-1)?.message).toMatch(/^moved “.*” to another place below “/);
});
