import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

test('a command line says the same in a process of its own and called as a function', async () => {
  const user = newUser();
  await user.start(['init', 'Build a REST API with authentication', '--yes']).ended;
  const lines = [
    ['status'],
    ['status', '--json'],
    ['list', '--no-color'],
    ['tree'],
    ['next', '--json'],
    ['show', '2'],
    ['show', '999'],
    ['show', '999', '--json'],
    ['complete', '1', '--note', ''],
    ['bogus', '--json'],
    ['status', '--bogus'],
    ['add', '-', '--json'],
  ];
  for (const line of lines) {
    const { json: _json, ...asProcess } = await user.start(line).ended;
    const { json: _same, ...asFunction } = await user.run(line);
    expect({ line, ...asFunction }).toEqual({ line, ...asProcess });
  }
});
