import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { validatePlanFile } from '../../plan/invariants.js';
import type { Problem } from '../../plan/invariants.js';
import { parseJsonText, refuseUnknownVersion } from '../../plan/snapshot/parse-plan.js';
import type { Damage, PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { openDamage } from '../../storage/open-damage.js';
import { text } from '../shared/fields.js';
import { calledFile, readNamedFile } from '../shared/named-file.js';
import { findPlan, findPlanId } from '../shared/find-plan.js';
import { looksLike, readerOf, toolOfText } from '../shared/other-tool.js';
import { readLegacyOrOwn } from './import-plan.js';
import { differencesFromLog } from '../../storage/log-differences.js';

/** Problems of one kind that are listed; a file of a million mistakes need not print them all. */
const MOST_PROBLEMS = 1000;

const problemsSchema = z
  .array(z.object({ code: z.string(), path: z.string(), message: z.string() }))
  .readonly();

const validationSchema = z.object({
  valid: z.boolean(),
  problems: problemsSchema,
  notes: problemsSchema
    .optional()
    .describe('What is as it should be, but worth knowing; missing when there is nothing.'),
});

type Validation = z.output<typeof validationSchema>;

/**
 * Checks a plan of the store, or any plan file, against the JSON Schema and every invariant; of a plan
 * with a log also that the plan file says what the log says.
 * @throws PlanError PLAN_NOT_FOUND, FILE_NOT_FOUND, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export const validatePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: text('a plan, or a path (anything with a dot or a slash); - reads standard input', 'plan-or-file'),
  }),
  output: validationSchema,
  examples: ['plan validate', 'plan validate ./a1b2c3d4.json --json'],
  mutates: false,
  run: async (context, { plan }) => validate(context, plan),
  exitStatus: ({ valid }) => (valid ? 0 : 1),
});

async function validate(context: Context, name: string | undefined): Promise<Validation> {
  if (name !== undefined && (name === '-' || /[./\\]/.test(name))) return validateFile(context, name);
  const store = context.store();
  const planId = await findPlanId(context, name);
  const log = await findPlan(context, planId).catch(problemOf);
  if (!('plan' in log)) return verdict([log]);
  const found = await store.findDamage(planId, 'events');
  const open = new Set(openDamage(found, log.plan));
  const inLog = (damage: Damage) => problemInLog(planId, damage);
  const damage = [...open].map(inLog);
  const notes = found.filter((one) => one.kind !== 'damaged' && !open.has(one)).map(inLog);
  if (log.stale) return { ...verdict(damage), notes: [...notes, staleFile(planId)] };
  const text = await (await context.maintenance()).snapshot(planId);
  const problems = text === null ? [noFile(planId)] : await problemsOfView(text, log);
  return { ...verdict([...damage, ...problems]), ...(notes.length === 0 ? {} : { notes }) };
}

const DAMAGE_CODES: Readonly<Record<Damage['kind'], string>> = {
  torn: 'TORN_LINE',
  unknown: 'UNKNOWN_EVENT',
  conflict_marker: 'CONFLICT_MARKER',
  damaged: 'DAMAGED_EVENT',
};

function problemInLog(planId: string, { kind, line, reason }: Damage): Problem {
  return {
    code: DAMAGE_CODES[kind],
    path: `${planId}.events.jsonl:${line}`,
    message: `a line of the event log could not be read: ${reason}`,
  };
}

async function validateFile(context: Context, name: string): Promise<Validation> {
  const path = calledFile(name);
  const content = await readNamedFile(context, name);
  const tool = await toolOfText(context, content);
  if (tool !== null && tool.tool !== 'frctl')
    return verdict([
      { code: 'SCHEMA', path: '$', message: `${looksLike(path, tool)}. ${readerOf(path, tool)}` },
    ]);
  const parsed = parseJsonText(content);
  if ('problem' in parsed) return verdict([parsed.problem]);
  refuseUnknownVersion(parsed.value, path);
  return verdict(readLegacyOrOwn(parsed.value).problems);
}

async function problemsOfView(text: string, log: PlanLog): Promise<readonly Problem[]> {
  const parsed = parseJsonText(text);
  if ('problem' in parsed) return [parsed.problem];
  const { file, problems } = validatePlanFile(parsed.value);
  if (file === null || problems.length > 0) return problems;
  return differencesFromLog(file, log);
}

/** A merge leaves such a file, and nothing is wrong with the plan. */
function staleFile(planId: string): Problem {
  return {
    code: 'PLAN_FILE_STALE',
    path: '$',
    message: `${planId}.json is a merge, or cannot be read, and does not count beside the log; the next change or \`plan doctor --fix\` rewrites it`,
  };
}

function noFile(planId: string): Problem {
  return {
    code: 'NO_PLAN_FILE',
    path: '$',
    message: `${planId}.json is missing; any command that changes the plan rewrites it`,
  };
}

function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof PlanError) || !['STORE_DAMAGED', 'INVALID_PLAN'].includes(thrown.code))
    throw thrown;
  return { code: thrown.code, path: '$', message: thrown.message };
}

function verdict(problems: readonly Problem[]): Validation {
  return { valid: problems.length === 0, problems: problems.slice(0, MOST_PROBLEMS) };
}
