import { distinctKeys } from './distinct-keys.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { specLines, taskOf, linesAsText, linesUnder } from './spec-lines.js';
import type { SpecLine } from './spec-lines.js';

/** The documents of a change, as OpenSpec names them. */
export interface OpenSpecChange {
  /** The name of its folder. */
  readonly name: string;
  readonly proposal: string | null;
  readonly tasks: string | null;
  /** What it changes of each capability. */
  readonly specs: readonly { readonly capability: string; readonly text: string }[];
}

/** Reads OpenSpec's changes; null when none of them holds a task or a requirement. */
export function openSpecPlan(changes: readonly OpenSpecChange[]): OtherToolPlan | null {
  const all = changes.map((change) => changeGoals(change));
  const read = all.filter((goals) => goals.length > 1);
  const notes = changes
    .filter((_change, index) => all[index]?.length === 1)
    .map(({ name }) => `the change ${name} is left out: it has no task and no requirement`);
  const [first, ...others] = read;
  if (first === undefined) return null;
  const goals = [first, ...others].flat();
  const [top] = first;
  if (others.length === 0 && top !== undefined)
    return { tool: 'openspec', title: top.description, goals, notes, top: top.key };
  return { tool: 'openspec', title: 'Changes', goals, notes };
}

function changeGoals({ name, proposal, tasks, specs }: OpenSpecChange): readonly OtherToolGoal[] {
  const about = proposal === null ? [] : specLines(proposal);
  const heading = about.find(({ level }) => level === 1)?.text.replace(/^(?:Change|Proposal):\s*/i, '');
  const key = `change ${name}`;
  const top: OtherToolGoal = {
    key,
    parent: null,
    description: heading === undefined || heading === '' ? name : heading,
    detail: [/^Why$/i, /^What Changes$/i, /^Impact$/i]
      .map((part) => linesAsText(linesUnder(about, part)))
      .filter((text) => text !== '')
      .join('\n\n'),
    done: false,
    dependsOn: [],
    rest: { change: name },
  };
  const work = tasks === null ? [] : taskGoals(specLines(tasks), key);
  const isDone = work.length > 0 && work.every(({ done, rest }) => done || rest?.['group'] === true);
  const required = specs.flatMap(({ capability, text }) =>
    requirementGoals(specLines(text), { key, capability, after: lastOf(work, key), isDone }),
  );
  return [top, ...work, ...required];
}

/** What comes after all tasks: it depends on the last group, as each group does on the one before, and on tasks before the first. */
function lastOf(work: readonly OtherToolGoal[], change: string): readonly string[] {
  const highest = work.filter(({ parent }) => parent === change);
  const loose = highest.filter(({ rest }) => rest?.['group'] !== true);
  const last = highest.findLast(({ rest }) => rest?.['group'] === true);
  return [...loose, ...(last === undefined ? [] : [last])].map(({ key }) => key);
}

/** More tasks outside a group than this are a group: whatever comes after all of them would name each. */
const MOST_LOOSE = 20;

