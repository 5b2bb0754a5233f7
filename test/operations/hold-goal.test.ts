import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

/** A plan of 1 (with 1.1 and 1.2) and 2, at a time that the test moves. */
async function place() {
  const made = await newWorkplace();
  let now = Date.parse('2030-05-01T10:00:00Z');
  const environment = {
    workingFolder: made.folder,
    homeFolder: made.home,
    variables: { FRCTL_BY: 'ana' },
    now: () => now,
  };
  const workspace = openWorkspace({ dir: made.store, environment });
  await made.change(expand('root', [], ['a']), expand('a', ['c', 'd']));
  await workspace.add('Goal b');
  const letPass = (milliseconds: number) => void (now += milliseconds);
  return { ...made, workspace, letPass };
}

const numbersOf = (goals: readonly { readonly number: string }[]) => goals.map(({ number }) => number);

test('a goal on hold is offered nowhere, with all below it, and says why; the goals above it go on', async () => {
  const { workspace } = await place();
  const before = numbersOf((await workspace.next()).goals).toSorted();
  await workspace.hold('1', { reason: 'waits for the licence' });
  const after = (await workspace.next()).goals;
  expect(numbersOf(after).filter((number) => number.startsWith('1'))).toEqual([]);
  expect(numbersOf(after)).toEqual(before.filter((number) => !number.startsWith('1')));
  const status = await workspace.status({ verbose: true });
  expect(status.on_hold).toContainEqual({ goal: id('c'), by: id('a'), reason: 'waits for the licence' });
  expect([...status.ready, ...status.blocked.map(({ goal }) => goal)]).not.toContain(id('c'));
  const waves = await workspace.waves();
  expect(waves.waves.flat().map(({ goal }) => goal)).not.toContain(id('c'));
  expect(waves.on_hold?.map(({ goal }) => goal)).toContain(id('c'));
  expect((await workspace.show('1.1')).hold).toEqual({
    by: { id: id('a'), number: '1' },
    reason: 'waits for the licence',
  });
  expect(numbersOf((await workspace.status({ status: 'on-hold', verbose: true })).goals ?? [])).toContain(
    '1.1',
  );
  const refused = { code: 'REFUSED', details: { refusal: { code: 'on_hold', held: id('a') } } };
  await expect(workspace.claim('1.1')).rejects.toMatchObject(refused);
  await expect(workspace.complete('1.1')).rejects.toMatchObject(refused);
  await expect(workspace.complete('1.1', { force: true })).resolves.toMatchObject({
    goal: { status: 'complete' },
  });
  await expect(workspace.unhold('1.2')).rejects.toMatchObject({ code: 'REFUSED' });
  await workspace.unhold('1');
  expect(numbersOf((await workspace.next()).goals)).toContain('1.2');
});

test('a wave has nothing that comes after a goal on hold, and with nothing else the reason says so', async () => {
  const { workspace } = await place();
  await workspace.add('Comes after 2', { dependsOn: ['2'] });
  await workspace.hold('2', { reason: 'later' });
  const { waves, on_hold } = await workspace.waves();
  expect(waves.flat().map(({ description }) => description)).not.toContain('Comes after 2');
  expect(on_hold?.map(({ description }) => description)).toContain('Comes after 2');
  await workspace.hold('1', { reason: 'later too' });
  const { reason } = await workspace.next();
  expect(reason).toMatchObject({ code: 'on_hold', counts: { on_hold: 3, waiting: 1 } });
  expect(reason?.message).toContain('on hold');
});

test('a hold ends by itself when its time has come; a day begins at midnight here', async () => {
  const { workspace, letPass } = await place();
  await workspace.hold('2', { reason: 'next month', until: '2030-05-02' });
  const until = (await workspace.show('2')).goal.on_hold?.until ?? '';
  expect(new Date(until).getHours()).toBe(0);
  expect(numbersOf((await workspace.next()).goals)).not.toContain('2');
  letPass(48 * 3_600_000);
  expect(numbersOf((await workspace.next()).goals)).toContain('2');
  await expect(workspace.claim('2')).resolves.toMatchObject({ claimed: { by: 'ana' } });
  for (const wrong of ['yesterday', '2029-01-01', '2030-02-30'])
    await expect(workspace.hold('1', { reason: 'x', until: wrong })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
});

test('who has claimed a goal may put it on hold, which ends his claim; others may not, and done work is refused', async () => {
  const { workspace } = await place();
  await workspace.claim('2');
  await expect(workspace.hold('2', { reason: 'x', by: 'ben' })).rejects.toMatchObject({ code: 'REFUSED' });
  await workspace.hold('2', { reason: 'x' });
  expect((await workspace.show('2')).goal.claim).toBeUndefined();
  await workspace.undo();
  expect((await workspace.show('2')).goal).toMatchObject({ claim: { by: 'ana' } });
  await workspace.complete('2');
  await expect(workspace.hold('2', { reason: 'x' })).rejects.toMatchObject({ code: 'REFUSED' });
});

test('the most urgent goals come first, those below an urgent one with it', async () => {
  const { workspace } = await place();
  await workspace.edit('2', { priority: 'critical' });
  expect(numbersOf((await workspace.next()).goals)[0]).toBe('2');
  await workspace.edit('2', { priority: '3' });
  expect(numbersOf((await workspace.next()).goals).at(-1)).toBe('2');
  await workspace.edit('2', { clear: ['priority'] });
  await workspace.edit('1', { priority: 'HIGH' });
  expect(numbersOf((await workspace.next()).goals).at(-1)).toBe('2');
  expect((await workspace.show('1')).goal.priority).toBe(1);
  await workspace.add('Now', { priority: '0' });
  expect((await workspace.next()).goals[0]?.description).toBe('Now');
  await expect(workspace.add('Never', { priority: 'soon' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('an empty reason is told by the name that it was given by', async () => {
  const { workspace } = await place();
  await expect(workspace.hold('1', { reason: '' })).rejects.toMatchObject({ message: 'the reason is empty' });
});
