import { accountFor } from '../../../kernel/text/line-account.js';
import type { ReadFile } from '../../../kernel/text/line-account.js';
import { rangeOf, saidNeeds, spanned } from '../../../kernel/text/said-needs.js';
import { isWeakContext, sectionKind } from '../../../planning/documents/kinds/heading-kinds.js';
import { standingOf } from '../../../planning/documents/kinds/standing-words.js';
import { openQuestionIn } from '../../../planning/documents/open-questions.js';
import { decidedIn } from './decided-in.js';
import { distinctKeys } from './distinct-keys.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { readSections } from './section-text.js';
import type { SectionText } from './section-text.js';
import { detailOf, holdOfSection, readTaskText, standingOfTask, taskSegments, textOf } from './task-text.js';
import type { TaskSegment, TextNode } from './task-text.js';

/** The documents of a feature, as Spec Kit names them. */
export interface SpecKitFeature {
  /** The name of its folder. */
  readonly name: string;
  readonly tasks: string;
  readonly spec: string | null;
  readonly plan: string | null;
  /** Documents that have no meaning here. */
  readonly others?: readonly { readonly name: string; readonly text: string }[];
}

/** Reads the folders of Spec Kit's features; null when none of them holds a task. */
export function specKitPlan(features: readonly SpecKitFeature[]): OtherToolPlan | null {
  const all = features.map((feature) => featureGoals(feature));
  const read = all.filter(({ goals }) => goals.length > 1);
  const notes = features
    .filter((_feature, index) => all[index]?.goals.length === 1)
    .map(({ name }) => `the feature ${name} is left out: its tasks.md has no task`);
  const [first, ...others] = read.map(({ goals }) => goals);
  if (first === undefined) return null;
  const [top] = first;
  const goals = [first, ...others].flat();
  const about = {
    tool: 'speckit' as const,
    goals,
    notes,
    account: accountFor(all.flatMap(({ files }) => files)),
  };
  if (others.length === 0 && top !== undefined) return { ...about, title: top.description, top: top.key };
  return { ...about, title: 'Features' };
}

function featureGoals({ name, tasks, spec, plan, others = [] }: SpecKitFeature) {
  const tree = readTaskText(tasks);
  const about = readSections(spec ?? '');
  const design = readSections(plan ?? '');
  const title =
    titleIn(about, /^Feature Specification:\s*/) ?? titleIn(readSections(tasks), /^Tasks:\s*/) ?? name;
  const key = `feature ${name}`;
  const keyOf = distinctKeys();
  const parts: (readonly OtherToolGoal[])[] = [];
  const isNumbered = /^[ \t]{0,99}[-*+] \[[^\]]{0,3}\] T\d/m.test(tasks);
  const segments = taskSegments(tree, (heading, below) => isExplanation(heading, below, isNumbered)).map(
    (segment) => ({
      ...segment,
      // The heading that the feature is called by is read.
      text: segment.text.filter((each) => each.text !== `# Tasks: ${title}`),
    }),
  );
  const stories = storiesOf(segments);
  const told = about.takeGroups(({ under }) => {
    const story = under.flatMap((heading) => /^User Story (\d+)\b/i.exec(heading)?.[1] ?? []).at(-1);
    return story !== undefined && stories.has(story) ? story : undefined;
  });
  let before: string | null = null;
  for (const segment of segments) {
    if (segment.tasks.length === 0) continue;
    const { heading } = segment;
    const phase: OtherToolGoal | null =
      heading === null
        ? null
        : phaseOf(heading, segment, {
            key: keyOf(`${name} ${heading}`),
            feature: key,
            before,
            told,
            stories,
          });
    const found = tasksOf(segment.tasks, { parent: phase?.key ?? key, feature: name, keyOf, before });
    parts.push([...(phase === null ? [] : [phase]), ...found]);
    before = phase?.key ?? found.findLast(({ parent }) => parent === key)?.key ?? before;
  }
  const summary = design.take(({ under }) => under.some((heading) => /^Summary$/i.test(heading)));
  const acceptance = about.takeItems((heading) => /^Measurable Outcomes|^Success Criteria/i.test(heading));
  const loose = segments.filter((segment) => segment.tasks.length === 0 || segment.heading === null);
  const top: OtherToolGoal = {
    key,
    parent: null,
    description: title,
    // Whatever else the documents say, as they say it.
    detail: [summary, about.rest(), design.rest(), textOf(loose.flatMap(({ text }) => text))]
      .filter((text) => text !== '')
      .join('\n\n'),
    acceptance: acceptance.map((text) => text.replaceAll('**', '')),
    decisions: decidedIn([plan ?? '', spec ?? '']),
    done: false,
    dependsOn: [],
    rest: { folder: name },
  };
  const kept = segments.flatMap(({ text, tasks: own }) => [...text, ...own.flatMap(ownLines)]);
  const files: ReadFile[] = [
    {
      file: `${name}/tasks.md`,
      text: tasks,
      detail: kept.filter(({ text }) => text.trim() !== '').map(({ line }) => line),
      leftOut: tree.comments.map(({ line }) => line),
    },
    ...(spec === null ? [] : [{ file: `${name}/spec.md`, text: spec, ...about.account() }]),
    ...(plan === null ? [] : [{ file: `${name}/plan.md`, text: plan, ...design.account() }]),
    ...others.map(({ name: file, text }) => ({
      file: `${name}/${file}`,
      text,
      leftOut: text.split('\n').map((_line, index) => index + 1),
    })),
  ];
  return { goals: [top, ...parts.flat()], files };
}

