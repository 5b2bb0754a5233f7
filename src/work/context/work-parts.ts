import { decisionSaid, decisionsInForce } from '../../plan/decisions.js';
import { outOfScopeTexts, statusInWords } from '../../plan/goal-in-words.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import type { Goal } from '../../plan/schema.js';
import { missingFor } from '../../plan/readiness/missing-results.js';
import { goalSuffix } from '../../plan/ids.js';
import { ancestors, numberOf } from '../../plan/tree.js';
import { finishedGoals } from './finished-goals.js';
import type { FinishedGoal } from './finished-goals.js';
import { quotedItem } from './quoted-markdown.js';

/** A part of what somebody must know to do a goal. */
export interface WorkPart {
  readonly name: PartName;
  readonly heading: string;
  readonly content:
    | { readonly kind: 'items'; /** Most important first. */ readonly items: readonly string[] }
    | {
        readonly kind: 'blocks';
        readonly blocks: readonly { readonly label: string; readonly text: string }[];
      };
  /** How many items or blocks there are; the content may hold fewer, the ones nearest to the goal. */
  readonly total: number;
  /** The numbers of the goals that the items are about, where they are kept whole in their order or not at all. */
  readonly numbers?: readonly string[];
}

export type PartName =
  | 'goal'
  | 'why'
  | 'decisions'
  | 'missing'
  | 'done'
  | 'limits'
  | 'branches'
  | 'children'
  | 'detail'
  | 'project'
  | 'siblings'
  | 'dependents'
  | 'farther'
  | 'background';

/** Goals that are looked through for digests behind a dependency. */
const MOST_VISITED = 300;
/** A number of a goal that is deeper than this is longer than it is helpful. */
const LONGEST_NUMBER = 40;

/**
 * All that somebody must know to do a goal, most important part first; parts without content are left out.
 * @param most items of a part that there can be room for
 */
export function workParts(plan: Plan, goal: Goal, most: number): readonly WorkPart[] {
  const above = ancestors(plan, goal);
  const direct = dependenciesOf(plan, [goal, ...above.toReversed()]);
  const done = finishedGoals(plan, goal);
  const known = [goal, ...above, ...done.map((each) => each.goal)];
  const farther = fartherDigests(plan, direct, known);
  return [
    itemsPart('goal', '# Goal', goalItems(plan, goal), most),
    itemsPart('why', '## Why', whyItems(plan, above, most), most, above.length),
    decisionsPart(plan, goal, most),
    missingPart(plan, [goal, ...above], most),
    donePart(plan, done, most),
    limitsPart(plan, above, most),
    childrenPart(plan, goal, most),
    detailPart(goal, above),
    projectPart(plan),
    siblingsPart(plan, goal, most),
    dependentsPart(plan, [goal, ...above], most),
    itemsPart('farther', '## Done earlier', farther.slice(0, most).map(doneItem(plan)), most, farther.length),
    backgroundPart(goal, above),
  ].filter(({ total }) => total > 0);
}

function itemsPart(
  name: PartName,
  heading: string,
  items: readonly string[],
  most: number,
  total = items.length,
): WorkPart {
  return { name, heading, content: { kind: 'items', items: items.slice(0, most) }, total };
}

function goalItems(plan: Plan, goal: Goal): readonly string[] {
  const { id, description, acceptance = [], size, failure, touches = [], checks = [] } = goal;
  return [
    quotedItem(goal.child_ids.length > 0 ? 'To do in parts:' : 'To do:', description),
    quotedItem('Its id:', `${id}, number ${labelOf(plan, goal)}, ${statusInWords(goal)}`),
    ...acceptance.map((criterion) => quotedItem('Done when:', criterion)),
    ...outOfScopeTexts([goal]).map((each) => quotedItem('Not to be done:', each)),
    ...checks.map(({ tool, args }) => quotedItem('Checked by:', `${tool} ${JSON.stringify(args)}`)),
    ...(touches.length === 0 ? [] : [quotedItem('Likely to change:', touches.join(', '))]),
    ...(failure === undefined ? [] : [quotedItem('An earlier attempt failed:', failure.reason)]),
    ...(size === undefined || goal.child_ids.length > 0 ? [] : [quotedItem('Its size:', sizeInWords(size))]),
  ];
}

