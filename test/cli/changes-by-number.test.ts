import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

test('a change of dependencies is shown by the numbers of goals, never by their ids', async () => {
  const user = newUser();
  await user.run(['init', 'Build a REST API with authentication']);
  expect((await user.run(['depend', '3', '--on', '2'])).out).toContain('    waits for: 1 → 1, 2\n');
  expect((await user.run(['depend', '3', '--not-on', '1', '2'])).out).toContain('waits for: 1, 2 → none\n');
  const removed = await user.run(['remove', '6']);
  expect(removed.out).toContain('    waits for: 6 (removed) → 5, 4\n');
  const replanned = await user.run(['edit', '5', '--description', 'Add authentication to the app']);
  expect(replanned.out + removed.out).not.toMatch(/[0-9a-f]{8}-/);
});
