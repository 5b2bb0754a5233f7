import { oneLine, printableJson } from '../../../kernel/text/safe-text.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import { isCollection, originalOf, originalTexts, originalNamer } from './original-fields.js';

/**
 * The export to GitHub: its issues as `gh issue list --json number,title,body,state,labels` prints them. A leaf that
 * has nothing but its description is an item of the task list above it, any other goal an issue of the number that
 * it had, or of the next one.
 */
export function toGitHub(plan: Plan): string {
  const root = rootOf(plan);
  const needed = new Set([...plan.goals.values()].flatMap(({ dependencies }) => dependencies));
  const isTop = (goal: Goal) => goal === root || (goal.parent_id === root.id && isCollection(root, 'github'));
  const goals = Array.from(depthFirst(plan), ({ goal }) => goal).filter((goal) =>
    goal === root ? !isCollection(root, 'github') : isTop(goal) || !isItem(goal, needed),
  );
  const nameFor = originalNamer(goals.flatMap((goal) => numberIn(goal) ?? []));
  let last = Math.max(0, ...goals.map((goal) => Number(numberIn(goal) ?? 0)));
  const numbers = new Map(
    goals.map((goal) => [goal.id, nameFor(numberIn(goal), () => String((last += 1)))] as const),
  );
  const issues = goals
    .map((goal) => issueOf(plan, goal, numbers))
    .toSorted((one, other) => one.number - other.number);
  return `${printableJson(JSON.stringify(issues, null, 2))}\n`;
}

function numberIn(goal: Goal): string | null {
  const { number } = originalOf(goal, 'github');
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? String(number) : null;
}

/** Whether a goal loses nothing as a line of a task list. */
function isItem(goal: Goal, needed: ReadonlySet<string>): boolean {
  const { id, description, status, child_ids, detail, acceptance = [], tags = [], dependencies } = goal;
  const isPlain = child_ids.length === 0 && detail === undefined && acceptance.length + tags.length === 0;
  const isFree = dependencies.length === 0 && !needed.has(id) && numberIn(goal) === null;
  const isLine =
    description === oneLine(description).trim() && !/^#|\b(?:blocked by|depends on) #\d/i.test(description);
  return isPlain && isFree && isLine && status !== 'failed' && goal.failure === undefined;
}

function issueOf(plan: Plan, goal: Goal, numbers: ReadonlyMap<string, string>) {
  const { number: _number, state: _state, labels, ticked: _ticked, ...original } = originalOf(goal, 'github');
  return {
    ...original,
    number: Number(numbers.get(goal.id)),
    title: goal.description,
    body: bodyOf(plan, goal, numbers),
    state: goal.status === 'complete' ? 'CLOSED' : 'OPEN',
    labels: (goal.tags ?? []).map((name) => ({ ...keptLabel(labels, name), name })),
  };
}

/** The color and the like of a label, if it had them. */
function keptLabel(labels: unknown, name: string): object {
  if (!Array.isArray(labels)) return {};
  const found: unknown = labels.find((label) => Object(label).name === name);
  return typeof found === 'object' && found !== null ? found : {};
}

function bodyOf(plan: Plan, goal: Goal, numbers: ReadonlyMap<string, string>): string {
  const detail = goal.detail ?? '';
  const ticked = new Set(originalTexts(originalOf(goal, 'github'), 'ticked'));
  const criteria = (goal.acceptance ?? []).map(
    (line) => `- [${ticked.has(line) ? 'x' : ' '}] ${oneLine(line)}`,
  );
  const items = goal.child_ids.map((id) => itemOf(goalOf(plan, id), numbers));
  const waits = goal.dependencies.flatMap((id) => numbers.get(id) ?? []);
  const hidden = waits.filter(
    (number) => !new RegExp(`(?:blocked by|depends on) #${number}\\b`, 'i').test(detail),
  );
  return [
    detail,
    items.join('\n'),
    criteria.length === 0 ? '' : `### Acceptance criteria\n\n${criteria.join('\n')}`,
    hidden.map((number) => `Blocked by #${number}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function itemOf(goal: Goal, numbers: ReadonlyMap<string, string>): string {
  const number = numbers.get(goal.id);
  const box = goal.status === 'complete' ? '[x]' : '[ ]';
  return `- ${box} ${number === undefined ? '' : `#${number} `}${oneLine(goal.description)}`;
}
