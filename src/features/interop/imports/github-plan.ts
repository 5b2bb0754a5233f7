import * as z from 'zod';

import { underOneRoot } from './other-tool-plan.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';

const issueSchema = z.looseObject({
  number: z.int().positive(),
  title: z.string().min(1),
  body: z.string().nullish(),
  state: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).nullish(),
});

type Issue = z.output<typeof issueSchema>;

const PLACED = new Set(Object.keys(issueSchema.shape));
const TASK = /^\s*[-*]\s+\[([ xX])\]\s+(\S.*)$/;
const REFERENCE = /^#(\d+)\b/;
const HEADING = /^#{1,6}\s+(?!\s)(.*)$/;
const BLOCKED = /\b(?:blocked by|depends on) #(\d+)/gi;

/** What the text of an issue says. */
interface Body {
  readonly detail: string;
  readonly criteria: readonly string[];
  readonly ticked: readonly string[];
  readonly items: readonly { readonly text: string; readonly done: boolean }[];
  /** The numbers of what its text, but no item of it, says that it waits for. */
  readonly blockers: readonly string[];
}

/** Reads what `gh issue list --json number,title,body,state,labels` prints; null when it is no such list. */
export function gitHubPlan(value: unknown): OtherToolPlan | null {
  const parsed = z.array(issueSchema).min(1).safeParse(value);
  if (!parsed.success) return null;
  const all = parsed.data.toSorted((a, b) => a.number - b.number);
  const issues = all.filter(({ number }, index) => number !== all[index - 1]?.number);
  const bodies = new Map(issues.map((issue) => [String(issue.number), bodyOf(issue.body ?? '')]));
  const parents = parentsOf(bodies);
  const byNumber = new Map(issues.map((issue) => [String(issue.number), issue]));
  const goals: OtherToolGoal[] = [];
  const seen = new Set<string>();
  const open: string[] = [];
  const add = (number: string): void => {
    const [issue, body] = [byNumber.get(number), bodies.get(number)];
    if (issue === undefined || body === undefined || seen.has(number)) return;
    seen.add(number);
    open.push(number);
    goals.push(goalOf(issue, body, parents.get(number) ?? null));
  };
  const addParts = (number: string): void => {
    for (const [index, { text, done }] of (bodies.get(number)?.items ?? []).entries()) {
      const other = REFERENCE.exec(text)?.[1];
      if (other === undefined || !byNumber.has(other))
        goals.push({
          key: `${number} item ${index}`,
          parent: number,
          description: text,
          done,
          dependsOn: blockersIn(text),
        });
      else if (parents.get(other) === number) add(other);
    }
  };
  // Those that are part of none first; what is left is part of itself.
  const numbers = [...byNumber.keys()];
  for (const number of [...numbers.filter((one) => !parents.has(one)), ...numbers]) {
    add(number);
    for (let next = open.shift(); next !== undefined; next = open.shift()) addParts(next);
  }
  for (const issue of all)
    if (byNumber.get(String(issue.number)) !== issue)
      goals.push(goalOf(issue, bodyOf(issue.body ?? ''), null));
  return underOneRoot({ tool: 'github', title: 'Issues', goals });
}

/** The first issue that names another in its task list is what that one is a part of. */
function parentsOf(bodies: ReadonlyMap<string, Body>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [number, { items }] of bodies)
    for (const { text } of items) {
      const other = REFERENCE.exec(text)?.[1];
      if (other !== undefined && bodies.has(other) && other !== number && !parents.has(other))
        parents.set(other, number);
    }
  return parents;
}

/** Takes the text of an issue apart: its task list, what stands under “Acceptance criteria”, and the rest. */
function bodyOf(text: string): Body {
  const detail: string[] = [];
  const criteria: string[] = [];
  const ticked: string[] = [];
  const items: { text: string; done: boolean }[] = [];
  const blockers: string[] = [];
  let isCriteria = false;
  for (const line of text.split(/\r?\n/)) {
    const heading = HEADING.exec(line)?.[1]?.trimEnd();
    if (heading !== undefined) isCriteria = /^acceptance criteria:?$/i.test(heading);
    const [, tick = ' ', task = ''] = TASK.exec(line) ?? [];
    if (task.trim() === '') {
      const isOwn = (heading !== undefined && isCriteria) || /^Blocked by #\d+$/.test(line);
      if (!isOwn) detail.push(line);
      blockers.push(...blockersIn(line));
    } else if (isCriteria) {
      criteria.push(task.trim());
      if (tick !== ' ') ticked.push(task.trim());
    } else items.push({ text: task.trim(), done: tick !== ' ' });
  }
  return { detail: detail.join('\n').replaceAll(/\n{3,}/g, '\n\n'), criteria, ticked, items, blockers };
}

function blockersIn(text: string): readonly string[] {
  return [...text.matchAll(BLOCKED)].map(([, number = '']) => number);
}

function goalOf(
  issue: Issue,
  { detail, criteria, ticked, blockers }: Body,
  parent: string | null,
): OtherToolGoal {
  const { number, title, state, labels } = issue;
  const rest = Object.fromEntries(Object.entries(issue).filter(([name]) => !PLACED.has(name)));
  const coloured = (labels ?? []).filter(
    (label) => typeof label !== 'string' && Object.keys(label).length > 1,
  );
  return {
    key: String(number),
    parent,
    description: title,
    detail,
    acceptance: criteria,
    tags: (labels ?? []).map((label) => (typeof label === 'string' ? label : label.name)),
    done: state?.toUpperCase() === 'CLOSED',
    dependsOn: blockers,
    rest: {
      ...rest,
      number,
      labels: coloured.length === 0 ? undefined : coloured,
      ticked: ticked.length === 0 ? undefined : ticked,
    },
  };
}
