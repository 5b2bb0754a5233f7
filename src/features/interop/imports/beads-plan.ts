import * as z from 'zod';

import { joinSections } from '../../../kernel/text/sections.js';
import { underOneRoot } from './other-tool-plan.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';

const text = z.string().nullish();
const issueSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string().min(1),
  description: text,
  design: text,
  acceptance_criteria: text,
  notes: text,
  status: text,
  priority: z.number().nullish(),
  issue_type: text,
  close_reason: text,
  labels: z.array(z.string()).nullish(),
  dependencies: z.array(z.looseObject({ depends_on_id: z.string(), type: z.string() })).nullish(),
});

const PLACED = new Set(Object.keys(issueSchema.shape));

/** Reads beads' `issues.jsonl`; null when it is no such file. Deleted issues (tombstones) are left out. */
export function beadsPlan(content: string): OtherToolPlan | null {
  const goals: OtherToolGoal[] = [];
  let deleted = 0;
  for (const line of content.split('\n')) {
    if (line.trim() === '') continue;
    const parsed = issueSchema.safeParse(jsonOrNull(line));
    if (!parsed.success) return null;
    if (parsed.data.status === 'tombstone') deleted += 1;
    else goals.push(goalOf(parsed.data));
  }
  const notes = deleted === 0 ? [] : [`${deleted} deleted ${deleted === 1 ? 'issue' : 'issues'} left out`];
  return goals.length === 0 ? null : underOneRoot({ tool: 'beads', title: 'Issues', goals, notes });
}

function goalOf(issue: z.output<typeof issueSchema>): OtherToolGoal {
  const { id, title, description, design, notes, priority, issue_type, close_reason, labels } = issue;
  const links = issue.dependencies ?? [];
  const others = links.filter(({ type }) => type !== 'blocks' && type !== 'parent-child');
  const rest = Object.fromEntries(Object.entries(issue).filter(([name]) => !PLACED.has(name)));
  return {
    key: id,
    parent: links.find(({ type }) => type === 'parent-child')?.depends_on_id ?? null,
    description: title,
    detail: joinSections([
      { name: null, text: description ?? '' },
      { name: 'Design', text: design ?? '' },
      { name: 'Notes', text: notes ?? '' },
    ]),
    acceptance: linesOf(issue.acceptance_criteria ?? ''),
    tags: [
      ...(labels ?? []),
      ...(issue_type ? [`type:${issue_type}`] : []),
      ...(priority === null || priority === undefined ? [] : [`priority:${priority}`]),
      ...others.map(({ type, depends_on_id }) => `${type}:${depends_on_id}`),
    ],
    done: issue.status === 'closed',
    result: close_reason ?? undefined,
    dependsOn: links.filter(({ type }) => type === 'blocks').map(({ depends_on_id }) => depends_on_id),
    rest: {
      ...rest,
      id,
      links: links.some((link) => Object.keys(link).length > 3) ? links : undefined,
      ticked: tickedOf(issue.acceptance_criteria ?? ''),
      ...(issue.status && !['closed', 'open'].includes(issue.status) ? { status: issue.status } : {}),
    },
  };
}

function linesOf(criteria: string): readonly string[] {
  return criteria.split('\n').map((line) => line.replace(/^\s*[-*]\s+(?:\[[ xX]\]\s+)?/, ''));
}

function tickedOf(criteria: string): readonly string[] | undefined {
  const ticked = criteria
    .split(/\r?\n/)
    .flatMap((line) => /^\s*[-*]\s+\[[xX]\]\s+(\S.*)$/.exec(line)?.[1]?.trim() ?? []);
  return ticked.length === 0 ? undefined : ticked;
}

function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
