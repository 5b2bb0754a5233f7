import type { Source } from '../../plan/schema.js';
import type { DocumentItem } from './document-item.js';
import { holdsBoxes } from './facts.js';
import { sectionKind } from './kinds/heading-kinds.js';
import { standingOfStatus, type TableGoal } from './requirement-table.js';

/** What is said of a goal that is ticked off over something open. */
export const CHECKED_TOO_EARLY = 'Ticked off in the document, although something below it is not.';

/** A goal under construction. Level 0 is the outline itself, 1 to 6 are headings, 7 is a label above a list, 8 a list item. */
export interface Draft {
  readonly kind: 'outline' | DocumentItem['kind'];
  readonly level: number;
  description: string;
  readonly startLine: number;
  endLine: number;
  checked: boolean;
  isTask: boolean;
  afterPrevious: boolean;
  readonly detail: string[];
  readonly children: Draft[];
  /** What keeps it from being worked on, in the document's word. */
  onHold?: string;
  /** It says of itself that it will not be done. */
  excluded?: boolean;
  /** What is said below it of how far it is. */
  status?: string | undefined;
  row?: Omit<TableGoal, 'row'>;
}

/** A goal of which nothing is known but what it is called and where it begins. */
export function newDraft(
  kind: Draft['kind'],
  level: number,
  description: string,
  startLine: number,
  endLine: number,
): Draft {
  return {
    kind,
    level,
    description,
    startLine,
    endLine,
    checked: false,
    isTask: false,
    afterPrevious: false,
    detail: [],
    children: [],
  };
}

/** Makes an item of a document from its draft, with everything below it. */
export function finishItem(draft: Draft, file: string): DocumentItem {
  markStatus(draft);
  // What says that it is done says it of what is listed below; boxes speak for themselves.
  if (draft.checked) for (const child of draft.children) if (!child.isTask) child.checked = true;
  const children = draft.children.map((child) => finishItem(child, file));
  const complete = draft.checked && children.every((child) => child.complete);
  const note = draft.checked && !complete ? [CHECKED_TOO_EARLY] : [];
  return {
    kind: draft.kind === 'outline' ? 'item' : draft.kind,
    description: draft.description,
    ...finishDetail([...draft.detail, ...note]),
    source: sourceOf(draft, file),
    complete,
    afterPrevious: draft.afterPrevious,
    children,
    ...(draft.isTask ? { isTask: true } : {}),
    ...(draft.onHold === undefined || complete ? {} : { onHold: draft.onHold }),
    ...(draft.excluded === true ? { excluded: true } : {}),
    ...rowMembers(draft),
  };
}

/** Returns an item whose boxes are goals whatever heads them: what is out of scope, for later or cancelled holds them up. */
export function withBoxesHeld(item: DocumentItem): DocumentItem {
  const { excluded, ...kept } = { ...item, children: item.children.map(withBoxesHeld) };
  const isHolding =
    item.kind === 'heading' &&
    !item.complete &&
    holdsBoxes(item) &&
    (excluded === true || sectionKind(item.description, false) === 'out_of_scope');
  if (isHolding) return { ...kept, onHold: item.onHold ?? item.description };
  return excluded === undefined ? kept : { ...kept, excluded };
}

/** Marks a goal by the status that stands below it. A box is a box, whatever is said of it. */
function markStatus(draft: Draft): void {
  const { status, checked } = draft;
  if (status === undefined || checked) return;
  const standing = standingOfStatus(status);
  if (standing === 'done') draft.checked = !draft.isTask;
  else if (standing === 'held' || (standing === 'dropped' && draft.isTask)) draft.onHold ??= status;
  else if (standing === 'dropped') draft.excluded = true;
}

function rowMembers({ row }: Draft): Partial<DocumentItem> {
  if (row === undefined) return {};
  const { tags, acceptance } = row;
  return {
    ...(tags.length === 0 ? {} : { tags }),
    ...(acceptance.length === 0 ? {} : { acceptance }),
  };
}

/** The detail of an item that a document draft has gathered: what belongs to a goal beside its description. */
export function finishDetail(parts: readonly string[]): { readonly detail?: string } {
  return parts.length === 0 ? {} : { detail: parts.join('\n\n') };
}

/** Where a goal stands in its document. */
export function sourceOf(draft: Draft, file: string): Source {
  return { file, start_line: draft.startLine, end_line: draft.endLine };
}
