import { dirname, join } from 'node:path';

import { PlanError } from '../../../kernel/errors.js';
import { checkInvariants, validatePlanFile } from '../../../plan/invariants.js';
import { repairPlanFile } from '../../../plan/snapshot/repair.js';
import { repairsBetween } from '../../../plan/snapshot/repaired.js';
import { isFolder } from '../../../host/files/folders.js';
import { readStoredTextIfAny } from '../../../host/files/text-files.js';
import { isSameJson } from '../../../kernel/json/same-json.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, PlanFile } from '../../../plan/schema.js';
import { planFromFile } from '../../../plan/make-plan.js';
import { asSaidThere, markOf } from '../exports/original-fields.js';
import { differing } from '../as-was.js';
import type { ToolRecord } from '../as-was.js';
import { recordData } from '../data-members.js';
import type { KeptTool } from '../data-members.js';
import { withLostLinks } from '../imports/repair-links.js';
import { planFileOf } from '../imports/other-tool-plan.js';
import type { OtherToolPlan } from '../imports/other-tool-plan.js';
import { documentsBelow, documentsIn } from './documents-in.js';
import type { Context } from '../../../operations/shared/context.js';
import type { PlanToImport } from '../../../operations/shared/hooks.js';
import { timeNow } from '../../../operations/shared/environment.js';
import { newGoalIds } from '../../../operations/shared/new-goal-ids.js';

const MOST_BYTES = 4 * 1024 * 1024;
/** How Backlog.md calls the file of a task: `task-1.2 - Its title.md`. In a folder of anything else it is told by that alone. */
const TASK_FILE = /^[^\s.]+-\d+(\.\d+)* - .*\.md$/;

/** Reads the plan of another tool that a folder holds. @throws PlanError INVALID_INPUT where it holds none that is known */
export async function readToolFolder(context: Context, path: string): Promise<PlanToImport> {
  return planToImport(context, await readOtherToolFolder(path));
}

/** Reads the plan of another tool that a text is; null when it is none, but perhaps a plan file. @throws PlanError INVALID_PLAN */
export async function readToolText(context: Context, text: string): Promise<PlanToImport | null> {
  const found = await readOtherToolText(text);
  return found === null ? null : planToImport(context, found);
}

async function readOtherToolFolder(path: string): Promise<OtherToolPlan> {
  const { taskMasterPlan } = await import('../imports/task-master-plan.js');
  const { beadsPlan } = await import('../imports/beads-plan.js');
  const textOf = async (...names: readonly string[]) => {
    for (const name of names) {
      const text = await readStoredTextIfAny(join(path, name));
      if (text !== null) return text;
    }
    return null;
  };
  const tasks = await textOf('.taskmaster/tasks/tasks.json', 'tasks/tasks.json', 'tasks.json');
  const issues = tasks === null ? await textOf('.beads/issues.jsonl', 'issues.jsonl') : null;
  const found =
    tasks !== null
      ? taskMasterPlan(jsonOrNull(tasks), { name: 'tasks.json', text: tasks })
      : issues !== null
        ? beadsPlan(issues, await textOf('.beads/config.yaml', 'config.yaml'))
        : null;
  if (found !== null) return found;
  const { readOpenSpec, readSpecKit } = await import('./other-tools-specs.js');
  const specified = (await readOpenSpec(path)) ?? (await readSpecKit(path));
  if (specified !== null) return specified;
  for (const place of ['backlog', '.backlog', '.']) {
    const plan = await readBacklog(join(path, place));
    if (plan !== null) return plan;
  }
  throw new PlanError('INVALID_INPUT', `${path} holds no plan of a known tool`, {
    hint: {
      commandLine:
        'Name .taskmaster/, .beads/, openspec/changes/, specs/ or backlog/; `plan init --from` reads a Markdown document.',
    },
    details: { path },
  });
}

/** A folder of Backlog.md, or one of its task files alone. */
async function readBacklog(folder: string): Promise<OtherToolPlan | null> {
  if (!isFolder(folder)) return null;
  const { backlogPlan } = await import('../imports/backlog-plan.js');
  const tasks = await documentsIn(join(folder, 'tasks'));
  const read = ['tasks', 'completed', 'milestones'];
  const below = await documentsBelow(folder, [...read, 'drafts', 'archive', 'decisions', 'docs']);
  return backlogPlan({
    tasks: tasks.length === 0 ? await documentsIn(folder, (file) => TASK_FILE.test(file)) : tasks,
    completed: await documentsIn(join(folder, 'completed')),
    milestones: await documentsIn(join(folder, 'milestones')),
    others: below.filter(({ name }) => !read.includes(dirname(name))),
    config: await readStoredTextIfAny(join(folder, 'config.yml'), MOST_BYTES),
  });
}

