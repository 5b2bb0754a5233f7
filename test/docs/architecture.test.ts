import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(REPOSITORY, 'docs/architecture.md'), 'utf8');
const ROWS = new Map(
  Array.from(
    PAGE.matchAll(/^\| `([a-z-]+(?:\/[a-z]+)?)\/` +\| (.*?) +\| (.*) \|$/gm),
    ([, name = '', below = '', text = '']) => [name, { below, text }],
  ),
);
const IMPORTS = readFileSync(join(REPOSITORY, '.dependency-cruiser.js'), 'utf8');

describe('docs/architecture.md', () => {
  test('has a row for every folder of src/ and for every feature, and for no other', () => {
    const folders = foldersIn('src').flatMap((name) =>
      name === 'features' ? foldersIn('src/features').map((each) => `features/${each}`) : [name],
    );
    expect(new Set(ROWS.keys())).toEqual(new Set(folders));
  });

  test.each([...ROWS])('names every folder of %s/', (name, { text }) => {
    for (const folder of foldersIn(`src/${name}`)) expect(text).toContain(`\`${folder}/\``);
  });

  test('says what each may import, as the rules for imports do', () => {
    const layers = [...IMPORTS.matchAll(/\.\.\.layer\(\s*'([a-z-]+)',\s*(\[.*?\]|CORE)/gs)];
    const core = /const CORE = \[(.*?)\]/s.exec(IMPORTS)?.[1] ?? '';
    expect(layers.length).toBeGreaterThan(8);
    for (const [, name = '', below = ''] of layers) {
      const wanted = foldersNamed(below === 'CORE' ? core : below).filter((folder) => folder !== name);
      const said = Array.from(
        (ROWS.get(name)?.below ?? '').matchAll(/`([a-z-]+)\/`/g),
        ([, folder]) => folder,
      );
      expect([name, new Set(said)]).toEqual([name, new Set(wanted)]);
    }
  });
});

describe('the documentation', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(join(REPOSITORY, 'docs')).map((name) => `docs/${name}`),
  ];
  test.each(pages)('%s names no file of the project that is not there', (page) => {
    const text = readFileSync(join(REPOSITORY, page), 'utf8');
    const named = Array.from(
      text.matchAll(/`((?:src|test|docs|scripts|bench|schemas|examples)\/[\w./-]+)`/g),
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(REPOSITORY, path)))).toEqual([]);
  });
});

function foldersNamed(list: string): string[] {
  return Array.from(list.matchAll(/'([a-z-]+)'/g), ([, folder = '']) => folder);
}

function foldersIn(path: string): string[] {
  return readdirSync(join(REPOSITORY, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
