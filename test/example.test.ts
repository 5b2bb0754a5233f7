import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { openWorkspace } from '../src/workspace.js';
import { fileFormatNames } from '../src/exports/registry.js';
import { allFormats } from '../src/features.js';
import type { Goal } from '../src/plan/schema.js';
import { STORE_FILES } from '../src/storage/file/store-paths.js';
import { temporaryFolder } from './support/folders.js';
import { newFileStore } from './support/stores.js';
import {
  readBeads,
  readGitHub,
  readTaskMaster,
  readCsv,
  readDot,
  readGraphml,
  readHtml,
  readJson,
  readMarkdown,
  readMermaid,
  readSvg,
  readToon,
} from './support/format-readers.js';

const EXAMPLE = '.frctl-example';
const [LIBRARY, HELP_DESK, NEWSLETTER] = ['5c1e9a27', '8f03b6d4', 'd27a40e9'] as const;
const PLANS = [LIBRARY, HELP_DESK, NEWSLETTER] as const;
/** What git ignores in a store, and the page about the example that is written by hand. */
const NOT_GENERATED = new Set(['index.json', '.replica', 'README.md']);

/** A copy of the example, so that no test leaves a cache in it. */
function copyOfExample(): string {
  const folder = join(temporaryFolder(), 'example');
  cpSync(EXAMPLE, folder, { recursive: true });
  return folder;
}

/** Every file that git keeps, by its path. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !NOT_GENERATED.has(name) && statSync(join(folder, name)).isFile())
    .toSorted();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

async function goalsOf(planId: string): Promise<readonly Goal[]> {
  const { plan } = await (await newFileStore(copyOfExample())).open(planId);
  return [...plan.goals.values()];
}

const leavesOf = (goals: readonly Goal[]) => goals.filter(({ child_ids }) => child_ids.length === 0);

test('the example is what its generator writes', () => {
  const folder = temporaryFolder();
  execFileSync(process.execPath, ['scripts/run.js', 'scripts/example.ts', folder], { stdio: 'inherit' });
  expect(filesOf(folder)).toEqual(filesOf(EXAMPLE));
});

test('the example holds three plans, one of them archived, and the files that git needs', async () => {
  const workspace = openWorkspace({ dir: copyOfExample() });
  const { plans, problems } = await workspace.list();
  expect(problems).toEqual([]);
  expect(plans.map(({ id }) => id)).toEqual([HELP_DESK, LIBRARY]);
  const files = filesOf(EXAMPLE);
  for (const [name, content] of Object.entries(STORE_FILES)) expect(files.get(name)).toBe(content);
  const ofPlans = [LIBRARY, HELP_DESK, NEWSLETTER].flatMap((id) => [`${id}.events.jsonl`, `${id}.json`]);
  expect([...files.keys()]).toEqual([...Object.keys(STORE_FILES), ...ofPlans].toSorted());
});

test.each(PLANS)('plan %s loads, is valid and says what its log says', async (planId) => {
  const folder = copyOfExample();
  const log = await (await newFileStore(folder)).open(planId);
  expect(log.damage).toEqual([]);
  expect(log.archived).toBe(planId === NEWSLETTER);
  expect(await openWorkspace({ dir: folder }).validate(planId)).toEqual({ valid: true, problems: [] });
});

describe('the finished plan', () => {
  test('was planned as with a model, and says what that cost', async () => {
    const { plan } = await openWorkspace({ dir: copyOfExample() }).status(LIBRARY);
    expect(plan).toMatchObject({ expander: 'model', total_goals: 39, atomic_goals: 30, complete_goals: 30 });
    expect(plan).toMatchObject({ status: 'complete', pending_goals: 0, failed_goals: 0, max_depth: 3 });
    expect(plan.usage.calls).toBe(10);
    expect(plan.total_tokens).toBe(plan.usage.input_tokens + plan.usage.output_tokens);
    expect(plan.usage.cost_usd).toBeGreaterThan(0);
    const goals = await goalsOf(LIBRARY);
    expect(goals.reduce((sum, { tokens_used }) => sum + tokens_used, 0)).toBe(plan.total_tokens);
  });

  test('is complete from the leaves to the root, every leaf with a digest', async () => {
    const goals = await goalsOf(LIBRARY);
    expect(goals.filter(({ status }) => status !== 'complete')).toEqual([]);
    for (const { digest, reasoning } of leavesOf(goals)) {
      expect(reasoning).toMatch(/\.$/);
      expect(digest?.artifacts).not.toHaveLength(0);
      expect(digest?.key_decisions).not.toHaveLength(0);
    }
  });
});

describe('the plan that is half worked off', () => {
  test('has goals that are done, ready, waiting and failed', async () => {
    const { plan, ready, blocked } = await openWorkspace({ dir: copyOfExample() }).status(HELP_DESK);
    expect(plan).toMatchObject({ expander: 'rules', total_goals: 23, atomic_goals: 19, complete_goals: 9 });
    expect(plan).toMatchObject({ failed_goals: 1, usage: { calls: 0 } });
    expect(ready).toHaveLength(6);
    expect(blocked).toHaveLength(3);
  });

  test('has dependencies between goals and between groups of goals, and a goal that failed at work', async () => {
    const goals = await goalsOf(HELP_DESK);
    const waiting = goals.filter(({ dependencies }) => dependencies.length > 0);
    expect(new Set(waiting.map(({ child_ids }) => child_ids.length > 0))).toEqual(new Set([true, false]));
    const failed = goals.find(({ status }) => status === 'failed');
    expect(failed?.failure?.phase).toBe('work');
    expect(failed?.failure?.reason).toContain('DNS');
  });

  test('remembers a failure that was overcome', async () => {
    const events = await (await (await newFileStore(copyOfExample())).open(HELP_DESK)).events();
    const reopened = events.find((event) => event.type === 'goal_reopened');
    const story = events.filter((event) => 'goal' in event && event.goal === reopened?.goal);
    expect(story.map(({ type }) => type)).toEqual(['goal_failed', 'goal_reopened', 'goal_completed']);
  });
});

test('the plan that is half worked off was edited by hand when a goal failed, and somebody took the new one', async () => {
  const folder = copyOfExample();
  const log = await openWorkspace({ dir: folder }).log({ plan: HELP_DESK });
  expect(log.slice(-4).map(({ type, refused }) => [type, refused])).toEqual([
    ['goals_added', null],
    ['dependencies_changed', null],
    ['goal_edited', null],
    ['goal_claimed', null],
  ]);
  const goals = await goalsOf(HELP_DESK);
  const held = goals.find(({ claim }) => claim !== undefined);
  const waiting = goals.find(({ dependencies }) => held !== undefined && dependencies.includes(held.id));
  expect(waiting).toMatchObject({ status: 'failed', acceptance: [expect.any(String), expect.any(String)] });
});

test('the archived plan names the lines of the document that its goals stand in', async () => {
  const goals = await goalsOf(NEWSLETTER);
  expect(goals).toHaveLength(12);
  for (const { description, source } of goals) {
    if (source === undefined) throw new TypeError(`${description} has no source`);
    const lines = readFileSync(source.file, 'utf8').split('\n');
    const text = lines.slice(source.start_line - 1, source.end_line).join('\n');
    expect(text).toContain(description);
  }
});

test('a digest is one to three sentences of fewer than a hundred words', async () => {
  const goals = (await Promise.all(PLANS.map(goalsOf))).flat();
  const summaries = goals.flatMap(({ digest }) => (digest === null ? [] : [digest.summary]));
  expect(summaries).toHaveLength(30 + 9 + 6);
  for (const summary of summaries) {
    expect(summary.split(/\s+/).length).toBeLessThan(100);
    expect([1, 2, 3]).toContain(summary.match(/[.!?](?= [A-Z0-9]|$)/g)?.length);
  }
});

const FORMATS = await allFormats();

/** How many goals the format's own reader finds. */
const GOALS_READ: Readonly<Record<keyof typeof FORMATS.files, (text: string) => number>> = {
  json: (text) => readJson(text).goals.length,
  csv: (text) => readCsv(text).goals.length,
  toon: (text) => readToon(text).goals.length,
  graphml: (text) => readGraphml(text).goals.length,
  dot: (text) => readDot(text).goals.length,
  mermaid: (text) => readMermaid(text).goals.length,
  markdown: (text) => readMarkdown(text).goals.length,
  svg: (text) => readSvg(text).goals.length,
  html: (text) => readHtml(text).goals.length,
  beads: (text) => readBeads(text).goals.length,
  // The root is the list itself.
  taskmaster: (text) => readTaskMaster(text).goals.length + 1,
  github: (text) => readGitHub(text).goals.length,
  ascii: (text) => text.trimEnd().split('\n').length,
};

