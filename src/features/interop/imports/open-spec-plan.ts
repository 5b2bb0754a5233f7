import { accountFor } from '../../../kernel/text/line-account.js';
import type { ReadFile } from '../../../kernel/text/line-account.js';
import { rangeOf, saidNeeds, spanned } from '../../../kernel/text/said-needs.js';
import { openQuestionIn } from '../../../planning/documents/open-questions.js';
import { decidedIn } from './decided-in.js';
import { distinctKeys } from './distinct-keys.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { readSections } from './section-text.js';
import { detailOf, holdOfSection, readTaskText, standingOfTask, taskSegments, textOf } from './task-text.js';
import type { TextLine, TextNode } from './task-text.js';

/** The documents of a change, as OpenSpec names them. */
export interface OpenSpecChange {
  /** The name of its folder. */
  readonly name: string;
  readonly proposal: string | null;
  readonly design?: string | null;
  readonly tasks: string | null;
  /** What it changes of each capability. */
  readonly specs: readonly { readonly capability: string; readonly text: string }[];
  /** Documents that have no meaning here. */
  readonly others?: readonly { readonly name: string; readonly text: string }[];
}

/** Reads OpenSpec's changes; null when none of them holds a task or a requirement. */
export function openSpecPlan(changes: readonly OpenSpecChange[]): OtherToolPlan | null {
  const all = changes.map((change) => changeGoals(change));
  const read = all.filter(({ goals }) => goals.length > 1);
  const notes = changes
    .filter((_change, index) => all[index]?.goals.length === 1)
    .map(({ name }) => `the change ${name} is left out: it has no task and no requirement`);
  const [first, ...others] = read.map(({ goals }) => goals);
  if (first === undefined) return null;
  const goals = [first, ...others].flat();
  const [top] = first;
  const about = {
    tool: 'openspec' as const,
    goals,
    notes,
    account: accountFor(all.flatMap(({ files }) => files)),
  };
  if (others.length === 0 && top !== undefined) return { ...about, title: top.description, top: top.key };
  return { ...about, title: 'Changes' };
}

function changeGoals({ name, proposal, design = null, tasks, specs, others = [] }: OpenSpecChange) {
  const about = readSections(proposal ?? '');
  const heading = about.title()?.replace(/^(?:Change|Proposal):\s*/i, '');
  const designed = readSections(design ?? '');
  const key = `change ${name}`;
  const tree = readTaskText(tasks ?? '');
  const { goals: work, text, kept } = taskGoals(tree, key, `${name}/tasks.md`);
  const isDone = work.length > 0 && work.every(({ done, rest }) => done || rest?.['group'] === true);
  const required = specs.map(({ capability, text: spec }) => ({
    capability,
    spec,
    ...requirementGoals(spec, { key, capability, after: lastOf(work, key), isDone }),
  }));
  const top: OtherToolGoal = {
    key,
    parent: null,
    description: heading === undefined || heading === '' ? name : heading,
    // Whatever else the documents say, as they say it.
    detail: [about.rest(), designed.rest(), textOf(text), ...required.map(({ rest }) => rest)]
      .filter((part) => part !== '')
      .join('\n\n'),
    decisions: decidedIn([design ?? '', proposal ?? '']),
    done: false,
    dependsOn: [],
    rest: { change: name },
  };
  const files: ReadFile[] = [
    ...(proposal === null ? [] : [{ file: `${name}/proposal.md`, text: proposal, ...about.account() }]),
    ...(design === null ? [] : [{ file: `${name}/design.md`, text: design, ...designed.account() }]),
    ...(tasks === null
      ? []
      : [
          {
            file: `${name}/tasks.md`,
            text: tasks,
            detail: kept,
            leftOut: tree.comments.map(({ line }) => line),
          },
        ]),
    ...required.map(({ capability, spec, account }) => ({
      file: `${name}/specs/${capability}/spec.md`,
      text: spec,
      ...account,
    })),
    ...others.map((other) => ({
      file: `${name}/${other.name}`,
      text: other.text,
      leftOut: other.text.split('\n').map((_line, index) => index + 1),
    })),
  ];
  return { goals: [top, ...work, ...required.flatMap(({ goals }) => goals)], files };
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

/** Groups in the order of the document, each with its tasks; and what else stands there, which is text of the change. */
function taskGoals(tree: TextNode, change: string, file: string) {
  const goals: OtherToolGoal[] = [];
  const text: TextLine[] = [];
  const kept: TextLine[] = [];
  const keyOf = distinctKeys();
  const add = (node: TextNode, parent: string) => {
    const [, number, words = node.text] = /^(\d+(?:\.\d+)+)[.)]?\s+(\S.*)$/.exec(node.text) ?? [];
    const key = keyOf(number === undefined ? `${change} task ${goals.length}` : `${change} ${number}`);
    for (const each of node.own) kept.push(each);
    const standing = standingOfTask(node);
    const detail = detailOf(node);
    const onHold = standing.onHold ?? openQuestionIn(`${node.text}\n${detail}`);
    goals.push({
      ...(standing.done || onHold === null ? {} : { onHold }),
      key,
      parent,
      description: words,
      detail,
      done: standing.done,
      status: `[${node.box || ' '}]`,
      place: { file, line: node.line },
      dependsOn: numbersIn(`${words}\n${detail}`).map((other) => `${change} ${other}`),
      ...(number === undefined ? {} : { tags: [`task-${number}`] }),
    });
    for (const child of node.children) if (child.kind === 'task') add(child, key);
  };
  for (const segment of taskSegments(tree)) {
    const isGroup = segment.heading !== null && segment.tasks.length > 0;
    const key = isGroup ? keyOf(`${change} ${segment.heading}`) : change;
    for (const each of segment.text) kept.push(each);
    if (isGroup) {
      const group = groupOf(key, change, (segment.heading ?? '').replace(/^\d+(?:\.\d+)*[.)]?\s+/, ''));
      goals.push({ ...group, detail: textOf(segment.text) });
    } else for (const each of segment.text) text.push(each);
    for (const task of segment.tasks) add(task, key);
  }
  const lines = kept.filter((each) => each.text.trim() !== '').map(({ line }) => line);
  return {
    goals: inOrder(gathered(goals, groupOf(keyOf(`${change} tasks`), change, 'Tasks'))),
    text,
    kept: lines,
  };
}

