import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { FEATURES } from '../src/features.js';
import { createContext } from '../src/operations/shared/context.js';
import type { Context } from '../src/operations/shared/context.js';
import { runPlanning } from '../src/operations/planning/run-planning.js';
import { openWorkspace } from '../src/workspace.js';
import type { Workspace } from '../src/workspace.js';

import type { EventPayload } from '../src/plan/events.js';
import { SCHEMA_VERSION } from '../src/plan/snapshot/format-version.js';
import type { Plan } from '../src/plan/plan.js';
import type { Goal, Settings } from '../src/plan/schema.js';
import { openWork } from '../src/plan/readiness/open-work.js';
import type { PlanLog } from '../src/storage/plan-store.js';
import { DATA_FOLDER, readExamplePlan, workOf } from './example-plan.js';
import type { ExamplePlan, WorkStep } from './example-plan.js';
import { createExampleWorld } from './example-world.js';
import type { ExampleWorld } from './example-world.js';
import { createScriptedExpander } from './scripted-expander.js';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const README = 'README.md';

/**
 * Makes `.frctl-example/` anew; only its README is written by hand.
 * @param args a folder without a store, to be written to instead
 */
export async function main([elsewhere]: readonly string[]): Promise<void> {
  if (elsewhere !== undefined) return writeExample(resolve(elsewhere));
  const folder = join(REPOSITORY, '.frctl-example');
  const fresh = await mkdtemp(join(tmpdir(), 'frctl-example-'));
  try {
    await writeExample(fresh);
    for (const name of await readdir(folder)) {
      if (name !== README) await rm(join(folder, name), { recursive: true });
    }
    await cp(fresh, folder, { recursive: true });
  } finally {
    await rm(fresh, { recursive: true });
  }
}

/** Writes the example's plans with the product's own planner and store; the same bytes each time. */
async function writeExample(folder: string): Promise<void> {
  for (const name of ['newsletter', 'library-application', 'help-desk']) {
    await writePlan(folder, await readExamplePlan(name));
  }
  // Caches of this machine, which git ignores.
  for (const name of ['index.json', '.replica', 'journal']) await rm(join(folder, name), { recursive: true });
}

async function writePlan(folder: string, example: ExamplePlan): Promise<void> {
  const world = createExampleWorld(example, REPOSITORY);
  const { environment } = world;
  const context = createContext({ features: FEATURES, environment, folder });
  const workspace = openWorkspace({ dir: folder, environment });
  await makePlan(workspace, context, example, world);

  // Each step is a command of its own.
  for (const step of workOf(example))
    await work(await context.newChange().store().open(example.id), step, world);
  await (await context.store().open(example.id)).publish('now');
  if (example.archived === undefined) return;
  world.act(example.archived, example.by);
  await workspace.archive(example.id);
}

async function makePlan(
  workspace: Workspace,
  context: Context,
  example: ExamplePlan,
  world: ExampleWorld,
): Promise<void> {
  if ('tree' in example) return planByScript(context, example, world);
  const source =
    'document' in example ? { from: join(DATA_FOLDER, example.document) } : { goal: example.goal };
  await workspace.init(source).result;
}

/** Plans as `plan init` does with a model, but with replies that are written down. */
async function planByScript(
  context: Context,
  example: Extract<ExamplePlan, { tree: unknown }>,
  world: ExampleWorld,
): Promise<void> {
  const settings: Settings = {
    expander: 'model',
    model: example.model,
    assess: 'inline',
    order: 'breadth',
    max_depth: 6,
    max_children: 7,
    max_goals: 1000,
    concurrency: 8,
  };
  const description = example.tree.goal;
  const store = await context.storeToWrite();
  const log = await store.create({
    type: 'plan_created',
    plan: { id: example.id, description, schema_version: SCHEMA_VERSION, settings },
    root: { description },
  });
  const expander = createScriptedExpander(example, world.wait);
  await runPlanning(context, {
    log,
    settings,
    expander,
    emit: () => undefined,
  });
}

async function work(log: PlanLog, step: WorkStep, world: ExampleWorld): Promise<void> {
  if (step.done !== undefined || step.failed !== undefined) expectReady(log.plan, step);
  world.act(step.at, step.by);
  const [outcome] = await log.append([eventOf(log.plan, step, world)]);
  if (outcome?.refused !== null) throw new Error(`goal ${step.goal}: ${outcome?.refused?.code ?? ''}`);
}

function expectReady(plan: Plan, { goal, at }: WorkStep): void {
  if (openWork(plan, at).ready.includes(goalCalled(plan, goal))) return;
  throw new Error(`goal ${goal} is not ready at ${at}`);
}

function eventOf(plan: Plan, step: WorkStep, { environment: { ids } }: ExampleWorld): EventPayload {
  const { done, failed, reopened, added, needs, edited, claimed } = step;
  if (added !== undefined) {
    const id = `${plan.header.id}-${ids.goalSuffix()}`;
    const born = { id, description: step.goal, atomic: true, reasoning: null, dependencies: [] };
    const parent = goalCalled(plan, added.under).id;
    return { type: 'goals_added', parent, sub_goals: [born], because: added.because };
  }
  const goal = goalCalled(plan, step.goal).id;
  if (done !== undefined) return { type: 'goal_completed', goal, digest: done };
  if (failed !== undefined) return { type: 'goal_failed', goal, phase: 'work', reason: failed };
  if (edited !== undefined) return { type: 'goal_edited', goal, fields: edited };
  if (claimed !== undefined)
    return { type: 'goal_claimed', goal, token: ids.eventId(), expires_at: claimed.until };
  if (needs !== undefined) {
    const add = needs.map((name) => goalCalled(plan, name).id);
    return { type: 'dependencies_changed', changes: [{ goal, add, remove: [] }] };
  }
  return { type: 'goal_reopened', goal, ...(reopened === undefined ? {} : { reason: reopened }) };
}

function goalCalled(plan: Plan, description: string): Goal {
  const found = [...plan.goals.values()].filter((goal) => goal.description === description);
  if (found[0] === undefined || found.length > 1)
    throw new Error(`${found.length} goals of plan ${plan.header.id} are called: ${description}`);
  return found[0];
}