function sizeInWords(size: string): string {
  const hours = new Map([
    ['S', 'up to an hour'],
    ['M', 'up to half a day'],
    ['L', 'up to a day'],
  ]).get(size);
  return hours === undefined ? size : `${size}, ${hours} for a person`;
}

/** The nearest goal above first, and the root before those between: in the end the order is from the root down. */
function whyItems(plan: Plan, above: readonly Goal[], most: number): readonly string[] {
  const [root, ...between] = above;
  if (root === undefined) return [];
  const nearest = between.slice(-Math.max(1, most - 1));
  return [root, ...nearest].map((each) => quotedItem(labelOf(plan, each), each.description));
}

/** What these goals depend on, without repetitions. */
function dependenciesOf(plan: Plan, goals: readonly Goal[]): readonly Goal[] {
  const ids = new Set(goals.flatMap(({ dependencies }) => dependencies));
  return [...ids].flatMap((id) => plan.goals.get(id) ?? []);
}

/** What was decided for the goal, the nearest decision last. */
function decisionsPart(plan: Plan, goal: Goal, most: number): WorkPart {
  const items = decisionsInForce(plan, goal).map(({ decision }) => {
    const { is, text } = decisionSaid(plan, decision);
    return quotedItem(`${is}:`, text);
  });
  return itemsPart('decisions', '## Decisions', items, most);
}

/** What the goal, or one above it, uses and no goal makes. */
function missingPart(plan: Plan, goals: readonly Goal[], most: number): WorkPart {
  const items = missingFor(plan, goals).map((what) => quotedItem('No goal makes:', what));
  return itemsPart('missing', '## Missing', items, most);
}

function donePart(plan: Plan, done: readonly FinishedGoal[], most: number): WorkPart {
  const goals = done.map(({ goal }) => goal);
  const part = itemsPart(
    'done',
    '## Builds on',
    goals.slice(0, most).map(doneItem(plan)),
    most,
    goals.length,
  );
  return { ...part, numbers: goals.map((each) => labelOf(plan, each)) };
}

/**
 * The digests of the divided goals that are waited for, for those below them that there is no room for.
 * @param missing the numbers of these
 */
export function branchesPart(plan: Plan, goal: Goal, missing: readonly string[]): WorkPart {
  const numbers = new Set(missing);
  const branches = finishedGoals(plan, goal).flatMap(({ goal: leaf, branch }) =>
    branch !== null && branch.digest !== null && numbers.has(labelOf(plan, leaf)) ? [branch] : [],
  );
  const items = [...new Set(branches)].map(doneItem(plan));
  return itemsPart('branches', '## Builds on, in short', items, items.length);
}

function doneItem(plan: Plan): (goal: Goal) => string {
  return (goal) => {
    const { description, digest } = goal;
    const label = labelOf(plan, goal);
    if (digest === null) return withStatus(label, goal);
    const { summary, key_decisions, artifacts } = digest;
    const told = [
      summary,
      ...(key_decisions.length === 0 ? [] : [`decided: ${key_decisions.join('; ')}`]),
      ...(artifacts.length === 0 ? [] : [`made: ${artifacts.join(', ')}`]),
    ].filter((part) => part !== '');
    return quotedItem(label, `${description}: ${told.join('; ')}`);
  };
}

/** A goal that has nothing to tell but how it stands. */
function withStatus(label: string, goal: Goal): string {
  return quotedItem(label, `${goal.description} [${statusInWords(goal)}]`);
}

/** How one sees that the goals above are done, which this one is part of, and what is not to be done for them. */
function limitsPart(plan: Plan, above: readonly Goal[], most: number): WorkPart {
  const items = above.flatMap((goal) => {
    const { acceptance = [] } = goal;
    const label = labelOf(plan, goal);
    return [
      ...acceptance.map((each) => quotedItem(`${label} is done when:`, each)),
      ...outOfScopeTexts([goal]).map((each) => quotedItem('Not to be done:', each)),
    ];
  });
  return itemsPart('limits', '## Holds for it too', items, most);
}

/** The goals that a divided one is made of, in their order. */
function childrenPart(plan: Plan, goal: Goal, most: number): WorkPart {
  const items = goal.child_ids.slice(0, most).map((id) => {
    const child = goalOf(plan, id);
    return withStatus(labelOf(plan, child), child);
  });
  return itemsPart('children', '## Its parts', items, most, goal.child_ids.length);
}

