import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { lostOfMilestones } from './backlog.js';
import { unlabelled } from './github.js';
import { crossTagDependencies, decidedLists } from './taskmaster.js';
import { unsupportedParts } from './unsupported-parts.js';

/** What none of the tools has a place for. */
const NOWHERE = [
  'reasons',
  'sizes',
  'places in documents',
  'decisions and artifacts',
  'action plans',
  'claims',
] as const;

/** Tells what of a plan beads has no place for. */
export function lostInBeads(plan: Plan): readonly string[] {
  return unsupportedParts(plan, NOWHERE);
}

/** Tells what of a plan Task Master has no place for. */
export function lostInTaskMaster(plan: Plan): readonly string[] {
  const lacks = [
    ...NOWHERE,
    'tags',
    'ends of holds',
    'reasons of failures',
    'summaries of what was done',
  ] as const;
  const lists = decidedLists(plan);
  return [
    ...unsupportedParts(plan, lacks),
    ...crossTagDependencies(plan),
    ...lostOfRoot(plan),
    ...(lists === 0 ? [] : [`decisions for lists of a tag (${quantityOf(lists, 'goal')})`]),
  ];
}

/** Tells what of a plan GitHub has no place for. */
export function lostInGitHub(plan: Plan): readonly string[] {
  const lacks = [...NOWHERE, 'ends of holds', 'reasons of failures', 'summaries of what was done'] as const;
  const unsaid = [
    ['priorities', unlabelled(plan, 'priority')],
    ['holds', unlabelled(plan, 'on_hold')],
  ] as const;
  return [
    ...unsupportedParts(plan, lacks),
    ...unsaid.flatMap(([name, count]) => (count === 0 ? [] : [`${name} (${quantityOf(count, 'goal')})`])),
  ];
}

/** Tells what of a plan Backlog.md has no place for. */
export function lostInBacklog(plan: Plan): readonly string[] {
  const lacks = [...NOWHERE, 'ends of holds', 'reasons of failures'] as const;
  return [...unsupportedParts(plan, lacks), ...lostOfMilestones(plan), ...lostOfRoot(plan)];
}

/** Where the goal of the whole plan is no task, its text and criteria have no place. */
function lostOfRoot(plan: Plan): readonly string[] {
  const { child_ids, detail = '', acceptance = [] } = rootOf(plan);
  const isLost = child_ids.length > 0 && (detail !== '' || acceptance.length > 0);
  return isLost ? ['details and criteria of the goal of the whole plan (1 goal)'] : [];
}
