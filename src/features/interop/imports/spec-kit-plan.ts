import { distinctKeys } from './distinct-keys.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { specLines, taskOf, linesAsText, linesUnder } from './spec-lines.js';
import type { SpecLine } from './spec-lines.js';

/** The documents of a feature, as Spec Kit names them. */
export interface SpecKitFeature {
  /** The name of its folder. */
  readonly name: string;
  readonly tasks: string;
  readonly spec: string | null;
  readonly plan: string | null;
}

/** Reads the folders of Spec Kit's features; null when none of them holds a task. */
export function specKitPlan(features: readonly SpecKitFeature[]): OtherToolPlan | null {
  const all = features.map((feature) => featureGoals(feature));
  const read = all.filter((goals) => goals.length > 1);
  const notes = features
    .filter((_feature, index) => all[index]?.length === 1)
    .map(({ name }) => `the feature ${name} is left out: its tasks.md has no task`);
  const [first, ...others] = read;
  if (first === undefined) return null;
  const [top] = first;
  const goals = [first, ...others].flat();
  if (others.length === 0 && top !== undefined)
    return { tool: 'speckit', title: top.description, goals, notes, top: top.key };
  return { tool: 'speckit', title: 'Features', goals, notes };
}

function featureGoals({ name, tasks, spec, plan }: SpecKitFeature): readonly OtherToolGoal[] {
  const lines = specLines(tasks);
  const about = spec === null ? [] : specLines(spec);
  const title = titleOf(about, /^Feature Specification:\s*/) ?? titleOf(lines, /^Tasks:\s*/) ?? name;
  const key = `feature ${name}`;
  const keyOf = distinctKeys();
  const parts: (readonly OtherToolGoal[])[] = [];
  const scenarios = scenariosOf(about);
  let before: string | null = null;
  for (const { heading, lines: own } of sectionsOf(lines)) {
    const phase: OtherToolGoal | null =
      heading === null
        ? null
        : phaseOf(heading, own, { key: keyOf(`${name} ${heading}`), feature: key, before, scenarios });
    const found = tasksOf(own, { parent: phase?.key ?? key, feature: name, keyOf, before });
    if (found.length === 0) continue;
    parts.push([...(phase === null ? [] : [phase]), ...found]);
    before = phase?.key ?? found.at(-1)?.key ?? before;
  }
  const summary = plan === null ? '' : linesAsText(linesUnder(specLines(plan), /^Summary$/i));
  const top: OtherToolGoal = {
    key,
    parent: null,
    description: title,
    detail: summary,
    acceptance: criteriaUnder(about, /^Measurable Outcomes|^Success Criteria/i),
    done: false,
    dependsOn: [],
    rest: { folder: name },
  };
  return [top, ...parts.flat()];
}

/** What stands under each second-level heading; what stands under none is no phase. */
function sectionsOf(lines: readonly SpecLine[]) {
  const sections: { heading: string | null; lines: SpecLine[] }[] = [{ heading: null, lines: [] }];
  for (const line of lines)
    if (line.level === 1 || line.level === 2)
      sections.push({ heading: line.level === 2 ? line.text : null, lines: [] });
    else sections.at(-1)?.lines.push(line);
  return sections;
}

function titleOf(lines: readonly SpecLine[], prefix: RegExp): string | null {
  const title = lines.find(({ level }) => level === 1)?.text;
  return title === undefined || !prefix.test(title) ? null : title.replace(prefix, '').trim() || null;
}

interface Surroundings {
  readonly key: string;
  /** The key of the feature. */
  readonly feature: string;
  /** The phase before it, or the task that is in none. */
  readonly before: string | null;
  /** Those of the feature's specification, by the number of their story; of a story the first phase takes them. */
  readonly scenarios: Map<string, readonly string[]>;
}

