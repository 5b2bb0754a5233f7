import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { depthFirst } from '../../../plan/tree.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';

const HAS = {
  reasons: ({ reasoning }) => reasoning !== null && reasoning !== '',
  sizes: ({ size }) => size !== undefined,
  'places in documents': ({ source }) => source !== undefined,
  'reasons of failures': ({ failure }) => failure !== undefined,
  'summaries of what was done': ({ digest }) => digest !== null && digest.summary !== '',
  'decisions and artifacts': ({ digest }) =>
    digest !== null && digest.key_decisions.length + digest.artifacts.length > 0,
  'action plans': ({ action_plans = [] }) => action_plans.length > 0,
  claims: ({ claim }) => claim !== undefined,
  tags: ({ tags = [] }) => tags.length > 0,
  priorities: ({ priority }) => priority !== undefined,
  holds: ({ on_hold: hold }) => hold !== undefined,
  'ends of holds': ({ on_hold: hold }) => hold?.until !== undefined,
} as const satisfies Readonly<Record<string, (goal: Goal) => boolean>>;

/** A part of a goal that another tool may have no field for. */
export type Unsupported = keyof typeof HAS;

/** What a format leaves out of a plan, in words, with the number of goals that have it; empty when it holds all. */
export function unsupportedParts(plan: Plan, lacks: readonly Unsupported[]): readonly string[] {
  const counts = new Map<Unsupported, number>();
  for (const { goal } of depthFirst(plan))
    for (const name of lacks) if (HAS[name](goal)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts, ([name, count]) => `${name} (${quantityOf(count, 'goal')})`);
}
