import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test } from 'vitest';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const namesSchema = z.record(z.string(), z.string()).transform((packages) => new Set(Object.keys(packages)));
const manifestSchema = z.object({ dependencies: namesSchema, devDependencies: namesSchema });

test('docs/dependencies.md says of every package what it is there for, and of no other', () => {
  const manifest = manifestSchema.parse(JSON.parse(read('package.json')));
  const [, runTime = '', development = ''] = read('docs/dependencies.md').split(/^## .*$/m);
  expect(namesIn(runTime)).toEqual(manifest.dependencies);
  expect(namesIn(development)).toEqual(manifest.devDependencies);
});

function read(path: string): string {
  return readFileSync(resolve(REPOSITORY, path), 'utf8');
}

function namesIn(section: string): ReadonlySet<string> {
  return new Set([...section.matchAll(/^- `([^`]+)`: \S/gm)].map(([, name = '']) => name));
}
