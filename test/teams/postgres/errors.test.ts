import { expect, test } from 'vitest';

import { databaseError, isLostConnection } from '../../../src/features/teams/postgres/database-errors.js';

test('a name that is not found is a server out of reach, as that of a container which is stopped', () => {
  const thrown = Object.assign(new Error('getaddrinfo ENOTFOUND db'), { code: 'ENOTFOUND' });
  expect(isLostConnection(thrown)).toBe(true);
  expect(databaseError(thrown, 'postgres://u:p@db/plans', 'db/plans')).toMatchObject({
    code: 'STORAGE_FAILED',
    message: 'the database db/plans cannot be reached: getaddrinfo ENOTFOUND db',
    hint: expect.stringContaining('Look whether it runs') as string,
  });
});

const said = (message: string, url: string) =>
  databaseError(Object.assign(new Error(message), { code: '28000' }), url, 'db/plans').message;

test('of what the database refused the URL and the password are hidden, and no other letters', () => {
  const short = 'postgres://eve:x@db/nodb';
  expect(said('database "nodb" does not exist', short)).toContain('database "nodb" does not exist');
  expect(said('password "x" is wrong, x', short)).toContain('password "***" is wrong, ***');
  expect(said(`cannot parse ${short}`, short)).not.toContain('eve:x');
  expect(said('at eve:x@db', short)).toContain('at eve:***@db');
  const same = 'postgres://frctl:frctl@db/plans';
  expect(said('role "frctl" is not permitted to log in', same)).toContain('role "frctl" is not permitted');
  expect(said('at frctl:frctl@db', same)).toContain('at frctl:***@db');
  const odd = 'postgres://eve:%40s%24.x%3F@db/plans';
  expect(said('no @s$.x? and no a@s$.x?b, but @s$ax?', odd)).toContain('no *** and no a***b, but @s$ax?');
  expect(said('not %40s%24.x%3F', odd)).not.toContain('%24');
});
