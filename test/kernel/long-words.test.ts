import { expect, test } from 'vitest';

import { contentStems } from '../../src/kernel/text/content-stems.js';

// A sign beyond Latin makes each character take two bytes, for which patterns have half the room.
test.each(['x', '1', '-', 'é'])('a word of megabytes has stems: %s', (letter) => {
  expect(() => contentStems(`→ ${letter.repeat(6_000_000)}`)).not.toThrow();
});
