import { readdirSync } from 'node:fs';

import { cruise } from 'dependency-cruiser';
import type { ICruiseOptions, ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);

async function cruiseSources(): Promise<ICruiseResult> {
  const options: ICruiseOptions = await extractDepcruiseOptions('./.dependency-cruiser.js');
  const { output } = await cruise(['src'], options);
  if (typeof output === 'string') throw new TypeError('expected a result, not a report');
  return output;
}

// Reading every file takes seconds; the tests look at one result.
let result: Promise<ICruiseResult> | null = null;
const cruised = () => (result ??= cruiseSources());

test('arrows point down, neighbours do not know each other, and I/O stays at the edges', async () => {
  const { summary, modules } = await cruised();
  expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  // Under a TypeScript it does not know, the tool reads nothing and finds nothing.
  const read = modules.filter(({ source }) => source.startsWith('src/'));
  expect(read).toHaveLength(sources.length);
  expect(summary.totalDependenciesCruised ?? 0).toBeGreaterThan(sources.length * 2);
});

test('every source file is reached from the library, the commands or the page', async () => {
  const { modules } = await cruised();
  const imports = new Map(
    modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
  );
  const reached = new Set([
    'src/index.ts',
    'src/bin/plan.ts',
    'src/bin/frctl.ts',
    // Tests run commands by it.
    'src/bin/run-command.ts',
    'src/features/page/web/page.tsx',
    // Of use to the build.
    'src/kernel/json/plain-shape-of.ts',
  ]);
  // The set grows while it is walked.
  for (const name of reached) for (const imported of imports.get(name) ?? []) reached.add(imported);
  expect(sources.map((name) => `src/${name}`).filter((name) => !reached.has(name))).toEqual([]);
});

/** What every short command loads, and those that list plans and look at one. */
const QUICK = [
  'src/bin/commands.ts',
  'src/cli/run-command-line.ts',
  'src/cli/run-operation.ts',
  'src/cli/load-command.ts',
  ...['reading/list', 'reading/status', 'work/next'].map((name) => `src/cli/render/${name}.ts`),
  'src/operations/reading/list-plans.ts',
  'src/operations/reading/plan-status.ts',
  'src/operations/work/next-goals.ts',
  'src/storage/file/file-store.ts',
  'src/storage/file/snapshot/published-view.ts',
];

/** What some files load with themselves, and not only when they need it. */
async function loadedWith(names: readonly string[]): Promise<readonly string[]> {
  const { modules } = await cruised();
  const byName = new Map(modules.map((module) => [module.source, module]));
  const reached = new Set(names);
  // The set grows while it is walked.
  for (const name of reached) {
    for (const { resolved, dynamic, dependencyTypes } of byName.get(name)?.dependencies ?? [])
      if (!dynamic && !dependencyTypes.includes('type-only')) reached.add(resolved);
  }
  return [...reached];
}

test('listing plans and looking at one load no more packages than the command line needs', async () => {
  const packages = (await loadedWith([...QUICK, 'src/workspace.ts'])).flatMap(
    (name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
  );
  expect([...new Set(packages)].toSorted()).toEqual([
    'commander',
    'get-east-asian-width',
    'nanoid',
    'picocolors',
    'zod',
  ]);
});

test('of the features the version loads nothing, and list, status and next load the rows alone', async () => {
  const ofFeatures = async (names: readonly string[]) =>
    (await loadedWith(names)).filter((name) => name.startsWith('src/feature')).toSorted();
  expect(await ofFeatures(['src/bin/plan.ts'])).toEqual([]);
  const rows = [
    'src/features.ts',
    ...globSync(['src/features/*/{registry,commands}.ts', 'src/features/{*,*/runs}/parts.ts']),
  ];
  expect(rows.length).toBeGreaterThan(10);
  expect(await ofFeatures(QUICK)).toEqual(rows.toSorted());
});
