import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

const leaf = (description: string) => ({ description, atomic: true });

/** A plan of an agent that has answered all but which of two goals need each other. */
async function newPlace() {
  const workingFolder = temporaryFolder();
  const workspace = openWorkspace({
    environment: { workingFolder, homeFolder: workingFolder, variables: { FRCTL_BY: 'ana' } },
  });
  await workspace.init({ goal: 'Build a large jet', expander: 'agent' }).result;
  await workspace.answer({
    answers: [{ goal: 'root', atomic: false, sub_goals: [leaf('Draw the jet'), leaf('Order the engines')] }],
  });
  const standing = async () => {
    const { plan } = await workspace.status();
    const { left } = await workspace.ask();
    return { status: plan.status, left };
  };
  return { workspace, standing };
}

test('a plan rests before its last question as long as there are goals that could need each other', async () => {
  const { standing } = await newPlace();
  expect(await standing()).toEqual({ status: 'paused', left: 1 });
});

test.each([
  ['removed', (workspace) => workspace.remove('2')],
  ['merged', (workspace) => workspace.merge(['1', '2'], { description: 'Draw the jet, order its engines' })],
  [
    'divided in another way',
    async (workspace) => {
      await workspace.undo();
      return workspace.answer({
        answers: [{ goal: 'root', atomic: false, sub_goals: [leaf('Draw the jet')] }],
      });
    },
  ],
] satisfies readonly (readonly [
  string,
  (workspace: ReturnType<typeof openWorkspace>) => Promise<unknown>,
])[])('once one of two goals is %s, nothing is left to ask, and the plan says so', async (_how, change) => {
  const { workspace, standing } = await newPlace();
  await change(workspace);
  expect(await standing()).toEqual({ status: 'complete', left: 0 });
});
