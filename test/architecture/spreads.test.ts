import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * What may stand behind `...` among the arguments of a call, by file, with what bounds it. Each value takes a place on the
 * stack, which some 120,000 of them overflow.
 */
const BOUNDED: Readonly<Record<string, string>> = {
  'bin/commands.ts': 'features',
  'cli/render/parts/bounded-lines.ts': 'the lines that are shown',
  'features/actions/dialects/frctl.ts': 'keys of a pointer, as deep as JSON may be nested',
  'features/actions/dialects/wa-reader.ts': 'names of our own',
  'features/actions/lint/compat/compat-schema.ts': 'names of our own',
  'features/actions/lint/rules/duplicate-id.ts': 'keys of a pointer',
  'features/actions/lint/rules/raw-secret.ts': 'keys of a pointer',
  'features/actions/lint/sql/sql-forms.ts': 'words of our own',
  'features/actions/lint/sql/sql-statements.ts': 'words of our own',
  'features/actions/lint/suppressions.ts': 'keys of a pointer',
  'features/actions/model/source-map.ts': 'keys of a pointer',
  'features/actions/render/hash.ts': 'a few lines of our own',
  'features/actions/render/lint-rules.ts': 'rules of our own',
  'features/agents/attempt/clone.ts': 'parts of a path of a file that is there',
  'features/interop/exports/backlog-task.ts': 'names of our own',
  'features/kits/vault/paths.ts': 'parts of a path, 250 bytes each and as deep as a file system allows',
  'features/page/web/graph/graph-canvas.tsx': 'two coordinates',
  'features/page/web/graph/paint.ts': 'two coordinates',
  'features/rules/goal-parts.ts': 'two patterns of our own',
  'features/runs/model/approvals/key-options.ts': 'parts of a time',
  'features/teams/workers/quiet-engine.ts': 'what a library prints at once',
  'kernel/json/lines-of-value.ts': 'keys of a pointer, as deep as JSON may be nested',
  'llm/wait-asked.ts': 'headers of an answer, 16 kB at most',
  'plan/readiness/touches.ts': 'three brackets',
  'planning/estimate.ts': 'a sample',
  'planning/model/model-expander.ts': 'questions that are asked at once',
};

test('no call is given as many arguments as an input has values, for these overflow the stack', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name));
  const found = files.flatMap((name) => spreadsIn(name).map((line) => ({ name, line })));
  expect(found.filter(({ name }) => !(name in BOUNDED))).toEqual([]);
  expect(Object.keys(BOUNDED)).toEqual([...new Set(found.map(({ name }) => name))].toSorted());
});

test('what is looked for is a list among arguments, and none within a list or an object', () => {
  expect(spreadsOf('list.push(...others);\nnew Date(...parts);\nf([...others], { ...object });')).toEqual([
    1, 2,
  ]);
});

const spreadsIn = (name: string) => spreadsOf(readFileSync(join('src', name), 'utf8'), name);

/** The lines of calls with a spread argument. */
function spreadsOf(text: string, name = 'example.ts'): readonly number[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
      node.arguments?.some(ts.isSpreadElement) === true
    )
      lines.push(file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}