describe.each(PLANS)('plan %s', (planId) => {
  test.each(fileFormatNames(FORMATS))('exports as %s, which reads back with every goal', async (format) => {
    const { content } = await openWorkspace({ dir: copyOfExample() }).export({ plan: planId, format });
    expect(GOALS_READ[format](content ?? '')).toBe((await goalsOf(planId)).length);
  });

  test('comes back the same from its JSON export', async () => {
    const folder = temporaryFolder();
    const { content } = await openWorkspace({ dir: copyOfExample() }).export({
      plan: planId,
      format: 'json',
    });
    writeFileSync(join(folder, 'plan.json'), content ?? '');
    mkdirSync(join(folder, '.plans'));
    const other = openWorkspace({ dir: join(folder, '.plans') });
    await other.import(join(folder, 'plan.json'));
    expect((await other.export({ plan: planId, format: 'json' })).content).toBe(content);
    expect(await other.validate(planId)).toEqual({ valid: true, problems: [] });
  });
});

test.each([
  ['plan-v1', /[0-9a-f]{8}\.json$/],
  ['event-v1', /\.events\.jsonl$/],
  ['index-v1', /^index\.json$/],
])('a standard validator accepts by the schema %s every file it is for', async (schema, files) => {
  const folder = copyOfExample();
  await openWorkspace({ dir: folder }).list();
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(z.looseObject({}).parse(readJsonSync(`schemas/${schema}.schema.json`)));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => files.test(name));
  expect(names).toHaveLength(schema === 'index-v1' ? 1 : PLANS.length);
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const document of schema === 'event-v1' ? text.split('\n').filter(Boolean) : [text]) {
      validate(JSON.parse(document));
      expect(validate.errors, `${name}: ${document.slice(0, 200)}`).toBeNull();
    }
  }
});
