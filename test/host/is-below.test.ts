import { expect, test } from 'vitest';

import { isBelow } from '../../src/host/files/is-below.js';

test.each([
  ['/work/a', '/work', true],
  ['/work/a/b', '/work/', true],
  ['/a', '/', true],
  ['/work/..a', '/work', true],
  ['/work/a/../b', '/work', true],
  ['/work', '/work', false],
  ['/work/', '/work', false],
  ['/', '/', false],
  ['/workshop/a', '/work', false],
  ['/work/../etc', '/work', false],
  ['/work', '/work/a', false],
])('%s is below %s: %j', (path, folder, expected) => {
  expect(isBelow(path, folder)).toBe(expected);
});
