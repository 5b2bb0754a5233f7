import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';
import { isSameJson } from '../../kernel/json/same-json.js';
import { truncate } from '../../kernel/text/truncate.js';
import { readLegacyOrOwn } from '../maintenance/import-plan.js';
import { planFromFile } from '../../plan/make-plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { depthFirst } from '../../plan/tree.js';
import { parseJsonText, refuseUnknownVersion } from '../../plan/snapshot/parse-plan.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { field, text } from '../shared/fields.js';
import { calledFile, readNamedFile } from '../shared/named-file.js';
import { findPlan } from '../shared/find-plan.js';
import { stateAfter } from '../../storage/log-differences.js';

const diffedGoalSchema = z.object({ goal: z.string(), number: z.string(), description: z.string() });

const changedGoalSchema = diffedGoalSchema.extend({
  fields: z
    .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }).readonly())
    .readonly()
    .describe('What differs, by field.'),
});

const planDiffSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    added: z.array(diffedGoalSchema.readonly()).readonly(),
    removed: z.array(diffedGoalSchema.readonly()).readonly(),
    changed: z.array(changedGoalSchema.readonly()).readonly(),
  })
  .readonly();

/** A goal as a difference names it. */
export type DiffedGoal = Readonly<z.output<typeof diffedGoalSchema>>;
export type ChangedGoal = Readonly<z.output<typeof changedGoalSchema>>;
export type PlanDiff = z.output<typeof planDiffSchema>;

/** What differs, and for people the numbers of the goals that links name by their ids. */
export interface NumberedDiff extends PlanDiff {
  readonly numbers: ReadonlyMap<string, string>;
}

/** Fields that say the same in other words, or only when. */
const IGNORED: ReadonlySet<string> = new Set(['id', 'depth', 'created_at', 'updated_at']);

interface Side {
  readonly name: string;
  readonly plan: Plan;
}

/**
 * What differs between two plans. Each is a plan of the store, a file (anything with a dot or a slash), or
 * a plan as it was after an event (`0398a958@event`). Goals of one plan are matched by id, those of two
 * by their number in the tree.
 * @param to left out: the plan of `from` as it is now
 * @throws PlanError PLAN_NOT_FOUND, FILE_NOT_FOUND, INVALID_PLAN, INVALID_INPUT
 */
export const diffPlans = defineOperation({
  arguments: ['from', 'to'],
  input: z.strictObject({
    from: field(z.string(), 'a plan, a path (anything with a dot or a slash), or plan@event', {
      value: 'from',
    }),
    to: text('the same (default: the plan of <from> as it is now)', 'to'),
  }),
  output: planDiffSchema,
  examples: ['plan diff 0398@nzsb3kbqrkvp1pyx', 'plan diff 0398 a1b2', 'plan diff old.json ./new.json'],
  mutates: false,
  run: async (context, { from, to }) => diffOf(context, from, to),
  document: ({ numbers: _told, ...document }: NumberedDiff): PlanDiff => document,
});

async function diffOf(context: Context, from: string, to: string | undefined): Promise<NumberedDiff> {
  const left = await sideOf(context, from);
  const right = await sideOf(context, to ?? left.plan.header.id);
  const keyOf = left.plan.header.id === right.plan.header.id ? byId : byNumber;
  const [before, after] = [entriesOf(left.plan, keyOf), entriesOf(right.plan, keyOf)];
  const linkedBy: LinkedBy = keyOf === byId ? (id) => id : numbersIn([...before.values(), ...after.values()]);
  const both = [...before].flatMap(([key, old]) => {
    const now = after.get(key);
    return now === undefined ? [] : [changed(old, now, linkedBy)];
  });
  return {
    from: left.name,
    to: right.name,
    added: [...after].filter(([key]) => !before.has(key)).map(([, entry]) => shown(entry)),
    removed: [...before].filter(([key]) => !after.has(key)).map(([, entry]) => shown(entry)),
    changed: both.filter((goal) => Object.keys(goal.fields).length > 0),
    numbers: new Map([
      ...Array.from(before.values(), ({ goal, number }) => [goal.id, `${number} (removed)`] as const),
      ...Array.from(
        after.values(),
        ({ goal, number }) => [goal.id, number === '' ? 'root' : number] as const,
      ),
    ]),
  };
}

async function sideOf(context: Context, name: string): Promise<Side> {
  if (name === '-' || /[./\\]/.test(name))
    return { name: calledFile(name), plan: await planOfFile(context, name) };
  const [planName, event] = name.split('@', 2);
  const log = await findPlan(context, planName === '' ? undefined : planName);
  if (event === undefined) return { name: log.plan.header.id, plan: log.plan };
  const events = await log.events();
  const last = events.findIndex(({ id }) => id === event);
  const plan = last === -1 ? null : stateAfter(events.slice(0, last + 1));
  if (plan === null) {
    throw new PlanError(
      'INVALID_INPUT',
      `the log of ${log.plan.header.id} has no event ${JSON.stringify(truncate(event, 40))}`,
      {
        hint: { commandLine: '`plan log` shows the events with their ids.' },
      },
    );
  }
  return { name, plan };
}

async function planOfFile(context: Context, name: string): Promise<Plan> {
  const path = calledFile(name);
  const parsed = parseJsonText(await readNamedFile(context, name));
  if ('problem' in parsed) throw new PlanError('INVALID_PLAN', `${path}: ${parsed.problem.message}`);
  refuseUnknownVersion(parsed.value, path);
  const { file, problems } = readLegacyOrOwn(parsed.value);
  if (file !== null && problems.length === 0) return planFromFile(file);
  throw new PlanError('INVALID_PLAN', `${path} is not a valid plan: ${problems[0]?.message ?? ''}`, {
    hint: { commandLine: `\`plan validate ${shellWord(name)}\` lists every problem.` },
  });
}

interface Entry {
  readonly goal: Goal;
  readonly number: string;
}

const byId = ({ goal }: Entry) => goal.id;
const byNumber = ({ number }: Entry) => number;

/** What stands for a goal in a link: its id within one plan, its number between two. */
type LinkedBy = (id: string) => string;

function numbersIn(entries: readonly Entry[]): LinkedBy {
  const numbers = new Map(entries.map(({ goal, number }) => [goal.id, number]));
  return (id) => numbers.get(id) ?? id;
}

function entriesOf(plan: Plan, keyOf: (entry: Entry) => string): ReadonlyMap<string, Entry> {
  return new Map(Array.from(depthFirst(plan), (entry) => [keyOf(entry), entry]));
}

function changed(old: Entry, now: Entry, linkedBy: LinkedBy): ChangedGoal {
  const [was, is] = [fieldsOf(old, linkedBy), fieldsOf(now, linkedBy)];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => !IGNORED.has(name));
  const fields = names.flatMap((name) => {
    const [from, to] = [was.get(name) ?? null, is.get(name) ?? null];
    return isSameJson(from, to) ? [] : [[name, { from, to }] as const];
  });
  return { ...shown(now), fields: Object.fromEntries(fields) };
}

function fieldsOf({ goal }: Entry, linkedBy: LinkedBy): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(goal),
    ['parent_id', goal.parent_id === null ? null : linkedBy(goal.parent_id)],
    ['child_ids', goal.child_ids.map(linkedBy)],
    ['dependencies', goal.dependencies.map(linkedBy)],
  ]);
}

function shown({ goal, number }: Entry): DiffedGoal {
  return { goal: goal.id, number, description: goal.description };
}
