import * as z from 'zod';

import { joinSections } from '../../../kernel/text/sections.js';
import { timestampSchema } from '../../../plan/schema.js';
import type { ToolRecord } from '../as-was.js';
import { readCriteria } from '../criteria.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { readYaml } from '../../../kernel/yaml.js';
import { inOwnWords, readStatus } from '../status-words.js';
import { readTold } from '../told.js';
import { accountFor } from '../../../kernel/text/line-account.js';
import { underOneRoot } from './other-tool-plan.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { goalName } from './goal-name.js';
import { readItem } from './read-item.js';
import type { Unread } from './read-item.js';

const text = z.string().nullish();
const linkSchema = z.union([
  z.string().transform((id) => ({ to: id, type: 'blocks' })),
  // As a file of issues has it, and as `bd show --json` does.
  z
    .looseObject({ depends_on_id: z.string(), type: z.string().nullish() })
    .transform(({ depends_on_id: to, type }) => ({ to, type: type ?? 'blocks' })),
  z
    .looseObject({ id: z.string(), type: z.string().nullish(), dependency_type: z.string().nullish() })
    .transform(({ id: to, type, dependency_type }) => ({ to, type: type ?? dependency_type ?? 'blocks' })),
]);
const issueSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  description: text,
  design: text,
  acceptance_criteria: text,
  notes: text,
  status: text,
  priority: z.number().nullish(),
  issue_type: text,
  close_reason: text,
  labels: z.array(z.string()).nullish(),
  dependencies: z.array(linkSchema).nullish(),
});

/** A note that beads keeps beside its issues, as its export writes it. */
const memorySchema = z.strictObject({
  _type: z.literal('memory'),
  key: z.string().min(1),
  value: z.string(),
});

const NEEDED = ['id', 'title'];
const PLACED = new Set([...Object.keys(issueSchema.shape), 'x_frctl']);

/**
 * Reads beads' `issues.jsonl`; null when it is no such file. Deleted issues (tombstones) are left out.
 * @param config its `config.yaml`, if it is there, which may have statuses of its own
 * @param name of the file, for the account of its lines
 */
export function beadsPlan(
  content: string,
  config: string | null = null,
  name = 'issues.jsonl',
): OtherToolPlan | null {
  const statuses = customStatuses(config);
  const goals: OtherToolGoal[] = [];
  const unread: Unread[] = [];
  const leftOut: number[] = [];
  const memories: Omit<z.output<typeof memorySchema>, '_type'>[] = [];
  let [deleted, others] = [0, 0];
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = jsonOrNull(line);
    const memory = memorySchema.safeParse(value).data;
    if (memory !== undefined) {
      memories.push({ key: memory.key, value: memory.value });
      continue;
    }
    if (!['issue', undefined].includes(Object(value)._type)) {
      leftOut.push(index + 1);
      others += 1;
      continue;
    }
    const issue = readItem(issueSchema, value, { path: `line ${index + 1}`, at: [], needed: NEEDED, unread });
    if (issue === null || issue.status === 'tombstone') leftOut.push(index + 1);
    if (issue?.status === 'tombstone') deleted += 1;
    else if (issue !== null) {
      const place = { file: name, line: index + 1 };
      goals.push(goalOf(issue, { ...Object(value) }, { place, statuses }));
    }
  }
  // A line that is no issue is a slip in a file that has others; nothing but such lines is another file.
  if (goals.length === 0) return null;
  const notes = [
    ...(deleted === 0 ? [] : [`${deleted} deleted ${deleted === 1 ? 'issue' : 'issues'} left out`]),
    ...(others === 0 ? [] : [`${quantityOf(others, 'line')} of ${name} left out: no issues`]),
    ...unread.map(({ path, problem }) => `${name}: ${path} is left out: ${problem}`),
  ];
  const account = accountFor([{ file: name, text: content, leftOut }]);
  const plan = underOneRoot({ tool: 'beads', title: 'Issues', goals, notes, account });
  return memories.length === 0 ? plan : withMemories(plan, memories);
}

