import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const FORGOTTEN = ['user.name', 'user.email'];

/** A place whose user git does not know by the settings of his home. */
async function newStranger(): Promise<AgentsPlace> {
  const place = await newAgentsPlace('echo x > a.txt');
  await place.workspace.edit('1', { checks: ['ok'] });
  for (const setting of FORGOTTEN) place.git('config', '--global', '--unset', setting);
  return place;
}

const committedBy = (place: AgentsPlace) =>
  place.git('log', '-1', '--format=%an <%ae>, %cn <%ce>', 'main').trim();

test('who is named by the settings of the repository alone commits what agents did', async () => {
  const place = await newStranger();
  place.git('config', 'user.name', 'Bea "B" O’Neil');
  place.git('config', 'user.email', 'bea@example.org');
  place.git('config', 'author.name', 'Agents of Bea');
  expect((await place.workspace.work({})).goals).toMatchObject([{ outcome: 'landed' }]);
  expect(committedBy(place)).toBe('Agents of Bea <bea@example.org>, Bea "B" O’Neil <bea@example.org>');
});

test('who is named by variables commits what agents did', async () => {
  const place = await newStranger();
  const named = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Cy'],
    [`GIT_${role}_EMAIL`, 'cy@example.org'],
  ]);
  const { out, status } = await place.start(['work', '--json'], {
    ...place.variables,
    ...Object.fromEntries(named),
  }).ended;
  expect({ status, out }).toMatchObject({ status: 0 });
  expect(committedBy(place)).toBe('Cy <cy@example.org>, Cy <cy@example.org>');
});

test('who is named nowhere is told so before anything begins', async () => {
  const place = await newStranger();
  place.git('config', 'user.useConfigOnly', 'true');
  await expect(place.workspace.work({})).rejects.toMatchObject({
    code: 'REFUSED',
    message: 'git does not know who you are',
  });
});
