import * as z from 'zod';

import { sha256 } from '../../../kernel/sha256.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import type { CoreLibrary } from '../../../operations/library.js';
import type { ResultOf } from '../../../operations/registry.js';
import { LAST_QUESTION } from '../../../operations/reading/plan-outline.js';
import { isLinkWaiting } from '../../../plan/readiness/plan-progress.js';
import { planField, statusOfPlan, waitField } from '../fields.js';
import { defineTool } from '../tool.js';
import type { ToolWorld } from '../tool.js';
import { untilChanged } from '../until-changed.js';

const MOST_PLANS = 20;
const MOST_READY = 10;
const MOST_PROBLEMS = 5;
const LONGEST_TEXT = 200;

/** How plans stand, or one of them. */
export const planStatus = defineTool({
  name: 'plan_status',
  description:
    'Without `plan`: all plans. With: progress, what can start, who holds what, cost, problems. `wait_s`: answer when something changed, at the latest then.',
  input: z.object({ plan: planField(), wait_s: waitField() }),
  output: z.object({
    plans: z.array(z.looseObject({ id: z.string(), status: z.string(), progress: z.string() })).optional(),
    more: z.number().optional(),
    plan: z.looseObject({ id: z.string(), status: z.string(), progress: z.string() }).optional(),
    ready: z.array(z.object({ goal: z.string(), number: z.string(), description: z.string() })).optional(),
    claims: z.array(z.object({ goal: z.string(), by: z.string(), until: z.string() })).optional(),
    planning: z.object({ by: z.string(), left: z.number() }).nullable().optional(),
    problems: z.array(z.string()).optional(),
    seq: z.string(),
  }),
  annotations: { readOnlyHint: true },
  async run(world, { plan, wait_s }) {
    const look = () => (plan === undefined ? allPlans(world.library) : onePlan(world, plan));
    return { document: await untilChanged(world, look, { seconds: wait_s }) };
  },
});

type Document = Readonly<Record<string, unknown>> & { readonly seq: string };

async function allPlans(library: CoreLibrary): Promise<Document> {
  const { plans } = await library.list();
  const shown = plans.slice(0, MOST_PLANS).map((plan) => ({
    id: plan.id,
    description: short(plan.description),
    status: statusOfPlan(plan),
    progress: plan.progress,
    goals: plan.total_goals,
    done: plan.complete_goals,
    updated_at: plan.updated_at,
  }));
  const more = plans.length - shown.length;
  return marked({ plans: shown, ...(more === 0 ? {} : { more }) });
}

async function onePlan({ library, failures }: ToolWorld, named: string): Promise<Document> {
  const {
    plan,
    next = [],
    claimed,
    failed = [],
    damage = [],
    linked,
    findings,
  } = await library.status({
    plan: named,
    next: MOST_READY,
  });
  const { id, description, total_goals, atomic_goals, complete_goals, failed_goals } = plan;
  const isLast = isLinkWaiting(plan);
  const left = isLast ? 1 : plan.pending_goals;
  const problems = [
    ...(isLast ? [LAST_QUESTION] : []),
    ...(left === 0 ? [] : whyNotPlanned(plan, failures.get(id))),
    ...damage.map(({ reason }) => reason),
    ...failed.map(({ number, failure }) => `goal ${number} failed: ${failure?.reason ?? ''}`),
    ...(linked?.missing ?? []).map(
      ({ what, used_by }) =>
        `no goal makes ${what}, which ${used_by.map(({ number }) => number).join(', ')} ${used_by.length === 1 ? 'uses' : 'use'}`,
    ),
    ...(findings?.first ?? []).map(({ code, message }) => `${code}: ${message}`),
    ...plan.warnings.toReversed().map(({ message }) => message),
  ];
  return marked({
    plan: {
      id,
      description: short(description),
      status: statusOfPlan(plan),
      progress: plan.progress,
      goals: total_goals,
      atomic: atomic_goals,
      done: complete_goals,
      failed: failed_goals,
      cost_usd: plan.usage.cost_usd,
    },
    ready: next.map(({ id: goal, number, description: text }) => ({
      goal,
      number,
      description: short(text),
    })),
    claims: claimed.slice(0, MOST_READY).map(({ goal, by, expires_at }) => ({ goal, by, until: expires_at })),
    planning: left === 0 ? null : { by: plannerOf(plan), left },
    problems: problems.slice(0, MOST_PROBLEMS).map(short),
  });
}

type Standing = Readonly<Pick<ResultOf<'status'>['plan'], 'paused_because' | 'expander'>>;

/** Who plans on: an agent that is asked pauses a plan as well, until it answers. */
function plannerOf({ paused_because, expander }: Standing): string {
  return paused_because === null || paused_because === 'agent' ? (expander ?? 'nobody') : 'nobody';
}

/** @param trouble that ended planning in the background; undefined where there was none */
function whyNotPlanned({ paused_because: because }: Standing, trouble: string | undefined) {
  if (because === 'agent') return [];
  if (because === null && trouble === undefined) return [];
  const why = trouble === undefined ? ` (${because})` : `: ${trouble}`;
  return [`planning has stopped${why}; plan_start with the same goal and planner goes on`];
}

/** A state with what tells it from another. */
function marked(document: Readonly<Record<string, unknown>>): Document {
  const seq = sha256(JSON.stringify(document)).slice(0, 12);
  return { ...document, seq };
}

function short(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${wellFormed(text.slice(0, LONGEST_TEXT))}…`;
}
