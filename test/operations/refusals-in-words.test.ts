import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

async function place() {
  const made = await newWorkplace();
  const environment = { workingFolder: made.folder, homeFolder: made.home, variables: { FRCTL_BY: 'ana' } };
  return { ...made, workspace: openWorkspace({ dir: made.store, environment }) };
}

test('refusals say how it stands with a goal in the words of the screen, and what can be done', async () => {
  const there = await place();
  const { workspace } = there;
  const change: typeof there.change = (...payloads) => there.change(...payloads);
  await change(expand('root', ['b'], ['a', 'c']), expand('a', ['d']));
  const divided = {
    code: 'WRONG_STATE',
    message: 'goal 2 “Goal a” is divided; only an atomic goal can be completed',
    hint: expect.stringContaining('sub-goals') as string,
    details: expect.objectContaining({ status: 'decomposing', goal: id('a') }) as object,
  };
  await expect(workspace.complete('2')).rejects.toMatchObject(divided);
  await expect(workspace.claim('3')).rejects.toMatchObject({
    message: 'goal 3 “Goal c” is to plan; only an atomic goal can be claimed',
  });
  await expect(workspace.digest('1')).rejects.toMatchObject({
    message: 'goal 1 “Goal b” is to do; only finished work has a digest',
  });
  await expect(workspace.draft('2')).rejects.toMatchObject({
    message: 'goal 2 “Goal a” is divided; only an atomic goal has action plans',
  });
  await workspace.complete('1');
  await expect(workspace.complete('1')).rejects.toMatchObject({ message: 'goal 1 “Goal b” is done already' });
  await expect(workspace.edit('1', { description: 'Goal x' })).rejects.toMatchObject({
    message: 'goal 1 “Goal b” is done; reopen it first',
  });
  await expect(workspace.reopen('2')).rejects.toMatchObject({
    message: expect.stringMatching(/^goal 2 “Goal a” /) as string,
  });
});

test('the log names goals in refusals by number and words, also those that are gone by then', async () => {
  const there = await place();
  const { workspace } = there;
  const change: typeof there.change = (...payloads) => there.change(...payloads);
  await change(expand('root', ['b', 'c'], ['a']), expand('a', ['d']));
  await change({ type: 'goal_completed', goal: id('a') });
  await change({
    type: 'dependencies_changed',
    changes: [
      { goal: id('b'), add: [id('c')], remove: [] },
      { goal: id('c'), add: [id('b')], remove: [] },
    ],
  });
  await change({ type: 'goal_removed', goal: id('b') });
  await change({ type: 'goal_claimed', goal: id('b'), token: 'abc', expires_at: '2099-01-01T00:00:00Z' });
  const { length } = await workspace.log();
  const refused = (await workspace.log()).filter((entry) => entry.refused !== null);
  expect(length).toBeGreaterThan(refused.length);
  expect(refused.map((entry) => entry.refused)).toEqual([
    'goal 3 “Goal a” is divided; only an atomic goal can be completed',
    'goals would wait for each other: 1 “Goal b” → 2 “Goal c” → 1 “Goal b”',
    'there is no goal “Goal b”, which is gone',
  ]);
  expect(refused.at(-1)?.message).toContain('“Goal b”');
});
