import { truncate } from '../../../kernel/text/truncate.js';
import { missingResults } from '../../../plan/readiness/missing-results.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, PlanHeader } from '../../../plan/schema.js';

/** A goal without what only whoever looks at it needs, and without the token of its claim. */
export type ShownGoal = Pick<
  Goal,
  'id' | 'description' | 'status' | 'parent_id' | 'child_ids' | 'depth' | 'dependencies' | 'updated_at'
> & {
  readonly claim?: Pick<NonNullable<Goal['claim']>, 'by' | 'since' | 'expires_at'>;
  readonly failure?: Pick<NonNullable<Goal['failure']>, 'reason' | 'phase'>;
  readonly on_hold?: NonNullable<Goal['on_hold']>;
  readonly priority?: number;
  readonly size?: string;
  readonly tags?: readonly string[];
};

/** What is told of a plan beside its goals. */
export type ShownHeader = Pick<
  PlanHeader,
  'id' | 'root_goal_id' | 'status' | 'created_at' | 'updated_at' | 'max_depth' | 'total_tokens'
> &
  Partial<Pick<PlanHeader, 'usage' | 'paused_because' | 'warnings' | 'archived_at'>> & {
    readonly description: string;
    readonly expander: string | null;
    readonly model: string | null;
    readonly estimate: NonNullable<PlanHeader['settings']>['estimate'] | null;
    readonly budget: NonNullable<PlanHeader['settings']>['budget'] | null;
    /** What goals use and no goal makes. */
    readonly missing: readonly string[];
    /** Whether a process says that it is planning. */
    readonly planning: boolean;
  };

/** What changed between two states of a plan. */
export interface PlanDelta {
  /** Null where nothing of it changed. */
  readonly header: ShownHeader | null;
  /** The goals that are new or other than before, as {@link textOfGoal} tells them. */
  readonly goals: readonly Goal[];
  /** Ids of those that are gone. */
  readonly gone: readonly string[];
}

/** Of longer texts only so much is told; whoever looks at a goal gets all of it. */
const MOST_TEXT = 2000;

/**
 * What changed from one state of a plan to another of the same plan, found by comparing references: states of one plan
 * share what did not change.
 * @param before null for everything
 */
export function planDelta(before: Plan | null, after: Plan): PlanDelta {
  const goals: Goal[] = [];
  let added = 0;
  for (const [id, goal] of after.goals) {
    const known = before?.goals.get(id);
    if (known === goal) continue;
    if (known === undefined) added += 1;
    goals.push(goal);
  }
  const isAnyGone = before !== null && before.goals.size + added !== after.goals.size;
  const gone = isAnyGone ? [...before.goals.keys()].filter((id) => !after.goals.has(id)) : [];
  return { header: before?.header === after.header ? null : shownHeader(after), goals, gone };
}

/** Whether there is nothing to tell. */
export function isEmptyDelta({ header, goals, gone }: PlanDelta): boolean {
  return header === null && goals.length === 0 && gone.length === 0;
}

/** What was made of goals, for all who are told of them: states of a plan share the goals that did not change. */
const texts = new WeakMap<Goal, string>();

/** A goal as the delta of a plan tells it, in JSON. */
export function textOfGoal(goal: Goal): string {
  const text = texts.get(goal) ?? JSON.stringify(shownGoal(goal));
  texts.set(goal, text);
  return text;
}

function shownGoal(goal: Goal): ShownGoal {
  const { id, status, parent_id, child_ids, depth, dependencies, updated_at } = goal;
  const { claim, failure, on_hold, priority, size, tags } = goal;
  return {
    id,
    description: shortened(goal.description),
    status,
    parent_id,
    child_ids,
    depth,
    dependencies,
    updated_at,
    ...(claim === undefined
      ? {}
      : { claim: { by: shortened(claim.by), since: claim.since, expires_at: claim.expires_at } }),
    ...(failure === undefined
      ? {}
      : { failure: { reason: shortened(failure.reason), phase: failure.phase } }),
    ...(on_hold === undefined ? {} : { on_hold: { ...on_hold, reason: shortened(on_hold.reason) } }),
    ...(priority === undefined ? {} : { priority }),
    ...(size === undefined ? {} : { size: shortened(size) }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags: tags.slice(0, 20).map(shortened) }),
  };
}

function shownHeader(plan: Plan): ShownHeader {
  const { header, goals } = plan;
  const { settings, usage, paused_because, warnings, archived_at } = header;
  return {
    id: header.id,
    root_goal_id: header.root_goal_id,
    description: shortened(header.description ?? goals.get(header.root_goal_id)?.description ?? ''),
    status: header.status,
    created_at: header.created_at,
    updated_at: header.updated_at,
    max_depth: header.max_depth,
    total_tokens: header.total_tokens,
    ...(usage === undefined ? {} : { usage }),
    ...(paused_because === undefined ? {} : { paused_because }),
    ...(warnings === undefined ? {} : { warnings: warnings.slice(0, 100) }),
    ...(archived_at === undefined ? {} : { archived_at }),
    expander: settings?.expander ?? null,
    model: settings?.model ?? null,
    estimate: settings?.estimate ?? null,
    budget: settings?.budget ?? null,
    missing: missingResults(plan).map(({ what }) => shortened(what)),
    planning: header.run !== undefined,
  };
}

function shortened(text: string): string {
  return text.length <= MOST_TEXT ? text : truncate(text, MOST_TEXT);
}
