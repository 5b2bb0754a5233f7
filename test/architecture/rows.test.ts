import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { expect, test } from 'vitest';

import type { Feature } from '../../src/feature.js';
import { FEATURES } from '../../src/features.js';
import { CONFIG_NAMES } from '../../src/operations/settings/config.js';
import { OPERATIONS } from '../../src/operations/registry.js';
import { EVENT_TYPES } from '../../src/plan/events.js';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter((name) => /\.tsx?$/.test(name));

/** Where features have their rows. */
const REGISTRIES = globSync('src/features/*/registry.ts');

/** What has one file each, by what such a file says, and the tables that have a row for each. */
const TABLES: readonly (readonly [what: string, says: RegExp, tables: readonly string[]])[] = [
  ['operation', /(?:=|return) defineOperation\(/, ['src/operations/registry.ts', ...REGISTRIES]],
  ['event', /= define(?:Change|Making)\(/, ['src/plan/events.ts']],
  ['event of a run', /= defineRun\w*\(/, ['src/features/runs/model/run-events.ts']],
  ['lint rule', /^export const \w+: Rule = \{/m, ['src/features/actions/lint/rules.ts']],
  ['dialect', /^export const \w+: Dialect = \{/m, ['src/features/actions/model/dialects.ts']],
  [
    'export format',
    /^export function to[A-Z]\w*\(plan: Plan(?:\)|, picture).*: (?:string|readonly ExportedFile\[\]) \{$/m,
    ['src/exports/registry.ts', ...REGISTRIES],
  ],
];

test.each(TABLES)('each %s that has a file has a row', (_what, says, tables) => {
  const files = SOURCES.filter((name) => says.test(readFileSync(name, 'utf8')));
  const inRows = new Set(tables.flatMap(importsOf));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((name) => !inRows.has(name))).toEqual([]);
});

test('each feature that has a folder is in the list, and no two bring a command, a format or a name of the same name', () => {
  const names = FEATURES.map(({ name }) => name);
  expect(names.toSorted()).toEqual(readdirSync('src/features').toSorted());
  const of = (feature: Feature, member: 'operations' | 'formats' | 'folderFormats' | 'names') =>
    Object.keys(feature[member] ?? {});
  for (const member of ['operations', 'formats', 'folderFormats', 'names'] as const) {
    const all = FEATURES.flatMap((feature) => of(feature, member));
    expect(all).toEqual([...new Set(all)]);
  }
  const operations = FEATURES.flatMap((feature) => of(feature, 'operations'));
  expect(operations.filter((name) => name in OPERATIONS)).toEqual([]);
});

test('each event is written by something: where its type stands in an object that is made', () => {
  const made = new Set(
    SOURCES.filter((name) => !name.startsWith(join('src', 'plan', 'events'))).flatMap(typesMadeIn),
  );
  expect(EVENT_TYPES.filter((type) => !made.has(type))).toEqual([]);
});

test('each setting is read by something that does not only keep it', () => {
  const keep = /\/(?:settings\/(?:config|settings)|planning\/planning-fields)\.ts$/;
  const readers = SOURCES.filter(
    (name) => /^src\/(?:operations|features|planning)\//.test(name) && !keep.test(name),
  );
  const text = readers.map((name) => readFileSync(name, 'utf8')).join('\n');
  const inCamels = (name: string) => name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  const isRead = (name: string) => new RegExp(String.raw`(?:\.|[{,]\s*|')${name}\b(?!'?:)`).test(text);
  expect(CONFIG_NAMES.filter((name) => !isRead(name) && !isRead(inCamels(name)))).toEqual([]);
});

test('each operation is run by a test: on the command line or in the library', () => {
  const tests = globSync('test/**/*.ts').map((name) => readFileSync(name, 'utf8'));
  const text = tests.join('\n');
  const names = [OPERATIONS, ...FEATURES.map(({ operations }) => operations ?? {})].flatMap(Object.keys);
  const isRun = (name: string) => {
    const words = name.split(' ');
    const called = words.map((word) =>
      word.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    );
    return text.includes(`['${words.join("', '")}'`) || text.includes(`.${called.join('.')}(`);
  };
  expect(names.filter((name) => !isRun(name))).toEqual([]);
});

/** The files of ours that a file imports, at once or when it needs them. */
function importsOf(name: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(name, 'utf8'));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(name), fileName.replace(/\.js$/, '.ts')));
}

/** Every text that is, or may be, the member `type` of an object that a file makes. */
function typesMadeIn(name: string): readonly string[] {
  const text = readFileSync(name, 'utf8');
  // To read a file as code takes a while.
  if (!text.includes('type:')) return [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false);
  const found: string[] = [];
  const textsIn = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(node.text);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(textsIn);
    else if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) textsIn(node.expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'type') textsIn(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