/** Groups in the order of the document, each with its tasks. */
function taskGoals(lines: readonly SpecLine[], change: string): readonly OtherToolGoal[] {
  const goals: OtherToolGoal[] = [];
  const keyOf = distinctKeys();
  let group: string | null = null;
  for (const { level, text } of lines) {
    if (level === 2) {
      group = keyOf(`${change} ${text}`);
      goals.push(groupOf(group, change, text.replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')));
      continue;
    }
    const task = taskOf(text);
    if (task === null) continue;
    const [, number, words = ''] = /^(\d+(?:\.\d+)+)[.)]?\s+(\S.*)$/.exec(task.text) ?? [];
    goals.push({
      key: keyOf(`${change} task ${goals.length}`),
      parent: group ?? change,
      description: number === undefined ? task.text : words,
      done: task.done,
      dependsOn: [],
      ...(number === undefined ? {} : { tags: [`task-${number}`] }),
    });
  }
  // A group without tasks is nothing to do.
  const full = new Set(goals.map(({ parent }) => parent));
  const kept = goals.filter(({ key, rest }) => rest?.['group'] !== true || full.has(key));
  return inOrder(gathered(kept, groupOf(keyOf(`${change} tasks`), change, 'Tasks')));
}

function groupOf(key: string, parent: string, description: string): OtherToolGoal {
  return { key, parent, description, done: false, dependsOn: [], rest: { group: true } };
}

/** Puts tasks outside a group into one where they are many. */
function gathered(goals: readonly OtherToolGoal[], group: OtherToolGoal): readonly OtherToolGoal[] {
  const isLoose = ({ parent, rest }: OtherToolGoal) => parent === group.parent && rest?.['group'] !== true;
  if (goals.filter(isLoose).length <= MOST_LOOSE) return goals;
  return [group, ...goals.map((goal) => (isLoose(goal) ? { ...goal, parent: group.key } : goal))];
}

/** Makes each group wait for the one before it. */
function inOrder(goals: readonly OtherToolGoal[]): readonly OtherToolGoal[] {
  let before: readonly string[] = [];
  return goals.map((goal) => {
    if (goal.rest?.['group'] !== true) return goal;
    const dependsOn = before;
    before = [goal.key];
    return { ...goal, dependsOn };
  });
}

interface Surroundings {
  readonly key: string;
  readonly capability: string;
  /** The goals that come before each requirement. */
  readonly after: readonly string[];
  readonly isDone: boolean;
}

/** Each requirement is a goal that the tasks come before, with its scenarios as criteria. */
function requirementGoals(
  lines: readonly SpecLine[],
  { key, capability, after, isDone }: Surroundings,
): readonly OtherToolGoal[] {
  let kind = '';
  return lines.flatMap(({ level, text }, index): readonly OtherToolGoal[] => {
    if (level === 2) kind = /^(ADDED|MODIFIED|REMOVED|RENAMED)\b/.exec(text)?.[1] ?? '';
    const name = level === 3 ? /^Requirement:\s*(\S.*)$/.exec(text)?.[1] : undefined;
    if (name === undefined || kind === '' || kind === 'RENAMED') return [];
    const body = bodyFrom(lines, index + 1);
    const first = body.findIndex((line) => line.level > 0);
    return [
      {
        key: `${key} ${capability} ${kind.toLowerCase()} ${name}`,
        parent: key,
        description: kind === 'REMOVED' ? `Remove: ${name}` : name,
        detail: linesAsText(first < 0 ? body : body.slice(0, first)),
        acceptance: scenariosOf(body),
        tags: [`spec:${capability}`, kind.toLowerCase()],
        done: isDone,
        dependsOn: after,
      },
    ];
  });
}

/** The lines up to the next requirement, or to what ends all of them. */
function bodyFrom(lines: readonly SpecLine[], from: number): readonly SpecLine[] {
  let end = from;
  // No look at what is behind it: there may be as many requirements as lines.
  for (let level = lines[end]?.level; level !== undefined; level = lines[end]?.level) {
    if (level > 0 && level <= 3) break;
    end += 1;
  }
  return lines.slice(from, end);
}

function scenariosOf(lines: readonly SpecLine[]): readonly string[] {
  const scenarios: { name: string; steps: string[] }[] = [];
  for (const { level, text } of lines) {
    const name = level === 4 ? /^Scenario:\s*(\S.*)$/.exec(text)?.[1] : undefined;
    if (name !== undefined) scenarios.push({ name, steps: [] });
    else if (level === 0 && text.trim() !== '')
      scenarios.at(-1)?.steps.push(
        text
          .replaceAll('**', '')
          .replace(/^\s*[-*]\s+/, '')
          .trim(),
      );
  }
  return scenarios.map(({ name, steps }) => (steps.length === 0 ? name : `${name}: ${steps.join('; ')}`));
}