/** Notes that belong to no issue go with the goal of the whole, and back from there. */
function withMemories(plan: OtherToolPlan, memories: readonly ToolRecord[]): OtherToolPlan {
  if (plan.top === undefined) return { ...plan, rest: { ...plan.rest, memories } };
  const goals = plan.goals.map((goal) =>
    goal.key === plan.top ? { ...goal, rest: { ...goal.rest, memories } } : goal,
  );
  return { ...plan, goals };
}

function goalOf(
  issue: z.output<typeof issueSchema>,
  original: ToolRecord,
  { place, statuses }: { readonly place: OtherToolGoal['place']; readonly statuses: CustomStatuses },
): OtherToolGoal {
  const { id, issue_type } = issue;
  const ticked = readCriteria(issue.acceptance_criteria ?? '').flatMap((each) =>
    each.ticked === true ? each.text : [],
  );
  const { parent, dependsOn, links, ...said } = readIssue(issue, statuses);
  return {
    ...said,
    key: id,
    parent,
    dependsOn,
    links,
    rest: {
      ...Object.fromEntries(Object.entries(issue).filter(([name]) => !PLACED.has(name))),
      id,
      issue_type: issue_type ?? undefined,
      ticked: ticked.length === 0 ? undefined : ticked,
    },
    original,
    place,
  };
}

/** What an issue of beads says here; nothing of one that is none. */
export function readIssueRecord(record: ToolRecord) {
  const parsed = issueSchema.safeParse(record).data;
  return parsed === undefined ? null : readIssue(parsed);
}

/** A link as it stands in an issue; null for what is none. */
export function readLink(link: unknown): { readonly to: string; readonly type: string } | null {
  return linkSchema.safeParse(link).data ?? null;
}

/** Links to what has to be done before, of whichever kind: each of them keeps an issue from being ready. */
const GATES = new Set(['blocks', 'conditional-blocks', 'waits-for']);

/** Whether a link says what an issue waits for. */
export function isGate({ type }: { readonly type: string }): boolean {
  return GATES.has(type);
}

/** What statuses of somebody's own say, by their category. */
interface CustomStatuses {
  readonly done: readonly string[];
  readonly held: readonly string[];
}

const customSchema = z
  .union([z.string().transform((all) => all.split(',')), z.array(z.string())])
  .catch([])
  .transform((all) => all.map((each) => each.split(':').map((part) => part.trim())));

/** Reads `status.custom`, such as `released:done, iced:frozen`. */
function customStatuses(config: string | null): CustomStatuses {
  const read = readYaml(config ?? '', 0);
  const value: Readonly<Record<string, unknown>> = Object('problem' in read ? null : read.value);
  const all = customSchema.parse(value['status.custom'] ?? Object(value['status'])['custom']);
  const of = (category: string) => all.flatMap(([word = '', is]) => (is === category ? [word] : []));
  return { done: of('done'), held: of('frozen') };
}

function readIssue(
  issue: z.output<typeof issueSchema>,
  { done, held }: CustomStatuses = { done: [], held: [] },
) {
  const { description, design, priority, close_reason, labels } = issue;
  const { text: notes, told } = readTold(issue.notes ?? '');
  const all = issue.dependencies ?? [];
  const parent = all.find(({ type }) => type === 'parent-child')?.to ?? null;
  const isParent = ({ type, to }: { type: string; to: string }) => type === 'parent-child' && to === parent;
  const until = timestampSchema.safeParse(issue['defer_until']).data;
  const standing = inOwnWords(readStatus(issue.status, done, held), issue['x_frctl']);
  return {
    description: goalName(issue.title, description, `Issue ${issue.id}`),
    detail: joinSections([
      { name: null, text: description ?? '' },
      { name: 'Design', text: design ?? '' },
      { name: 'Notes', text: notes },
    ]),
    ...told,
    acceptance: readCriteria(issue.acceptance_criteria ?? '').map(({ text: line }) => line),
    tags: labels ?? [],
    ...standing,
    ...(standing.onHold === undefined || until === undefined ? {} : { heldUntil: until }),
    ...(issue.status == null ? {} : { status: issue.status }),
    ...(priority == null ? {} : { priority: Math.min(4, Math.max(0, Math.round(priority))) }),
    ...(close_reason == null ? {} : { result: close_reason }),
    parent,
    dependsOn: all.filter(isGate).map(({ to }) => to),
    links: all.filter((link) => !isGate(link) && !isParent(link)),
  };
}

function jsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
