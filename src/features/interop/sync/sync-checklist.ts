import * as z from 'zod';

import { readTextFileIfAny, textFileNow, writeTextFile } from '../../../host/files/text-files.js';
import { PlanError } from '../../../kernel/errors.js';
import { accountFor } from '../../../kernel/text/line-account.js';
import { markedPlan } from '../../../plan/checklist-marks.js';
import { definitionOf } from '../../../plan/events.js';
import { simulate, simulatedEvent } from '../../../plan/simulate.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import type { Plan } from '../../../plan/plan.js';
import { summarySchema } from '../../../plan/schema.js';
import { baselineOf, parseBaseline, stringifyBaseline } from '../checklists/baseline.js';
import type { RemovedNotes, SyncedState } from '../checklists/baseline.js';
import { flattenItems } from '../checklists/nested-item.js';
import { readChecklist } from '../checklists/read-checklist.js';
import { notesBelow } from '../checklists/removed-notes.js';
import { mendBoxes } from '../../../planning/documents/loose-markdown.js';
import { baselineAfter } from '../checklists/baseline-after.js';
import { mergeChecklist } from '../checklists/merge-checklist.js';
import type { ChecklistMerge } from '../checklists/merge-checklist.js';
import { newChecklist, writeChecklist } from '../checklists/write-checklist.js';
import { dryRunOption, editorOption } from '../../../operations/editing/change-fields.js';
import { accountSchema } from '../../../operations/maintenance/account.js';
import { defineOperation } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { baseOfSync, digestOf } from './base-of-sync.js';
import { checkedChecklist, DEEPEST, notAChecklist } from './checked-checklist.js';
import { refuseExport, refuseSourceDocument } from './checklist-of-document.js';
import { baselineKey, foldersOf, planOfChecklist } from './plan-of-checklist.js';
import { goneGoals } from './checklist-goals-undone.js';
import { lineDifferences } from './line-differences.js';
import { timeNow } from '../../../operations/shared/environment.js';
import { field, planOption } from '../../../operations/shared/fields.js';
import { fileToChange } from '../../../operations/shared/named-file.js';
import { newGoalIds } from '../../../operations/shared/new-goal-ids.js';
import { actorName } from '../../../operations/shared/actor.js';
import { summaryNow } from '../../../operations/shared/summary-now.js';

/** As often as somebody else may change the file or the plan meanwhile. */
const MOST_TRIES = 8;

const stepSchema = z.object({
  to: z.enum(['plan', 'file']),
  line: z
    .number()
    .nullable()
    .describe(
      'Of the file: as it is where a line goes and for what is done to the plan, as it will be where one comes.',
    ),
  what: z.string(),
});

const syncedSchema = z.object({
  plan: summarySchema,
  file: z.string(),
  made: z
    .record(z.string(), z.number())
    .describe('How many events of each type the plan was given by the file.'),
  lines: z.object({ added: z.number(), removed: z.number() }).describe('Lines of the file that differ.'),
  contradictions: z
    .array(z.string())
    .readonly()
    .describe('What both sides said differently, or the plan refused, and what happened.'),
  warnings: z
    .array(z.object({ code: z.enum(['NOT_KEPT', 'OLDER_FILE', 'MISTYPED_BOX']), message: z.string() }))
    .readonly()
    .optional()
    .describe(
      'What could not be kept for the next time; a file that git set back, which counts as unedited; lines that are no box.',
    ),
  steps: z
    .array(stepSchema)
    .readonly()
    .optional()
    .describe(
      'What it would do to the plan and to the lines of the file, one after the other; with `dry_run`.',
    ),
  account: accountSchema.describe(
    'What became of each line of the file as it was: read as a goal, or left out, which stays there as it is.',
  ),
  dry_run: z.literal(true).optional(),
});

type Synced = z.output<typeof syncedSchema>;

