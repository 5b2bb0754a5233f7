import type * as z from 'zod';

import { initPlan } from '../../src/operations/planning/init-plan.js';
import { planWorker } from '../../src/features/teams/operations/plan-worker.js';
import type { PlanningEvent } from '../../src/operations/planning/planning-progress.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import type { PlanLog } from '../../src/storage/plan-store.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import type { Context } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { temporaryFolder } from './folders.js';
import { UNLINKED } from './unlinked.js';

/** A machine of a team: what its commands run with. */
export function machineOf(url: string, variables: Readonly<Record<string, string>> = {}): Context {
  const home = temporaryFolder();
  const environment = {
    ...defaultEnvironment(),
    workingFolder: temporaryFolder(),
    homeFolder: home,
    variables: { HOME: home, ...UNLINKED, ...variables },
  };
  return createContext({ features: FEATURES, environment, database: { url } });
}

/** What workers were told to plan: the plan's id, and whatever was said on the way. */
export interface LeftToWorkers {
  readonly planId: string;
  readonly log: PlanLog;
}

type PlanInput = Parameters<typeof initPlan.run>[1];

/** Makes a plan on a machine and leaves it to workers. */
export async function leaveToWorkers(
  machine: Context,
  input: z.input<typeof initPlan.input>,
): Promise<LeftToWorkers> {
  const parsed: PlanInput = initPlan.input.parse({ workers: true, ...input });
  const { plan } = await initPlan.run({ ...machine, emit: () => undefined }, parsed);
  return { planId: plan.id, log: await machine.store().open(plan.id) };
}

/** Has so many workers plan until nothing is left to them, each on a machine of its own. */
export async function workUntilDone(
  machines: readonly Context[],
  options: { readonly concurrency?: number; readonly notices?: string[] } = {},
): Promise<number> {
  const emit = (event: PlanningEvent) => {
    if (event.type === 'notice') options.notices?.push(event.message);
  };
  const done = await Promise.all(
    machines.map((machine) =>
      planWorker.run({ ...machine, emit }, { concurrency: options.concurrency ?? 2, untilDone: true }),
    ),
  );
  return done.reduce((sum, { goals }) => sum + goals, 0);
}

/** The tree of a plan without its ids and times: descriptions, verdicts, dependencies. */
export function shapeOf(plan: Plan): unknown {
  const shape = (id: string): unknown => {
    const goal = goalOf(plan, id);
    return {
      description: goal.description,
      status: goal.status,
      dependencies: goal.dependencies.map((other) => goalOf(plan, other).description),
      children: goal.child_ids.map(shape),
    };
  };
  return shape(plan.header.root_goal_id);
}
