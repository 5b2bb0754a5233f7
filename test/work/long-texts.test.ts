import { expect, test } from 'vitest';

import { quotedBlock } from '../../src/work/context/quoted-markdown.js';
import { sentencesOf } from '../../src/work/digests/sentences.js';

/** More parts than the stack holds values. */
const MANY = 200_000;

test('a text of very many parts is read and shown, and overflows no stack', () => {
  expect(quotedBlock('` a\n'.repeat(MANY))).toMatch(/^```text\n/);
  expect(sentencesOf('He ran home. '.repeat(MANY))).toHaveLength(MANY);
});
