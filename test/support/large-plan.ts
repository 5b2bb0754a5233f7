import { join } from 'node:path';

import { newFileStore } from './stores.js';
import { PLAN_ID } from './plans.js';

const WIDTH = 25;

/** Writes a plan of so many goals on three levels into the store of a folder. @param words what each of them says */
export async function writeLargePlan(folder: string, goals: number, words: string, plan = PLAN_ID) {
  const store = await newFileStore(join(folder, '.plans'));
  const parts = Array.from({ length: Math.ceil(goals / (WIDTH + 1)) }, (_, part) => `${plan}-p${part}`);
  const subGoal = (id: string, atomic: boolean) => ({
    id,
    description: `${id} ${words}`,
    atomic,
    reasoning: 'because',
    dependencies: [],
  });
  const log = await store.create(
    {
      type: 'plan_created',
      plan: { id: plan, description: 'Large' },
      root: { description: 'Large' },
    },
    [
      {
        type: 'goal_expanded',
        goal: `${plan}-root`,
        atomic: false,
        reasoning: 'because',
        sub_goals: parts.map((id) => subGoal(id, false)),
      },
      ...parts.map((id) => ({
        type: 'goal_expanded' as const,
        goal: id,
        atomic: false,
        reasoning: 'because',
        sub_goals: Array.from({ length: WIDTH }, (_, step) => subGoal(`${id}s${step}`, true)),
      })),
    ],
  );
  await log.publish('now');
  return { store, log, plan };
}
