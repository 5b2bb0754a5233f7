import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { dropFeatures } from '../../scripts/without/drop-features.js';
import { temporaryFolder } from '../support/folders.js';

/** Features that are nothing without another. */
const GO_ALONG: Readonly<Record<string, readonly string[]>> = {
  actions: ['agents', 'kits', 'runs'],
  runs: ['agents', 'kits'],
};

// `npm run test:without` type-checks, builds and tests what is left.
test.each(readdirSync('src/features'))(
  'what is left without %s names it in lists alone, from which a script can take it',
  (name) => {
    const copy = temporaryFolder();
    cpSync('src', join(copy, 'src'), { recursive: true });
    expect(dropFeatures(copy, [name])).toEqual([name, ...(GO_ALONG[name] ?? [])]);
  },
);