/** Its own text of a document; without any, that of the nearest goal above. */
function detailPart(goal: Goal, above: readonly Goal[]): WorkPart {
  const holder = detailHolder(goal, above);
  const block = blockOf(holder ?? goal);
  const blocks = block.text === '' && block.label === '' ? [] : [block];
  return {
    name: 'detail',
    heading: holder === goal || holder === undefined ? '## Detail' : '## Detail from above',
    content: { kind: 'blocks', blocks },
    total: blocks.length,
  };
}

/** The texts of the document that stand with the other goals above, the nearest first. */
function backgroundPart(goal: Goal, above: readonly Goal[]): WorkPart {
  const holder = detailHolder(goal, above);
  const others = above.filter((each) => each !== holder && each.detail !== undefined).toReversed();
  return {
    name: 'background',
    heading: '## Background',
    content: { kind: 'blocks', blocks: others.map(blockOf) },
    total: others.length,
  };
}

function detailHolder(goal: Goal, above: readonly Goal[]): Goal | undefined {
  return goal.detail === undefined ? above.findLast(({ detail }) => detail !== undefined) : goal;
}

/** What a goal has of a document, and where it stands there. */
function blockOf({ source, detail = '' }: Goal): { readonly label: string; readonly text: string } {
  const label = source === undefined ? '' : `${oneLine(source.file)}:${source.start_line}-${source.end_line}`;
  return { label, text: detail };
}

function projectPart({ header }: Plan): WorkPart {
  const blocks = (header.settings?.context ?? []).map(({ file, text }) => ({ label: oneLine(file), text }));
  return {
    name: 'project',
    heading: '## Project',
    content: { kind: 'blocks', blocks },
    total: blocks.length,
  };
}

/** The nearest siblings, in their order. */
function siblingsPart(plan: Plan, goal: Goal, most: number): WorkPart {
  const heading = '## Beside it';
  if (goal.parent_id === null) return itemsPart('siblings', heading, [], most);
  const parent = goalOf(plan, goal.parent_id);
  const place = parent.child_ids.indexOf(goal.id);
  const from = Math.max(0, Math.min(place - Math.floor(most / 2), parent.child_ids.length - most - 1));
  const near = parent.child_ids.slice(from, from + most + 1).filter((id) => id !== goal.id);
  const above = numberOf(plan, parent);
  const items = near.map((id) => {
    const sibling = goalOf(plan, id);
    const number = `${above === '' ? '' : `${above}.`}${parent.child_ids.indexOf(id, from) + 1}`;
    const label = number.length > LONGEST_NUMBER ? goalSuffix(sibling.id) : number;
    return withStatus(label, sibling);
  });
  return itemsPart('siblings', heading, items, most, parent.child_ids.length - 1);
}

/** The goals that wait for this one, or for one above it. */
function dependentsPart(plan: Plan, goals: readonly Goal[], most: number): WorkPart {
  const ids = new Set(goals.map(({ id }) => id));
  const waiting = [...plan.goals.values()].filter(({ dependencies }) =>
    dependencies.some((each) => ids.has(each)),
  );
  const items = waiting.slice(0, most).map((each) => withStatus(labelOf(plan, each), each));
  return itemsPart('dependents', '## Needed by', items, most, waiting.length);
}

/** What the dependencies depend on, nearest first, as far as it has digests. */
function fartherDigests(plan: Plan, direct: readonly Goal[], own: readonly Goal[]): readonly Goal[] {
  const known = new Set([...own, ...direct].map(({ id }) => id));
  // Whatever is above several of them is asked once what it depends on.
  const asked = new Set<string>();
  const queue = [...direct];
  const found: Goal[] = [];
  for (const goal of queue) {
    for (let id: string | null = goal.id; id !== null && !asked.has(id) && asked.size < MOST_VISITED;) {
      asked.add(id);
      const { dependencies, parent_id }: Goal = goalOf(plan, id);
      for (const needed of dependencies.flatMap((each) => plan.goals.get(each) ?? [])) {
        if (known.has(needed.id)) continue;
        known.add(needed.id);
        queue.push(needed);
        if (needed.digest !== null) found.push(needed);
      }
      id = parent_id;
    }
  }
  return found;
}

function labelOf(plan: Plan, goal: Goal): string {
  const number = numberOf(plan, goal);
  return number === '' || number.length > LONGEST_NUMBER ? goalSuffix(goal.id) : number;
}
