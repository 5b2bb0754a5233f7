import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const NUMBERS = Array.from({ length: 25 }, (_, number) => String(number).padStart(2, '0'));

test.each([
  ['runs', (number: string) => join('runs', `run-000000${number}.events.jsonl`)],
  ['list', (number: string) => `000000${number}.json`],
])(
  'plan %s names the first of very many files that cannot be read, and how many more',
  async (command, at) => {
    const user = newUser();
    mkdirSync(join(user.folder, '.plans', 'runs'), { recursive: true });
    for (const number of NUMBERS)
      writeFileSync(join(user.folder, '.plans', at(number)), 'nothing of the kind\n');
    const { error } = await user.run([command]);
    expect(error.split('warning: ').slice(1)).toHaveLength(21);
    expect(error).toContain('5 more problems');
    expect((await user.run([command, '--json'])).json().problems).toHaveLength(25);
  },
);
