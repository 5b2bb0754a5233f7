import { printableJson } from '../../../kernel/text/safe-text.js';
import { sectionText, splitSections } from '../../../kernel/text/sections.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import type { Meaning, ToolRecord } from '../as-was.js';
import { criterionItem } from '../criteria.js';
import { isGate, readIssueRecord, readLink } from '../imports/beads-plan.js';
import { DEPENDS_ON, PART_OF } from '../imports/repair-links.js';
import { detailWithResult, RESULT_IN, resultLast, resultOf, withResult } from '../result-section.js';
import { readStatus } from '../status-words.js';
import { tellerOf, withTold } from '../told.js';
import type { Told } from '../told.js';
import {
  asWasOf,
  heldWord,
  holdBeside,
  inOriginalOrder,
  isAsDerived,
  isCollection,
  keptMembers,
  meaningOf as meaningOfGoal,
  originalOf,
  originalText,
  originalTexts,
  recordsAsWere,
  restoredGoal,
  originalNamer,
  urgencyIn,
} from './original-fields.js';

type NameOf = (id: string) => string;

interface Naming {
  readonly nameOf: NameOf;
  readonly told: Told;
  readonly urgency: number;
}

/** Members that say something together. */
const TOGETHER = [['description', 'design', 'notes', 'close_reason']] as const;

/**
 * The issues of beads, one JSON object a line, as `.beads/issues.jsonl` holds them: a goal is an issue of the id that it had
 * there, or of its own, what it is part of and waits for are its links. What was imported and not changed is as it was.
 */
export function toBeads(plan: Plan): string {
  const records = [...recordsAsWere(plan, 'beads', beadsRecords)];
  const ordered = inOriginalOrder(records, ([id]) => {
    const goal = plan.goals.get(id);
    return goal === undefined ? undefined : originalOf(goal, 'beads')['at'];
  });
  const { memories } = originalOf(rootOf(plan), 'beads');
  const notes = (Array.isArray(memories) ? memories : []).map((memory: object) => ({
    _type: 'memory',
    ...memory,
  }));
  return [...ordered.map(([, record]) => record), ...notes]
    .map((record) => `${printableJson(JSON.stringify(record))}\n`)
    .join('');
}

/** The issue of each goal, by its id, depth-first. */
export function beadsRecords(plan: Plan): ReadonlyMap<string, ToolRecord> {
  const root = rootOf(plan);
  const goals = Array.from(depthFirst(plan), ({ goal }) => goal).filter(
    (goal) => goal !== root || !isCollection(root, 'beads'),
  );
  const nameFor = originalNamer(goals.flatMap((goal) => had(goal) ?? []));
  const names = new Map(goals.map((goal) => [goal.id, nameFor(had(goal), () => goal.id)]));
  const nameOf = (id: string) => names.get(id) ?? '';
  const toldOf = tellerOf(plan, goals, (id) => names.get(id));
  const urgencyOf = urgencyIn(plan);
  return new Map(
    goals.map((goal) => {
      const told = toldOf(goal);
      const is = { ...meaningOfGoal(goal), detail: detailWithResult(goal) };
      const beside = { is, together: TOGETHER, read: meaningOf, told, toldIn: 'notes' };
      return [
        goal.id,
        restoredGoal(goal, 'beads', issueOf(goal, { nameOf, told, urgency: urgencyOf(goal) }), beside),
      ];
    }),
  );
}

/** What an issue says here; the order of its links counts for nothing. */
function meaningOf(record: ToolRecord): Meaning {
  const read = readIssueRecord(record);
  if (read === null) return {};
  const { dependsOn, links, status: _word, result = '', tags, ...said } = read;
  return {
    ...said,
    detail: resultLast(withResult(said.detail, result)),
    tags: [...new Set(tags)],
    dependsOn: sorted(dependsOn),
    links: sorted(links.map(({ to, type }) => [to, type])),
  };
}

function sorted(links: readonly unknown[]): readonly string[] {
  return [...new Set(links.map((link) => JSON.stringify(link)))].toSorted();
}

function had(goal: Goal): string | null {
  return originalText(originalOf(goal, 'beads'), 'id');
}

