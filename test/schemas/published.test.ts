import { readdirSync, readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';

import { ALL_OPERATIONS } from '../../src/features.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { SCHEMA_NAMES } from '../../src/operations/reading/published-schemas.js';
import { newUser } from '../support/command.js';
import { jsonSchemaText, SCHEMAS } from '../support/json-schemas.js';
import { examplePlan, readFixture } from '../support/plans.js';
import { creationOf, expansionOf } from '../support/store-contract.js';
import { newFileStore } from '../support/stores.js';
import { temporaryFolder } from '../support/folders.js';

const compiled = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  const known = compiled.get(name) ?? compile(name);
  compiled.set(name, known);
  return known;
}

function compile(name: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8')) as object);
}

// `npm run schemas` writes them anew.
test.each(SCHEMAS)('schemas/%s.schema.json is what the code reads', async (name) => {
  await expect(jsonSchemaText(name)).toMatchFileSnapshot(`../../schemas/${name}.schema.json`);
});

test('the build writes two schemas for each command to schemas/operations/, and nothing else', () => {
  const ajv = new Ajv2020();
  const files = readdirSync('schemas/operations');
  for (const file of files) {
    const schema = JSON.parse(readFileSync(`schemas/operations/${file}`, 'utf8')) as object;
    expect([file, ajv.validateSchema(schema)]).toEqual([file, true]);
  }
  const named = Object.keys(ALL_OPERATIONS).map((name) => name.replaceAll(' ', '-'));
  expect(files.toSorted()).toEqual(
    named.flatMap((name) => ['input', 'output'].map((kind) => `${name}.${kind}.schema.json`)).toSorted(),
  );
});

test('every published schema can be printed', async () => {
  // Obsidian's schema is its own, and that of an earlier version stays as it was: neither is made from code.
  expect([...SCHEMA_NAMES].toSorted()).toEqual([...SCHEMAS, 'obsidian-action-plan', 'tools-v2'].toSorted());
  const printed = await newUser().run(['schema', 'plan-v1']);
  expect(printed.out).toBe(readFileSync('schemas/plan-v1.schema.json', 'utf8'));
});

test('a standard validator accepts the complete example of the format, and what is written of it', () => {
  const validate = validator('plan-v1');
  validate(JSON.parse(readFixture('plans/complete-example.json')));
  expect(validate.errors).toBeNull();
  validate(JSON.parse(stringifyPlanFile(toPlanFile(examplePlan()))));
  expect(validate.errors).toBeNull();
});

test.each([
  ['a number as id', { id: 7 }],
  ['a status that does not exist', { status: 'done' }],
  ['a time without a zone', { created_at: '2025-11-30T10:00:00' }],
  ['goals as a list', { goals: [] }],
])('a standard validator refuses %s', (_name, change) => {
  const validate = validator('plan-v1');
  expect(validate({ ...(JSON.parse(readFixture('plans/complete-example.json')) as object), ...change })).toBe(false);
});

test('a standard validator accepts every file of a store', async () => {
  const folder = temporaryFolder();
  const store = await newFileStore(folder);
  const log = await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
  await log.append([{ type: 'goal_completed', goal: '0398a958-a', digest: { summary: 'x', key_decisions: [], artifacts: [] } }]);
  await log.publish('now');
  const [plan, index, event] = [validator('plan-v1'), validator('index-v1'), validator('event-v1')];
  plan(JSON.parse(readFileSync(`${folder}/0398a958.json`, 'utf8')));
  index(JSON.parse(readFileSync(`${folder}/index.json`, 'utf8')));
  expect([plan.errors, index.errors]).toEqual([null, null]);
  for (const line of readFileSync(`${folder}/0398a958.events.jsonl`, 'utf8').split('\n').filter(Boolean)) {
    event(JSON.parse(line));
    expect(event.errors).toBeNull();
  }
});
