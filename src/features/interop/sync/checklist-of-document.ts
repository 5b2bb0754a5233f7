import { resolve } from 'node:path';

import { PlanError } from '../../../kernel/errors.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { isOwnExport } from '../../../planning/documents/kinds/own-export.js';
import type { Checklist } from '../checklists/checklist.js';
import { flattenItems } from '../checklists/nested-item.js';
import type { ChecklistMerge } from '../checklists/merge-checklist.js';

/** Goals that a message names. */
const MOST_NAMED = 3;

/** Refuses a Markdown export, whose lines are goals of a plan already. @throws PlanError INVALID_INPUT */
export function refuseExport(text: string, path: string): void {
  if (!isOwnExport(text)) return;
  throw new PlanError(
    'INVALID_INPUT',
    `${path} is the export of a plan, not a checklist; nothing was written`,
    {
      hint: {
        commandLine:
          '`plan sync CHECKLIST.md` makes a checklist of the plan; `plan init --from` makes a plan of an export.',
      },
      details: { path },
    },
  );
}

/**
 * Refuses the document that a plan was made from, where its goals stand in it as headings or in other lines than ones
 * with a box: they would stand there twice, and its lines would be goals twice.
 * @throws PlanError INVALID_INPUT
 */
export function refuseSourceDocument(
  plan: Plan,
  {
    checklist,
    merge,
    path,
    folders,
  }: {
    readonly checklist: Checklist;
    readonly merge: Pick<ChecklistMerge, 'goals' | 'payloads'>;
    readonly path: string;
    /** What the names of documents may be relative to. */
    readonly folders: readonly string[];
  },
): void {
  // Once it has marks they say which line is which goal.
  if (checklist.plan !== null || checklist.named.size > 0) return;
  const ofIt = [...plan.goals.values()].filter(
    ({ source }) => source !== undefined && folders.some((folder) => resolve(folder, source.file) === path),
  );
  if (ofIt.length === 0) return;
  const withLine = new Set(merge.goals.values());
  const doubled = ofIt.filter(({ id, parent_id }) => parent_id !== null && !withLine.has(id));
  const boxes = new Set(flattenItems(checklist).map(({ item }) => item.lineNumber));
  const criteria = new Set(ofIt.flatMap(({ acceptance = [] }) => acceptance));
  const criterion = addedBy(merge).find((text) => criteria.has(text));
  if (doubled.length === 0 && criterion === undefined) return;
  throw new PlanError(
    'INVALID_INPUT',
    `plan ${plan.header.id} was made from ${path}, where ${reason(plan, doubled, criterion ?? '', boxes)}; nothing was written`,
    {
      hint: {
        commandLine: '`plan sync CHECKLIST.md` syncs a separate file. The document stays as it is.',
      },
      details: { path, goals: doubled.map(({ id }) => id) },
    },
  );
}

function reason(plan: Plan, doubled: readonly Goal[], criterion: string, boxes: ReadonlySet<number>): string {
  if (doubled.length === 0) return `“${criterion}” is a criterion of a goal, and would be a goal too`;
  const isBox = ({ source }: Goal) => source !== undefined && boxes.has(source.start_line);
  const without = doubled.filter((goal) => !isBox(goal));
  const shown = without.length === 0 ? doubled : without;
  const names = shown.slice(0, MOST_NAMED).map((goal) => goalInWords(plan, goal));
  const more = shown.length - names.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  const said =
    without.length === 0
      ? `${shown.length === 1 ? 'stands' : 'stand'} after a box in other words than in the plan, such as with a number, or in several lines`
      : `${shown.length === 1 ? 'has no line' : 'have no lines'} with a box and would appear twice`;
  return `${names.join(', ')}${rest} ${said}`;
}

/** The words of the goals that a merge would make. */
function addedBy({ payloads }: Pick<ChecklistMerge, 'payloads'>): readonly string[] {
  return payloads.flatMap((payload) =>
    payload.type === 'goals_added' ? payload.sub_goals.map(({ description }) => description) : [],
  );
}
