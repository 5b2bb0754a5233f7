import type { ForeignGoal, ForeignPlan } from './foreign-plan.js';
import { specLines, taskOf, textOf, under } from './spec-lines.js';
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
export function specKitPlan(features: readonly SpecKitFeature[]): ForeignPlan | null {
  const read = features.map((feature) => featureGoals(feature)).filter((goals) => goals.length > 1);
  const [first, ...others] = read;
  if (first === undefined) return null;
  const [top] = first;
  const goals = [first, ...others].flat();
  if (others.length === 0 && top !== undefined)
    return { tool: 'speckit', title: top.description, goals, top: top.key };
  return { tool: 'speckit', title: 'Features', goals };
}

interface Phase {
  readonly goal: ForeignGoal;
  readonly tasks: readonly ForeignGoal[];
}

function featureGoals({ name, tasks, spec, plan }: SpecKitFeature): readonly ForeignGoal[] {
  const lines = specLines(tasks);
  const about = spec === null ? [] : specLines(spec);
  const title = titleOf(about, /^Feature Specification:\s*/) ?? titleOf(lines, /^Tasks:\s*/) ?? name;
  const phases: Phase[] = [];
  for (const [index, { level, text }] of lines.entries()) {
    if (level !== 2) continue;
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((line) => line.level > 0 && line.level <= 2);
    const phase = phaseOf(text, end < 0 ? rest : rest.slice(0, end), {
      feature: name,
      before: phases.at(-1)?.goal.key ?? null,
      about,
    });
    if (phase.tasks.length > 0) phases.push(phase);
  }
  const summary = plan === null ? '' : textOf(under(specLines(plan), /^Summary$/i));
  const top: ForeignGoal = {
    key: `feature ${name}`,
    parent: null,
    description: title,
    detail: summary,
    acceptance: criteriaUnder(about, /^Measurable Outcomes|^Success Criteria/i),
    done: false,
    dependsOn: [],
    rest: { folder: name },
  };
  return [top, ...phases.flatMap(({ goal, tasks: own }) => [goal, ...own])];
}

function titleOf(lines: readonly SpecLine[], prefix: RegExp): string | null {
  const title = lines.find(({ level }) => level === 1)?.text;
  return title === undefined || !prefix.test(title) ? null : title.replace(prefix, '').trim() || null;
}

interface Surroundings {
  readonly feature: string;
  /** The phase before it. */
  readonly before: string | null;
  /** The feature's specification. */
  readonly about: readonly SpecLine[];
}

function phaseOf(
  heading: string,
  lines: readonly SpecLine[],
  { feature, before, about }: Surroundings,
): Phase {
  const key = `${feature} ${heading}`;
  const story = /User Story (\d+)/i.exec(heading)?.[1];
  const said = (name: RegExp) =>
    lines.flatMap(({ text }) => {
      const [, label = '', words = ''] = /^\*\*([^*]+?):?\*\*:?\s*(.+)$/.exec(text) ?? [];
      return name.test(label) && words !== '' ? words.trim() : [];
    });
  const scenarios =
    story === undefined
      ? []
      : under(about, new RegExp(`^User Story ${story}\\b`, 'i')).flatMap(({ text }) => {
          const [, words] = /^\s*\d+[.)]\s+(.*\*\*Given\*\*.*)$/.exec(text) ?? [];
          return words === undefined ? [] : words.replaceAll('**', '').trim();
        });
  const goal: ForeignGoal = {
    key,
    parent: `feature ${feature}`,
    description: heading.replace(/^Phase\s+\w+:\s*/i, ''),
    detail: said(/^(?:Purpose|Goal)$/i).join('\n\n'),
    acceptance: [...scenarios, ...said(/^Independent Test$|^Checkpoint$/i)],
    tags: story === undefined ? [] : [`US${story}`],
    done: false,
    dependsOn: before === null ? [] : [before],
    rest: { phase: heading },
  };
  return { goal, tasks: tasksOf(lines, key, feature) };
}

/** Tasks come one after the other; those marked `[P]` only after the last one that is not. */
function tasksOf(lines: readonly SpecLine[], parent: string, feature: string): readonly ForeignGoal[] {
  const tasks: ForeignGoal[] = [];
  let last: string | null = null;
  let since: string[] = [];
  for (const { text } of lines) {
    const found = taskOf(text);
    const [, id, marks = '', words = ''] =
      /^(T\w{1,12})\s+((?:\[[^\]]{1,20}\]\s*)*)(.+)$/.exec(found?.text ?? '') ?? [];
    if (found === null || id === undefined) continue;
    const key = /^T\d+$/.test(id) ? `${feature} ${id}` : `${parent} ${tasks.length}`;
    const labels = [...marks.matchAll(/\[([^\]]+)\]/g)].map(([, label = '']) => label);
    const isParallel = labels.includes('P');
    const named = [...words.matchAll(/\bdepends on ((?:T\d+(?:,\s*|\s+and\s+)?)+)/gi)].flatMap(
      ([, ids = '']) => ids.match(/T\d+/g) ?? [],
    );
    const before = isParallel || since.length === 0 ? (last === null ? [] : [last]) : since;
    const files = words.match(/(?<![\w/.-])(?:[\w.[\]-]+\/)+[\w[\]-]+\.\w+/g) ?? [];
    tasks.push({
      key,
      parent,
      description: words.trim(),
      tags: [id, ...labels.map((label) => (label === 'P' ? 'parallel' : label))],
      done: found.done,
      dependsOn: [...before, ...named.map((other) => `${feature} ${other}`)],
      ...(files.length === 0 ? {} : { rest: { artifacts: files } }),
    });
    if (isParallel) since.push(key);
    else [last, since] = [key, []];
  }
  return tasks;
}

function criteriaUnder(lines: readonly SpecLine[], heading: RegExp): readonly string[] {
  return under(lines, heading).flatMap(({ text }) => {
    const [, words] = /^\s*[-*]\s+(.+)$/.exec(text) ?? [];
    return words === undefined ? [] : words.replaceAll('**', '').trim();
  });
}
