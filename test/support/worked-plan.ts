import { join } from 'node:path';

import type { EventPayload, PayloadOf } from '../../src/plan/events.js';
import type { Outcome, PlanLog } from '../../src/storage/plan-store.js';
import { newUser } from './command.js';
import type { User } from './command.js';
import { newFileStore } from './stores.js';

export const PLAN = '0398a958';

/** A goal's full id. */
export const id = (suffix: string) => `${PLAN}-${suffix}`;

/** A user whose store holds a plan of a root that is not divided yet, and another process that changes it. */
export interface Workplace extends User {
  readonly store: string;
  readonly eventLog: string;
  /** Writes events as a process of its own does: opens the plan, appends, publishes. */
  change(...payloads: readonly EventPayload[]): Promise<readonly Outcome[]>;
  /** The plan as another process has it open. */
  open(): Promise<PlanLog>;
}

export async function newWorkplace(folder?: string): Promise<Workplace> {
  const user = newUser(folder);
  const place = workplace(user);
  const files = await newFileStore(place.store);
  const log = await files.create({
    type: 'plan_created',
    plan: { id: PLAN, description: 'Ship the product' },
    root: { description: 'Ship the product' },
  });
  await log.publish('now');
  return place;
}

/** A user in a folder that holds a store already. */
export function workplace(user: User): Workplace {
  const store = join(user.folder, '.plans');
  const open = async () => (await newFileStore(store)).open(PLAN);
  return {
    ...user,
    store,
    eventLog: join(store, `${PLAN}.events.jsonl`),
    open,
    async change(...payloads) {
      const log = await open();
      const outcomes = await log.append(payloads);
      await log.publish('now');
      return outcomes;
    },
  };
}

/** Divides a goal into atomic goals and ones that are to be divided further. */
export function expand(
  goal: string,
  atomic: readonly string[],
  open: readonly string[] = [],
): PayloadOf<'goal_expanded'> {
  const children = [...atomic, ...open];
  return {
    type: 'goal_expanded',
    goal: id(goal),
    atomic: children.length === 0,
    reasoning: null,
    sub_goals: children.map((suffix) => ({
      id: id(suffix),
      description: `Goal ${suffix}`,
      atomic: atomic.includes(suffix),
      reasoning: null,
      dependencies: [],
    })),
  };
}

/** Has a goal lose some children and get others, which are atomic. */
export function replan(
  goal: string,
  remove: readonly string[],
  added: readonly string[],
): PayloadOf<'goal_replanned'> {
  const { sub_goals } = expand(goal, added);
  return { type: 'goal_replanned', goal: id(goal), reasoning: null, remove: remove.map(id), sub_goals };
}

export const claim = (goal: string, token: string): EventPayload => ({
  type: 'goal_claimed',
  goal: id(goal),
  token,
  expires_at: '2098-01-01T00:00:00Z',
});
export const complete = (goal: string): PayloadOf<'goal_completed'> => ({
  type: 'goal_completed',
  goal: id(goal),
});
export const fail = (goal: string): EventPayload => ({
  type: 'goal_failed',
  goal: id(goal),
  reason: 'the server was down',
  phase: 'work',
});
