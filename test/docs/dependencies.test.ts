import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test } from 'vitest';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const namesSchema = z.record(z.string(), z.string()).transform((packages) => Object.keys(packages));
const manifestSchema = z.object({ dependencies: namesSchema, devDependencies: namesSchema });

test('docs/dependencies.md says of every package what it is there for, and of no other', () => {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(resolve(REPOSITORY, 'package.json'), 'utf8')),
  );
  const page = readFileSync(resolve(REPOSITORY, 'docs/dependencies.md'), 'utf8');
  const [, runTime = '', development = ''] = page.split(/^## .*$/m);
  expect(namesIn(runTime)).toEqual(manifest.dependencies.toSorted());
  expect(namesIn(development)).toEqual(manifest.devDependencies.toSorted());
});

function namesIn(section: string): readonly (string | undefined)[] {
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name).toSorted();
}