/** What a legend says of a box that is not ticked: "open", "in progress". */
const MEANS_OPEN =
  /^(?:open|to ?do|pending|ready|not (?:yet )?(?:started|done)|in progress|wip|started|begun|partly done)$/i;
/** A number of Spec Kit before a task, behind its labels. */
const NUMBERED = /^(?:\[[^\]]{1,20}\]\s{0,3}){0,5}T\d/;

/**
 * Whether boxes below a heading explain how the tasks are written, and are none themselves.
 * @param isNumbered whether tasks of the document have numbers
 */
function isExplanation(heading: string, tasks: readonly TextNode[], isNumbered: boolean): boolean {
  if (/^Phase\b/i.test(heading) || tasks.some(({ text }) => NUMBERED.test(text))) return false;
  const meanings = tasks.map(({ text }) => {
    const [words = ''] = text.replace(/^[=:→–—-]\s{0,3}/, '').split(/\s?[=:(–—]|\s-\s/, 1);
    return words.replace(/\s(?:tasks?|items?)$/i, '').trim();
  });
  const isLegend = meanings.every((words) => MEANS_OPEN.test(words) || standingOf(words) !== null);
  const isContext = isNumbered && sectionKind(heading, false) === 'context' && !isWeakContext(heading);
  return (isLegend && tasks.length > 1) || isContext;
}

/** The lines of text in a task and below it. */
function ownLines(task: TextNode): TextNode['own'] {
  return [...task.own, ...task.children.flatMap(ownLines)];
}

function titleIn(text: SectionText, prefix: RegExp): string | null {
  return text.title(prefix)?.replace(prefix, '').trim() || null;
}

/** The numbers of the stories that have a phase, each with the first phase that has it. */
function storiesOf(segments: readonly TaskSegment[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { heading, tasks } of segments) {
    const story = storyIn(heading ?? '');
    if (heading !== null && tasks.length > 0 && story !== undefined && !found.has(story))
      found.set(story, heading);
  }
  return found;
}

function storyIn(heading: string): string | undefined {
  return /User Story (\d+)\b/i.exec(heading)?.[1];
}

interface Surroundings {
  readonly key: string;
  /** The key of the feature. */
  readonly feature: string;
  /** The phase before it, or the task that is in none. */
  readonly before: string | null;
  /** What the feature's specification says of each story that has a phase. */
  readonly told: ReadonlyMap<string, string>;
  readonly stories: ReadonlyMap<string, string>;
}

function phaseOf(heading: string, { text }: TaskSegment, around: Surroundings): OtherToolGoal {
  const { key, feature, before, told, stories } = around;
  const story = storyIn(heading);
  const isFirst = story !== undefined && stories.get(story) === heading;
  const lines = isFirst ? (told.get(story) ?? '').split('\n') : [];
  const scenarios = lines.flatMap((line) => {
    const [, words] = /^\s*\d+[.)]\s+(\S.*)$/.exec(line) ?? [];
    return words?.includes('**Given**') === true ? words.replaceAll('**', '').trim() : [];
  });
  const labelled = text.map((each) => {
    const [, label = '', words = ''] = /^\*\*([^*]+?):?\*\*:?\s*(\S.*)$/.exec(each.text) ?? [];
    return { ...each, label, words: words.trim() };
  });
  const said = (name: RegExp) =>
    labelled.flatMap(({ label, words }) => (name.test(label) && words !== '' ? words : []));
  const description = heading.replace(/^Phase\s+\w+:\s*/i, '');
  return {
    key,
    parent: feature,
    description,
    onHold: holdOfSection(description),
    detail: [
      said(/^(?:Purpose|Goal)$/i).join('\n\n'),
      textOf(labelled.filter((each) => !isRead(each))),
      lines.filter(isNoScenario).join('\n').trim(),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    acceptance: [...scenarios, ...said(/^Independent Test$|^Checkpoint$/i)],
    tags: story === undefined ? [] : [`US${story}`],
    done: false,
    dependsOn: before === null ? [] : [before],
    rest: { phase: heading },
  };
}

function isRead({ label }: { readonly label: string }): boolean {
  return /^(?:Purpose|Goal|Independent Test|Checkpoint)$/i.test(label);
}

function isNoScenario(line: string): boolean {
  return !(/^\s*\d+[.)]\s/.test(line) && line.includes('**Given**'));
}

