import { expect, test } from 'vitest';

import { databaseError, isLostConnection } from '../../../src/storage/postgres/database-errors.js';

test('a name that is not found is a server out of reach, as that of a container which is stopped', () => {
  const thrown = Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' });
  expect(isLostConnection(thrown)).toBe(true);
  expect(databaseError(thrown, 'postgres://u:p@db/plans', 'db/plans')).toMatchObject({
    code: 'STORAGE_FAILED',
    message: 'the database db/plans cannot be reached: getaddrinfo ENOTFOUND db',
    hint: expect.stringContaining('Look whether it runs') as string,
  });
});
