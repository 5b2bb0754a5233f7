import { expect, test } from 'vitest';

import { inServer, newDatabase } from '../../support/postgres.js';

test('there is a real PostgreSQL for every test, with databases of its own', async () => {
  const [one, other] = [await newDatabase(), await newDatabase()];
  await inServer(one, 'create table mine (id int)');
  await expect(inServer(other, 'select * from mine')).rejects.toMatchObject({ code: '42P01' });
});