/**
 * Brings a Markdown checklist and a plan in step, both ways. The file is made where there is none.
 * @throws PlanError AMBIGUOUS_NAME for a list of somebody's own where no plan is named; INVALID_INPUT, WRONG_STATE, PLAN_NOT_FOUND, STORAGE_FAILED, BUSY as other changes do
 */
export const syncChecklist = defineOperation({
  arguments: ['file'],
  input: z.strictObject({
    file: field(z.string(), 'a Markdown file; created if it does not exist', { value: 'file' }),
    plan: planOption(),
    by: editorOption(),
    dryRun: dryRunOption(),
  }),
  output: syncedSchema,
  examples: ['plan sync TODO.md', 'plan sync docs/plan.md --plan 0398 --dry-run'],
  mutates: true,
  async run(context, { file, plan, by: named, dryRun }): Promise<Synced> {
    const path = fileToChange(context, file);
    const by = actorName(context, { by: named });
    const { log } = await findSides(context, { file, path, plan });
    const documents = await context.documents();
    const sides = { file, path, plan: log.plan.header.id, by };
    // From reading both to keeping what they say, so that nobody makes goals of the same lines meanwhile.
    const whole = async () => sync(context, sides, dryRun === true);
    if (documents === null || dryRun === true) return whole();
    return documents.checklists.alone(sides.plan, whole);
  },
  exitStatus: ({ contradictions }) => (contradictions.length === 0 ? 0 : 4),
});

/** Brings both sides in step as they are now, and again where somebody else changed one of them meanwhile. */
async function sync(context: Context, sides: Sides, dryRun: boolean): Promise<Synced> {
  const { file, path, by } = sides;
  const made: Record<string, number> = {};
  const contradictions = new Set<string>();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const step = await prepare(context, sides);
    for (const each of step.merge.contradictions) contradictions.add(each);
    const report = (after: Plan, text: string): Synced => ({
      plan: summaryNow(context, after),
      file,
      made,
      lines: differences(step.text ?? '', text),
      contradictions: [...contradictions],
      account: accountOf(step, file),
      ...(step.warnings.length === 0 ? {} : { warnings: step.warnings }),
    });
    if (dryRun) {
      count(made, step.merge.payloads);
      const text = writeChecklist(step.merge.plan, step.checklist, step);
      return {
        ...report(step.log.plan, text),
        steps: stepsOf(step, text, { by, at: timeNow(context.environment) }),
        dry_run: true,
      };
    }
    const refused = await write(step, by, made);
    if (refused) continue;
    const after = step.log.plan;
    const text = writeChecklist(after, step.checklist, step);
    // Whatever was written there meanwhile is read before anything is put in its place.
    if ((await readTextFileIfAny(path, 'keep')) !== step.text) continue;
    // An editor may save it until the very moment when the new text takes its place.
    const unless = () => textFileNow(path) !== step.text;
    if (text !== step.text && !(await writeTextFile(path, text, 'make', unless))) continue;
    const warnings = [...step.warnings, ...(await keepBaseline(step, text))];
    await step.log.publish('when_due');
    return { ...report(after, text), ...(warnings.length === 0 ? {} : { warnings }) };
  }
  throw new PlanError('STORAGE_FAILED', `${file} keeps changing while it is read`, {
    hint: { commandLine: 'The changes that the plan accepted stay. Run the command again.' },
  });
}

/** Accounts for the lines of the file: those of goals, and all else but empty ones and the mark. */
function accountOf({ text, merge }: Step, file: string): Synced['account'] {
  const own = new Set([...merge.goals.keys()].map(({ lineNumber }) => lineNumber));
  const leftOut = (text ?? '')
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' || markedPlan(line) !== null || own.has(index + 1) ? [] : [index + 1],
    );
  return { ...accountFor(text === null ? [] : [{ file, text, leftOut }]), changed: [] };
}