const NUMBER = String.raw`\d{1,4}(?:\.\d{1,4}){1,4}`;
const ONES = rangeOf(NUMBER);
const NEEDS = new RegExp(
  String.raw`(?:\b(?:depends on|blocked by)|\(after)[ \t*_:]{1,8}(?:tasks? )?(${ONES}(?:(?: ?[,;/+&])? ?(?:and )?${ONES}){0,50})`,
  'gi',
);
const ALL_ONES = new RegExp(ONES, 'g');

/** The numbers of tasks that a text says something waits for. */
function numbersIn(text: string): readonly string[] {
  return saidNeeds(text, NEEDS)
    .flatMap((list) => list.match(ALL_ONES) ?? [])
    .flatMap((said) => spanned(said) ?? said.match(/(?<!\d)\d{1,9}(?:\.\d{1,9})+/g) ?? []);
}

function groupOf(key: string, parent: string, description: string): OtherToolGoal {
  const onHold = holdOfSection(description);
  return { key, parent, description, done: false, onHold, dependsOn: [], rest: { group: true } };
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

/** Each requirement is a goal that the tasks come before, with its scenarios as criteria; and what else the text says. */
function requirementGoals(spec: string, { key, capability, after, isDone }: Surroundings) {
  const sections = readSections(spec);
  const found = new Map<string, { kind: string; name: string; detail: string[]; scenarios: Scenario[] }>();
  let kind = '';
  let current: { kind: string; name: string; detail: string[]; scenarios: Scenario[] } | null = null;
  let isScenario = false;
  sections.take(({ level, text, under }) => {
    const heading = under.at(-1) ?? '';
    if (level > 0 && level <= 3) current = null;
    if (level === 2) kind = /^(ADDED|MODIFIED|REMOVED|RENAMED)\b/.exec(heading)?.[1] ?? '';
    const name = level === 3 ? /^Requirement:\s*(\S.*)$/.exec(heading)?.[1] : undefined;
    if (level === 2 && kind !== '' && kind !== 'RENAMED') return true;
    if (name !== undefined && kind !== '' && kind !== 'RENAMED') {
      current = { kind, name, detail: [], scenarios: [] };
      isScenario = false;
      found.set(`${found.size}`, current);
      return true;
    }
    if (current === null) return false;
    const scenario = level === 4 ? /^Scenario:\s*(\S.*)$/.exec(heading)?.[1] : undefined;
    if (level > 0) isScenario = scenario !== undefined;
    if (scenario !== undefined) current.scenarios.push({ name: scenario, steps: [] });
    else if (isScenario && text.trim() !== '') current.scenarios.at(-1)?.steps.push(text);
    else if (!isScenario) current.detail.push(text);
    return true;
  });
  const goals = [...found.values()].map(({ kind: how, name, detail, scenarios }): OtherToolGoal => ({
    key: `${key} ${capability} ${how.toLowerCase()} ${name}`,
    parent: key,
    description: how === 'REMOVED' ? `Remove: ${name}` : name,
    detail: detail.join('\n').trim(),
    acceptance: scenarios.map(scenarioInWords),
    tags: [`spec:${capability}`, how.toLowerCase()],
    done: isDone,
    dependsOn: after,
  }));
  return { goals, rest: sections.rest(), account: sections.account() };
}

interface Scenario {
  readonly name: string;
  readonly steps: string[];
}

function scenarioInWords({ name, steps }: Scenario): string {
  const said = steps.map((step) =>
    step
      .replaceAll('**', '')
      .replace(/^\s*[-*]\s+/, '')
      .trim(),
  );
  return said.length === 0 ? name : `${name}: ${said.join('; ')}`;
}
