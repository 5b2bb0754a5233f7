import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

async function newPlace() {
  const environment = { workingFolder: temporaryFolder(), homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.init({ goal: 'Furnish the room', expander: 'rules' }).result;
  await workspace.add('Build the shelf', { acceptance: ['Ana has seen it'] });
  await workspace.add('Varnish it');
  const tree = async () =>
    (await workspace.status({ verbose: true })).goals?.map(({ number, description }) =>
      `${number} ${description}`.trim(),
    );
  return { workspace, tree };
}

test('a goal that is moved under a piece of work leaves that work as its first sub-goal; one undo takes both back', async () => {
  const { workspace, tree } = await newPlace();
  const before = await tree();
  const shelf = before?.find((line) => line.endsWith('Build the shelf'))?.split(' ')[0] ?? '';
  const varnish = before?.find((line) => line.endsWith('Varnish it'))?.split(' ')[0] ?? '';
  await workspace.move(varnish, { under: shelf, dryRun: true });
  expect(await tree()).toEqual(before);
  await workspace.move(varnish, { under: shelf });
  const after = await tree();
  expect(after).toEqual(
    expect.arrayContaining([
      `${shelf} Build the shelf`,
      `${shelf}.1 Build the shelf`,
      `${shelf}.2 Varnish it`,
    ]),
  );
  const { goal } = await workspace.show(`${shelf}.1`);
  expect(goal).toMatchObject({ acceptance: ['Ana has seen it'], status: 'atomic' });
  await workspace.undo({});
  expect(await tree()).toEqual(before);
});

test('a goal is not moved under work that is done, and nothing is left of the attempt', async () => {
  const { workspace, tree } = await newPlace();
  const lines = (await tree()) ?? [];
  const shelf = lines.find((line) => line.endsWith('Build the shelf'))?.split(' ')[0] ?? '';
  const varnish = lines.find((line) => line.endsWith('Varnish it'))?.split(' ')[0] ?? '';
  await workspace.complete(shelf);
  await expect(workspace.move(varnish, { under: shelf })).rejects.toMatchObject({ code: 'REFUSED' });
  expect(await tree()).toEqual(lines);
});