/** Keeps what both sides say now. All is done by then, so what keeps it from being kept is a warning. */
async function keepBaseline(step: Step, text: string): Promise<NonNullable<Synced['warnings']>> {
  const { documents, key, log, states } = step;
  const items = [...baselineAfter(log.plan, step, text).values()];
  const removed = notesKept(step, text);
  const state = { items, event: log.lastEvent, file: digestOf(text), removed };
  try {
    await documents?.checklists.keep(key, stringifyBaseline(state, states));
    return [];
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const message = `the result of this sync could not be stored: ${why}. Until it can, the next sync puts removed lines back and ticks unticked ones again`;
    return [{ code: 'NOT_KEPT', message }];
  }
}

/** What stood below the lines that are gone now, or went before and have not come back. */
function notesKept({ checklist, merge: { gone }, notes, log }: Step, text: string): readonly RemovedNotes[] {
  const there = readChecklist(text).named;
  const suffixOf = ({ goal }: RemovedNotes) => goal.slice(log.plan.header.id.length + 1);
  return [...notesBelow(log.plan, flattenItems(checklist), gone), ...(notes?.values() ?? [])].filter(
    (each) => !there.has(suffixOf(each)),
  );
}

interface Sides {
  /** As it was named. */
  readonly file: string;
  readonly path: string;
  readonly plan: string | undefined;
  readonly by: string;
}

type Step = Awaited<ReturnType<typeof prepare>>;

/** Reads the file, and finds the plan that it belongs to. */
async function findSides(context: Context, { file, path, plan }: Omit<Sides, 'by'>) {
  const text = await readTextFileIfAny(path, 'keep');
  const other = text === null ? notAChecklist('', path) : null;
  if (other !== null)
    throw new PlanError('INVALID_INPUT', `${path} would not be Markdown: ${other}`, {
      hint: ['Name a Markdown file, such as TODO.md.'],
      details: { path },
    });
  const read = text === null ? null : checkedChecklist(text, path);
  if (read?.plan === null) refuseExport(text ?? '', path);
  return { text, read, log: await planOfChecklist(context, { file, path, plan, read }) };
}

/** Reads both sides and what they said last, and finds what the file asks of the plan. */
async function prepare(context: Context, { by, ...sides }: Sides) {
  const { path } = sides;
  const { text, read, log } = await findSides(context, sides);
  const { id } = log.plan.header;
  if (read !== null && read.plan !== null && read.plan !== id)
    throw new PlanError('INVALID_INPUT', `${path} is the checklist of plan ${read.plan}`, {
      hint: {
        commandLine: `Name another file, or remove its line \`<!-- plan:${read.plan} -->\` and the comments after its items to make it one of ${id}.`,
      },
      details: { path },
    });
  if (depthOf(log.plan) > DEEPEST)
    throw new PlanError('INVALID_INPUT', `plan ${id} is deeper than a checklist can be`);
  const documents = await context.documents();
  const key = baselineKey(id, path);
  const states = parseBaseline((await documents?.checklists.read(key)) ?? null);
  const { base, instead } =
    text === null || read === null
      ? { base: null, instead: null }
      : await baseOfSync(log, states, { text, path, read });
  const checklist = read ?? newChecklist(log.plan);
  const mergeFrom = async (state: SyncedState | null) => {
    const newGoalId = newGoalIds(context.environment, id, (each) => log.plan.goals.has(each));
    const baseline = baselineOf(state);
    const gone = await goneGoals(log, baseline);
    const at = timeNow(context.environment);
    return { baseline, merge: mergeChecklist(log.plan, checklist, baseline, { newGoalId, by, at, ...gone }) };
  };
  const { baseline, merge } = await mergeFrom(base);
  const more =
    instead === null ? 0 : (await mergeFrom(instead)).merge.payloads.length - merge.payloads.length;
  const warnings = [...(more <= 0 ? [] : [olderFile(path)]), ...mistyped(text ?? '', path)];
  refuseSourceDocument(log.plan, { checklist, merge, path, folders: foldersOf(context) });
  // Once the plan were so deep, it could never be brought in step again.
  if (depthOf(merge.plan) > DEEPEST)
    throw new PlanError('INVALID_INPUT', `${path} would make plan ${id} deeper than a checklist can be`, {
      hint: [`Move lines to the left: at most ${DEEPEST} levels.`],
      details: { path },
    });
  // Where nothing can be kept, what stands below a line that goes stays in the file.
  const notes = documents === null ? null : new Map(states[0]?.removed?.map((each) => [each.goal, each]));
  return { text, checklist, log, documents, key, states, baseline, merge, notes, warnings };
}

