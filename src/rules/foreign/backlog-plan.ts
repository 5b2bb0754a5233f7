import { parse } from 'yaml';
import * as z from 'zod';

import type { ForeignGoal, ForeignPlan } from './foreign-plan.js';

const texts = z
  .union([z.array(z.coerce.string()), z.string().transform((one) => [one])])
  .nullish()
  .transform((all) => all ?? []);
const headSchema = z.looseObject({
  id: z.coerce.string().min(1),
  title: z.coerce.string().min(1),
  status: z.string().nullish(),
  labels: texts,
  dependencies: texts,
  priority: z.string().nullish(),
  milestone: z.string().nullish(),
  parent_task_id: z.coerce.string().nullish(),
});

const PLACED = new Set(Object.keys(headSchema.shape));

/** Reads the task files of a Backlog.md folder; null when none of them is a task. Milestones are parents. */
export function backlogPlan(
  files: readonly { readonly name: string; readonly text: string }[],
): ForeignPlan | null {
  const goals = files.flatMap(({ text }) => goalOf(text) ?? []);
  if (goals.length === 0) return null;
  const milestones = [
    ...new Set(goals.flatMap(({ parent }) => (parent?.startsWith('milestone ') === true ? parent : []))),
  ];
  const above = milestones.map((key): ForeignGoal => ({
    key,
    parent: null,
    description: key.slice('milestone '.length),
    done: false,
    dependsOn: [],
  }));
  return { tool: 'backlog', title: 'Backlog', goals: [...above, ...goals] };
}

function goalOf(text: string): ForeignGoal | null {
  const [, head, body = ''] = /^---\r?\n([^]*?)\r?\n---\r?\n?([^]*)$/.exec(text) ?? [];
  if (head === undefined) return null;
  const parsed = headSchema.safeParse(yamlOrNull(head));
  if (!parsed.success) return null;
  const { id, title, status, labels, dependencies, priority, milestone, parent_task_id } = parsed.data;
  const criteria = sectionOf(body, 'Acceptance Criteria');
  const parent = parent_task_id ?? (milestone ? `milestone ${milestone}` : null);
  return {
    key: keyOf(id),
    parent: parent === null ? null : parent.startsWith('milestone ') ? parent : keyOf(parent),
    description: title,
    detail: [
      sectionOf(body, 'Description'),
      sectionOf(body, 'Implementation Plan'),
      sectionOf(body, 'Implementation Notes'),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    acceptance: criteria
      .split('\n')
      .flatMap((line) => /^\s*-\s+\[[ xX]\]\s+(?:#\d+\s+)?(.+)$/.exec(line)?.[1] ?? []),
    tags: [...labels, ...(priority ? [`priority:${priority}`] : [])],
    done: status?.toLowerCase() === 'done',
    dependsOn: dependencies.map(keyOf),
    rest: {
      ...Object.fromEntries(Object.entries(parsed.data).filter(([name]) => !PLACED.has(name))),
      id,
      status,
      milestone,
      ticked: [...criteria.matchAll(/^\s*-\s+\[[xX]\]\s+(?:#\d+\s+)?(.+)$/gm)].map(([, line]) => line),
    },
  };
}

/** Ids are written in either case. */
function keyOf(id: string): string {
  return id.toLowerCase();
}

function sectionOf(body: string, name: string): string {
  const found = new RegExp(`^## ${name}[^\\n]*\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(body)?.[1] ?? '';
  return found.replaceAll(/^<!--.*-->\s*$/gm, '').trim();
}

function yamlOrNull(text: string): unknown {
  try {
    return parse(text, { schema: 'failsafe', maxAliasCount: 0 });
  } catch {
    return null;
  }
}
