import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';

test('a workspace in memory keeps action plans as long as it lives', async () => {
  const request = 'open https://example.com, then click Docs';
  const workspace = openWorkspace({ store: 'memory', environment: { variables: {} } });
  const { plan } = await workspace.init({ goal: 'Build a REST API with authentication' }).result;
  const [goal] = (await workspace.next({ plan: plan.id })).goals;
  const drafted = await workspace.draft(goal?.id, { plan: plan.id, request });
  expect(drafted).toMatchObject({ id: expect.stringMatching(/^ap-/), file: null });
  expect((await workspace.preview(drafted.id ?? '')).action_plan).toEqual(drafted.action_plan);
  await workspace.delete(plan.id, { purge: true });
  await expect(workspace.preview(drafted.id ?? '')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
});