/** Names the lines that look like a box and are none, as a blank is missing. */
function mistyped(text: string, path: string): NonNullable<Synced['warnings']> {
  const mended = mendBoxes(text).split('\n');
  const lines = text.split('\n').flatMap((line, index) => (line === mended[index] ? [] : [index + 1]));
  if (lines.length === 0) return [];
  const message = `${path}: no box, as a blank is missing before or after it, so no goal: ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
  return [{ code: 'MISTYPED_BOX', message }];
}

/** Says that a file is an older one. */
function olderFile(path: string): NonNullable<Synced['warnings']>[number] {
  const message = `${path} is rather as git has it committed than as the last sync left it, so what it lacks of that is no edit and takes the plan’s state. If it is one, make it in the plan, as with \`plan reopen\``;
  return { code: 'OLDER_FILE', message };
}

function depthOf({ goals }: Plan): number {
  let deepest = 0;
  for (const { depth } of goals.values()) deepest = Math.max(deepest, depth);
  return deepest;
}

/** Writes what the file asks for; whether any of it was refused because the plan had changed meanwhile. */
async function write({ log, merge }: Step, by: string, made: Record<string, number>): Promise<boolean> {
  if (merge.payloads.length === 0) return false;
  const outcomes = await log.append(merge.payloads, by);
  const accepted = merge.payloads.filter((_each, index) => outcomes[index]?.refused === null);
  count(made, accepted);
  return accepted.length < merge.payloads.length;
}

function count(made: Record<string, number>, payloads: ChecklistMerge['payloads']): void {
  for (const { type } of payloads) made[type] = (made[type] ?? 0) + 1;
}

/** What the file asks of the plan, and which of its own lines come and go, in order. */
function stepsOf(
  { text: before, log, merge }: Step,
  after: string,
  who: { readonly by: string; readonly at: string },
): NonNullable<Synced['steps']> {
  const lines = new Map([...merge.goals].map(([item, goal]) => [goal, item.lineNumber]));
  let plan = log.plan;
  const toPlan = merge.payloads.map((payload) => {
    const event = simulatedEvent(payload, who);
    const next = simulate(plan, payload, who).plan ?? plan;
    const [now, then] = [plan, next];
    const named = (id: string) => namedGoal(now.goals.has(id) ? now : then, id);
    const [added] = payload.type === 'goals_added' ? payload.sub_goals : [];
    const goal = added?.id ?? ('goal' in payload ? payload.goal : undefined);
    const what = definitionOf(event).describe(event, named, plan);
    plan = next;
    return { to: 'plan' as const, line: typeof goal === 'string' ? (lines.get(goal) ?? null) : null, what };
  });
  return [...toPlan, ...changedLines(before ?? '', after)];
}

/** The lines that go from a text, and those that come. */
function changedLines(before: string, after: string): NonNullable<Synced['steps']> {
  const { gone, come } = lineDifferences(before, after);
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...gone.map((at) => ({ to: 'file' as const, line: at + 1, what: `- ${old[at] ?? ''}` })),
    ...come.map((at) => ({ to: 'file' as const, line: at + 1, what: `+ ${now[at] ?? ''}` })),
  ];
}

function differences(before: string, after: string): Synced['lines'] {
  const { gone, come } = lineDifferences(before, after);
  return { added: come.length, removed: gone.length };
}