async function readOtherToolText(text: string): Promise<OtherToolPlan | null> {
  const value = jsonOrNull(text);
  const { gitHubPlan } = await import('../imports/github-plan.js');
  const { taskMasterPlan } = await import('../imports/task-master-plan.js');
  const { beadsPlan } = await import('../imports/beads-plan.js');
  if (Array.isArray(value)) return gitHubPlan(value, { name: 'issues.json', text });
  if (typeof value === 'object' && value !== null && !('goals' in value)) {
    const tasks = taskMasterPlan(value, { name: 'tasks.json', text });
    if (tasks !== null) return tasks;
  }
  return /^[ \t]*\{/m.test(text) ? beadsPlan(text) : null;
}

/** Makes a plan file of the plan of another tool, and mends what cannot be so in a plan. @throws PlanError INVALID_PLAN */
async function planToImport({ environment }: Context, found: OtherToolPlan): Promise<PlanToImport> {
  const planId = environment.ids.planId();
  const newGoalId = newGoalIds(environment, planId);
  const made = planFileOf(found, { planId, newGoalId, at: timeNow(environment) });
  const { file, problems } = validatePlanFile(made.file);
  const mended = file !== null && problems.length > 0 ? repairPlanFile(file) : file;
  if (file === null || mended === null || checkInvariants(mended).length > 0)
    throw new PlanError(
      'INVALID_PLAN',
      `the tasks make no plan: ${problems[0]?.message ?? ''} at ${problems[0]?.path ?? '$'}`,
    );
  const linked = withLostLinks(file, mended, found.tool);
  const plan = await withOriginals(linked, found.tool, made.originals);
  const { files = [], left_out = [] } = found.account ?? {};
  return {
    plan,
    repaired: listed([...made.notes, ...repairsBetween(file, mended)]),
    account: { files, left_out, changed: made.changed },
  };
}

/** What writes the members of tasks for a tool, by goal; a tool without it is not exported to. */
const RECORDS: Partial<
  Readonly<Record<KeptTool, () => Promise<(plan: Plan) => ReadonlyMap<string, ToolRecord>>>>
> = {
  taskmaster: async () => (await import('../exports/taskmaster.js')).taskMasterRecords,
  beads: async () => (await import('../exports/beads.js')).beadsRecords,
  github: async () => (await import('../exports/github.js')).gitHubRecords,
  backlog: async () => (await import('../exports/backlog.js')).backlogRecords,
};

/** Keeps of the members of each task what its export would write otherwise. */
async function withOriginals(
  file: PlanFile,
  tool: KeptTool,
  originals: ReadonlyMap<string, ToolRecord>,
): Promise<PlanFile> {
  const records = await RECORDS[tool]?.();
  if (records === undefined) return file;
  const written = records(asSaidThere(planFromFile(file), tool));
  const order = [...originals.keys()];
  const places = new Map(order.map((id, index) => [id, index]));
  const isInOrder = isSameJson(
    [...written.keys()].filter((id) => originals.has(id)),
    order,
  );
  const goals = Object.entries(file.goals).map(([id, goal]): [string, Goal] => {
    const original = originals.get(id);
    if (original === undefined) return [id, goal];
    const record = written.get(id) ?? {};
    // What frctl itself says beside the members of the tool is written anew, and is no member of the tool.
    const { x_frctl: _own, ...members } = record;
    const compared = original['x_frctl'] === undefined ? record : members;
    const before = { ...differing(recordData(original, tool), compared), as_written: markOf(record, goal) };
    const place = isInOrder || tool !== 'beads' ? {} : { at: places.get(id) };
    const kept = { ...Object(goal[`x_${tool}`]), ...place, ...before };
    return [id, { ...goal, [`x_${tool}`]: kept }];
  });
  return { ...file, goals: Object.fromEntries(goals) };
}

/** As many as anybody reads. */
const MOST_NOTES = 50;

function listed(notes: readonly string[]): readonly string[] {
  const more = notes.length - MOST_NOTES;
  return more <= 0 ? notes : [...notes.slice(0, MOST_NOTES), `and ${more} more like these`];
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
