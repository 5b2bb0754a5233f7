import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';
import { z } from 'zod';
import { globSync } from 'tinyglobby';

const REPOSITORY = resolve(import.meta.dirname, '../..');
/** A command that takes a package of the name from npm's registry, where it is another project's. */
const FROM_REGISTRY =
  /\b(?:(?:npm|pnpm|yarn|bun)\s+(?:install|i|add|link|ln|exec|x|dlx)|npx|bunx)\b[^\n`#;&|]*?\sfrctl(?![\w./-])/g;

test('nothing that a reader may copy installs the name `frctl` from a registry', () => {
  const files = globSync(
    ['*.md', 'docs/**', 'examples/**', 'src/**/*.{ts,md,yaml}', '.github/**', '.ci/**', 'scripts/**'],
    { cwd: REPOSITORY, dot: true },
  );
  const found = files.flatMap((file) =>
    [...readFileSync(join(REPOSITORY, file), 'utf8').matchAll(FROM_REGISTRY)].map(
      ([command]) => `${file}: ${command}`,
    ),
  );
  expect([found, files.length > 100]).toEqual([[], true]);
  expect('npm install --global frctl\nnpx frctl\nnpm i ./frctl-0.1.0.tgz'.match(FROM_REGISTRY)).toHaveLength(
    2,
  );
});

test('nobody publishes the package under that name by mistake', () => {
  const text = readFileSync(join(REPOSITORY, 'package.json'), 'utf8');
  expect(z.looseObject({ private: z.boolean() }).parse(JSON.parse(text)).private).toBe(true);
  expect(readFileSync(join(REPOSITORY, '.github/workflows/release.yml'), 'utf8')).not.toContain(
    'npm publish',
  );
});