/** The scenarios of each user story, by its number; of two stories of one number the first counts. */
function scenariosOf(about: readonly SpecLine[]): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  // Stories that a line is below, the innermost last.
  const open: { level: number; scenarios: string[] }[] = [];
  for (const { level, text } of about) {
    if (level > 0) {
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      const story = /^User Story (\d+)\b/i.exec(text)?.[1];
      if (story === undefined || found.has(story)) continue;
      const scenarios: string[] = [];
      found.set(story, scenarios);
      open.push({ level, scenarios });
      continue;
    }
    const [, words] = /^\s*\d+[.)]\s+(\S.*)$/.exec(text) ?? [];
    if (words?.includes('**Given**') !== true) continue;
    for (const { scenarios } of open) scenarios.push(words.replaceAll('**', '').trim());
  }
  return found;
}

function phaseOf(
  heading: string,
  lines: readonly SpecLine[],
  { key, feature, before, scenarios }: Surroundings,
): OtherToolGoal {
  const story = /User Story (\d+)/i.exec(heading)?.[1];
  const said = (name: RegExp) =>
    lines.flatMap(({ text }) => {
      const [, label = '', words = ''] = /^\*\*([^*]+?):?\*\*:?\s*(\S.*)$/.exec(text) ?? [];
      return name.test(label) && words !== '' ? words.trim() : [];
    });
  const own = scenarios.get(story ?? '') ?? [];
  scenarios.delete(story ?? '');
  return {
    key,
    parent: feature,
    description: heading.replace(/^Phase\s+\w+:\s*/i, ''),
    detail: said(/^(?:Purpose|Goal)$/i).join('\n\n'),
    acceptance: [...own, ...said(/^Independent Test$|^Checkpoint$/i)],
    tags: story === undefined ? [] : [`US${story}`],
    done: false,
    dependsOn: before === null ? [] : [before],
    rest: { phase: heading },
  };
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
  lines: readonly SpecLine[],
  { parent, feature, keyOf, before }: Around,
): readonly OtherToolGoal[] {
  const tasks: OtherToolGoal[] = [];
  let last: string | null = parent === `feature ${feature}` ? before : null;
  let since: string[] = [];
  for (const { text } of lines) {
    const found = taskOf(text);
    if (found === null) continue;
    const [, id, marks = '', words = found.text] = TASK.exec(found.text) ?? [];
    const isNamed = id !== undefined && /^T\d/.test(id);
    const key = keyOf(isNamed ? `${feature} ${id}` : `${parent} task ${tasks.length}`);
    const labels = [...marks.matchAll(/\[([^\]]{1,20})\]/g)].map(([, label = '']) => label);
    const isParallel = labels.includes('P');
    const named = [...words.matchAll(/\bdepends on ((?:T\d\w*(?:,\s*|\s+and\s+)?)+)/gi)].flatMap(
      ([, ids = '']) => ids.match(/T\d\w*/g) ?? [],
    );
    const after = isParallel || since.length === 0 ? (last === null ? [] : [last]) : since;
    const files = words.match(/(?<![\w/.[\]-])(?:[\w.[\]-]+\/)+[\w[\]-]+\.\w+/g) ?? [];
    tasks.push({
      key,
      repeats: isNamed && key !== `${feature} ${id}` ? id : undefined,
      parent,
      description: words.trim(),
      tags: [
        ...(id === undefined ? [] : [id]),
        ...labels.map((label) => (label === 'P' ? 'parallel' : label)),
      ],
      done: found.done,
      dependsOn: [...after, ...named.map((other) => `${feature} ${other}`)],
      ...(files.length === 0 ? {} : { rest: { artifacts: files } }),
    });
    if (isParallel) since.push(key);
    else [last, since] = [key, []];
  }
  return tasks;
}

function criteriaUnder(lines: readonly SpecLine[], heading: RegExp): readonly string[] {
  return linesUnder(lines, heading).flatMap(({ text }) => {
    const [, words] = /^\s*[-*]\s+(\S.*)$/.exec(text) ?? [];
    return words === undefined ? [] : words.replaceAll('**', '').trim();
  });
}
