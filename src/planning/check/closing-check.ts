import { goalOf, rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { goalsBefore } from '../../plan/readiness/dependencies.js';
import type { Goal } from '../../plan/schema.js';
import { subtree } from '../../plan/tree.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';
import { isCircular } from './weak-checks.js';

/** So many parts of a plan, so many of them divided, are built separately. */
const PARTS = 3;
const DIVIDED = 2;

/** What shows that a whole works, in one field or another. */
const SHOWS =
  /\b(?:test|tests|tested|testing|verif\w*|check\w*|validat\w*|rehears\w*|walk\w*|try|trial|tries|pilot\w*|prov(?:e|es|en)|demo\w*|show\w*|end[- ]to[- ]end|e2e|accept\w*|review\w*|proofread\w*|proofs?|inspect\w*|audit\w*|compar\w*|reconcil\w*|dry[- ]run|run[- ]through|rehearsal|launch\w*|go[- ]live|live|switch\w*|cut[- ]?over|deliver\w*|hand[- ]?over|submit\w*|publish\w*|ship\w*|releas\w*|perform\w*|hold|held|evaluat\w*|measur\w*|monitor\w*|retrospective|debrief\w*|lessons|survey\w*)\b/iu;

/** The same in a check, where each word of a check stands so often. */
const SHOWS_ALL =
  /\b(?:end[- ]to[- ]end|e2e|rehears\w*|walk(?:ed|s|ing)? through|dry[- ]run|run[- ]through|in production|on staging|all (?:parts|modules|pages|steps))\b/iu;

/** Finds that nothing at the end of a plan shows the whole at work, though its parts are built separately. */
export function missingClosingCheck({ plan, isEnglish }: CheckedPlan): readonly JudgementFinding[] {
  const root = rootOf(plan);
  const parts = root.child_ids.map((id) => goalOf(plan, id));
  const divided = parts.filter(({ child_ids }) => child_ids.length > 0);
  if (!isEnglish || root.status === 'complete' || plan.counts.pending > 0) return [];
  if (parts.length < PARTS || divided.length < DIVIDED) return [];
  const last = parts.at(-1);
  const partOf = new Map(
    parts.flatMap((part) => subtree(plan, part).map(({ id }) => [id, part.id] as const)),
  );
  if (last === undefined || !areSeparate(plan, divided)) return [];
  const joining = [...plan.goals.values()].filter((goal) => joinsParts(goal, partOf, parts.length));
  // What clears up may come behind what shows the whole.
  const behindAll = parts.slice(-2).filter((part) => comesBehind(plan, part));
  if ([last, ...joining].some(showsWhole) || [...joining, ...behindAll].some(hasOwnCheck)) return [];
  if (subtree(plan, last).some(showsWhole)) return [];
  return [
    {
      code: 'NO_CLOSING_CHECK',
      goal: root.id,
      goals: [],
      message: `nothing at the end shows that the ${parts.length} parts work together`,
      hint: 'Add a goal that shows the whole in one named scenario: plan add "…" --acceptance "…"',
    },
  ];
}

/** Whether two parts are built apart: in a sequence, the last leaf of each part comes after all of the part before. */
function areSeparate(plan: Plan, divided: readonly Goal[]): boolean {
  return divided.some((one, at) => {
    const next = divided[at + 1];
    if (next === undefined) return false;
    const last = subtree(plan, next).findLast(({ child_ids }) => child_ids.length === 0) ?? next;
    const before = goalsBefore(plan, last.id);
    return subtree(plan, one).some(({ id, child_ids }) => child_ids.length === 0 && !before.has(id));
  });
}

/** Whether a goal waits for most other parts of the whole, or for goals in them. */
function joinsParts({ id, dependencies }: Goal, partOf: ReadonlyMap<string, string>, parts: number): boolean {
  const own = partOf.get(id);
  const awaited = new Set(dependencies.map((on) => partOf.get(on)).filter((part) => part !== own));
  return awaited.size >= 2 && awaited.size * 2 >= parts;
}

/** Whether a part comes after something of each part that stands before it. */
function comesBehind(plan: Plan, part: Goal): boolean {
  const before = goalsBefore(plan, part.id);
  const { child_ids } = rootOf(plan);
  return child_ids
    .slice(0, child_ids.indexOf(part.id))
    .every((id) => subtree(plan, goalOf(plan, id)).some((goal) => before.has(goal.id)));
}

/** Whether a goal is one piece of work that says what is seen of it. */
function hasOwnCheck({ child_ids, acceptance = [], description }: Goal): boolean {
  return child_ids.length === 0 && acceptance.some((check) => !isCircular(check, description));
}

function showsWhole({ description, acceptance = [] }: Goal): boolean {
  return SHOWS.test(description) || acceptance.some((check) => SHOWS_ALL.test(check));
}
