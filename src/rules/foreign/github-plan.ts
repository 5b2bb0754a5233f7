import * as z from 'zod';

import type { ForeignGoal, ForeignPlan } from './foreign-plan.js';

const issueSchema = z.looseObject({
  number: z.int().positive(),
  title: z.string().min(1),
  body: z.string().nullish(),
  state: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).nullish(),
});

const PLACED = new Set(Object.keys(issueSchema.shape));
const TASK = /^\s*[-*]\s+\[([ xX])\]\s+(.+)$/;
const REFERENCE = /^#(\d+)\b/;

/** Reads what `gh issue list --json number,title,body,state,labels` prints; null when it is no such list. */
export function gitHubPlan(value: unknown): ForeignPlan | null {
  const parsed = z.array(issueSchema).min(1).safeParse(value);
  if (!parsed.success) return null;
  const issues = parsed.data.toSorted((a, b) => a.number - b.number);
  const numbers = new Set(issues.map(({ number }) => String(number)));
  const parents = new Map<string, string>();
  const items = issues.flatMap((issue) => itemsOf(issue, numbers, parents));
  return {
    tool: 'github',
    title: 'Issues',
    goals: [...issues.map((issue) => goalOf(issue, parents)), ...items],
  };
}

type Issue = z.output<typeof issueSchema>;

/** The items of an issue's task list; one that is another issue makes that a part of this one. */
function itemsOf(
  { number, body }: Issue,
  numbers: ReadonlySet<string>,
  parents: Map<string, string>,
): readonly ForeignGoal[] {
  return (body ?? '').split('\n').flatMap((line, index) => {
    const [, tick = ' ', text = ''] = TASK.exec(line) ?? [];
    if (text.trim() === '') return [];
    const other = REFERENCE.exec(text)?.[1];
    if (other !== undefined && numbers.has(other)) {
      if (!parents.has(other)) parents.set(other, String(number));
      return [];
    }
    const goal: ForeignGoal = {
      key: `${number} item ${index}`,
      parent: String(number),
      description: text.trim(),
      done: tick !== ' ',
      dependsOn: [],
    };
    return [goal];
  });
}

function goalOf(issue: Issue, parents: ReadonlyMap<string, string>): ForeignGoal {
  const { number, title, body, state, labels } = issue;
  const rest = Object.fromEntries(Object.entries(issue).filter(([name]) => !PLACED.has(name)));
  const detail = (body ?? '').split('\n').filter((line) => !TASK.test(line));
  return {
    key: String(number),
    parent: parents.get(String(number)) ?? null,
    description: title,
    detail: detail.join('\n'),
    tags: (labels ?? []).map((label) => (typeof label === 'string' ? label : label.name)),
    done: state?.toUpperCase() === 'CLOSED',
    dependsOn: [...(body ?? '').matchAll(/\b(?:blocked by|depends on) #(\d+)/gi)].map(
      ([, other = '']) => other,
    ),
    rest: { ...rest, number },
  };
}
