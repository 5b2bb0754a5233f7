import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, test } from 'vitest';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);

/** The lines of the longest function. */
const MOST_LINES = 80;

test('no source file has grown beyond what one sitting can read', () => {
  const long = SOURCES.filter((name) => readFileSync(`src/${name}`, 'utf8').split('\n').length > 400);
  expect(long).toEqual([]);
});

test(`no function has more than ${MOST_LINES} lines`, () => {
  const long = SOURCES.flatMap((name) => functionsIn(name).filter(({ lines }) => lines > MOST_LINES));
  expect(SOURCES.length).toBeGreaterThan(300);
  expect(long).toEqual([]);
});

test('no source file stands beside more than 25 others', () => {
  const folders = readdirSync('src', { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const counted = folders.map((folder) => {
    const path = join(folder.parentPath, folder.name);
    return { path, files: readdirSync(path).filter((name) => /\.tsx?$/.test(name)).length };
  });
  expect(counted.length).toBeGreaterThan(30);
  expect(counted.filter(({ files }) => files - 1 > 25)).toEqual([]);
});

/** The functions of a file with their lengths. */
function functionsIn(name: string): { readonly place: string; readonly lines: number }[] {
  const text = readFileSync(`src/${name}`, 'utf8');
  // A file that is shorter has no longer function; to read a file as code takes a while.
  if (text.split('\n').length <= MOST_LINES) return [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false);
  const found: { place: string; lines: number }[] = [];
  const lineOf = (offset: number) => file.getLineAndCharacterOfPosition(offset).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const [first, last] = [lineOf(node.getStart(file)), lineOf(node.end)];
      found.push({ place: `${name}:${first}`, lines: last - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