interface Around {
  readonly parent: string;
  /** The name of the feature. */
  readonly feature: string;
  readonly keyOf: (key: string) => string;
  /** What tasks that are in no phase come after. */
  readonly before: string | null;
}

/** A task that has an id, or none; `TXXX` is one that is still to get it. */
const TASK = /^(?:(T(?:\d\w{0,11}|X{1,12})):?\s+)?((?:\[[^\]]{1,20}\]\s*)*)(\S[^]*)$/;

/** Tasks come one after the other; those marked `[P]` only after the last one that is not. Two of one id are two tasks. */
function tasksOf(
  nodes: readonly TextNode[],
  { parent, feature, keyOf, before }: Around,
): readonly OtherToolGoal[] {
  const tasks: OtherToolGoal[] = [];
  let last: string | null = parent === `feature ${feature}` ? before : null;
  let since: string[] = [];
  const add = (node: TextNode, above: string): OtherToolGoal => {
    const made = taskOf(node, { parent: above, feature, keyOf, before }, tasks.length);
    tasks.push(made);
    // What is nested in a task is a part of it, in no order.
    for (const child of node.children) if (child.kind === 'task') add(child, made.key);
    return made;
  };
  for (const node of nodes) {
    const at = tasks.length;
    const made = add(node, parent);
    const isParallel = made.tags?.includes('parallel') === true;
    const after = isParallel || since.length === 0 ? (last === null ? [] : [last]) : since;
    tasks[at] = { ...made, dependsOn: [...after, ...made.dependsOn] };
    if (isParallel) since.push(made.key);
    else [last, since] = [made.key, []];
  }
  return tasks;
}

const TASKS_FROM = rangeOf(String.raw`T\d\w*`);
const TASKS = new RegExp(TASKS_FROM, 'g');
const NEEDS = new RegExp(
  String.raw`\bdepends on:? (${TASKS_FROM}(?:(?:,\s*|\s+and\s+)${TASKS_FROM}){0,50})`,
  'gi',
);

function taskOf(node: TextNode, { parent, feature, keyOf }: Around, count: number): OtherToolGoal {
  const [, id, marks = '', words = node.text] = TASK.exec(node.text) ?? [];
  const isNamed = id !== undefined && /^T\d/.test(id);
  const key = keyOf(isNamed ? `${feature} ${id}` : `${parent} task ${count}`);
  const standing = standingOfTask(node);
  const labels = [...marks.matchAll(/\[([^\]]{1,20})\]/g)].map(([, label = '']) => label);
  const detail = detailOf(node);
  const named = saidNeeds(`${words}\n${detail}`, NEEDS)
    .flatMap((list) => list.match(TASKS) ?? [])
    .flatMap((said) => spanned(said) ?? said.match(/T\d\w*/g) ?? []);
  const onHold = standing.onHold ?? openQuestionIn(`${words}\n${detail}`);
  const files = words.match(/(?<![\w/.[\]-])(?:[\w.[\]-]+\/)+[\w[\]-]+\.\w+/g) ?? [];
  return {
    key,
    repeats: isNamed && key !== `${feature} ${id}` ? id : undefined,
    parent,
    description: words.trim(),
    detail,
    tags: [...(id === undefined ? [] : [id]), ...labels.map((label) => (label === 'P' ? 'parallel' : label))],
    done: standing.done,
    status: `[${node.box || ' '}]`,
    place: { file: `${feature}/tasks.md`, line: node.line },
    dependsOn: named.map((other) => `${feature} ${other}`),
    ...(standing.done || onHold === null ? {} : { onHold }),
    ...(files.length === 0 ? {} : { rest: { artifacts: files } }),
  };
}