function issueOf(goal: Goal, { nameOf, told, urgency }: Naming): ToolRecord {
  const { description, child_ids, tags = [] } = goal;
  const {
    id: _id,
    status: _status,
    ticked: _ticked,
    links: _links,
    collection: _all,
    memories: _memories,
    closed_at,
    defer_until: _until,
    ...original
  } = keptMembers(goal, 'beads');
  const isTouched = goal.updated_at !== goal.created_at;
  const status = statusOf(goal);
  const sections = splitSections(goal.detail ?? '', ['Design', 'Notes', RESULT_IN]);
  const reason = resultOf(goal, sections);
  const isClosed = readStatus(status).done;
  const until = goal.on_hold?.until;
  const beside = isClosed ? {} : holdBeside(goal, status);
  return {
    ...original,
    id: nameOf(goal.id),
    title: description,
    ...textsOf(goal, sections, told),
    status,
    priority: urgency,
    issue_type: original['issue_type'] ?? (child_ids.length === 0 ? 'task' : 'epic'),
    created_at: original['created_at'] ?? goal.created_at,
    updated_at: isTouched ? goal.updated_at : (original['updated_at'] ?? goal.updated_at),
    ...(isClosed ? { closed_at: closed_at ?? goal.updated_at } : {}),
    ...(reason === '' ? {} : { close_reason: reason }),
    ...(until === undefined ? {} : { defer_until: until }),
    ...(tags.length === 0 ? {} : { labels: tags }),
    ...linksOf(goal, nameOf),
    ...(beside.on_hold === undefined ? {} : { x_frctl: beside }),
  };
}

/** The detail, taken apart as beads does, the criteria with their ticks, why it failed, and what is told. */
function textsOf(goal: Goal, sections: ReturnType<typeof splitSections>, told: Told) {
  const ticked = new Set(originalTexts(originalOf(goal, 'beads'), 'ticked'));
  const criteria = (goal.acceptance ?? []).map((text) =>
    criterionItem(`- [${ticked.has(text) ? 'x' : ' '}] `, text),
  );
  const reason = goal.failure === undefined ? '' : `Failed: ${goal.failure.reason}`;
  const texts = {
    description: sectionText(sections, null),
    design: sectionText(sections, 'Design'),
    acceptance_criteria: criteria.join('\n'),
    notes: withTold(
      [sectionText(sections, 'Notes'), reason].filter((text) => text !== '').join('\n\n'),
      told,
    ),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

const HELD = ['blocked', 'deferred', 'pinned', 'hooked'];

/** The status of a goal; the word that it had is put back where it says the same. */
function statusOf(goal: Goal): string {
  const isDerived = isAsDerived(goal, 'beads');
  if (isDerived !== (goal.status === 'complete')) return 'closed';
  if (goal.status === 'failed') return 'blocked';
  if (goal.claim !== undefined) return 'in_progress';
  return goal.on_hold === undefined ? 'open' : heldWord(goal, 'beads', HELD);
}

function linksOf(goal: Goal, nameOf: NameOf) {
  const { parent_id, dependencies, links: others = [] } = goal;
  const above = parent_id === null ? '' : nameOf(parent_id);
  const before = asWasOf(goal, 'beads').as_was?.['dependencies'];
  const keyed = (Array.isArray(before) ? before : []).map(
    (link: unknown) => [linkKey(readLink(link)), link] as const,
  );
  const gates = keyed.flatMap(([, link]) => readLink(link) ?? []).filter(isGate);
  // What waits for another does so by the same kinds of links as before.
  const gatesOn = (on: string) => {
    const types = gates.flatMap(({ to, type }) => (to === on ? [type] : []));
    return (types.length === 0 ? ['blocks'] : types).map((type) => ({ on, type }));
  };
  const links = [
    ...(above === '' ? [] : [{ on: above, type: 'parent-child' }]),
    ...dependencies.map(nameOf).flatMap((on) => (on === '' ? [] : gatesOn(on))),
    ...others.flatMap(({ type, to }) =>
      type === DEPENDS_ON ? gatesOn(to) : { on: to, type: type === PART_OF ? 'parent-child' : type },
    ),
  ];
  if (links.length === 0) return {};
  const issue_id = nameOf(goal.id);
  // Who made a link, and when, stays.
  const kept = new Map(keyed);
  return {
    dependencies: links.map(
      ({ on, type }) =>
        kept.get(linkKey({ to: on, type })) ?? {
          created_at: goal.created_at,
          issue_id,
          depends_on_id: on,
          type,
        },
    ),
  };
}

function linkKey(link: { readonly to: string; readonly type: string } | null): string {
  return JSON.stringify([link?.type, link?.to]);
}
