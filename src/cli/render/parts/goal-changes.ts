import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ChangedGoal, DiffedGoal, PlanDiff } from '../../../operations/reading/diff-plans.js';
import { priorityInWords, STATUS_WORDS } from '../../../operations/shared/numbered-goals.js';
import type { NumberedChange } from '../../../operations/editing/change-goals.js';
import type { Colors } from '../../terminal.js';
import type { View } from '../../renderer.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { endText } from './times.js';

/** As much of a value as a line has room for. */
const SHOWN = 100;
/** Fields that say where a goal is and when it changed, or follow from other lines. */
const UNTOLD: ReadonlySet<string> = new Set([
  'id',
  'parent_id',
  'child_ids',
  'depth',
  'created_at',
  'updated_at',
  'usage',
  'tokens_used',
]);

/** The number of a goal by its id; the id itself where it is not known. */
type NumberOf = (id: string) => string;
const BY_ID: NumberOf = (id) => id;

/**
 * Goals that are gone (`-`), new (`+`) and changed (`~`), a line each; one that only has other sub-goals has none, for those
 * have lines of their own.
 */
export function renderDiff(
  { added, removed, changed }: Pick<PlanDiff, 'added' | 'removed' | 'changed'>,
  colors: Colors,
  numberOf = BY_ID,
): string {
  return [
    ...removed.map((goal) => colors.red(`- ${named(goal)}`)),
    ...added.map((goal) => colors.green(`+ ${named(goal)}`)),
    ...changed.flatMap((goal) => {
      const lines = fieldLines(goal, colors, numberOf);
      return lines.length === 0 ? [] : [colors.yellow(`~ ${named(goal)}`), ...lines];
    }),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** What a change did to goals, as a difference; goals above that only list other children are left out. */
export function renderChanges(changes: readonly NumberedChange[], colors: Colors, numberOf = BY_ID): string {
  const removed = changes.flatMap(({ before, after, number }) =>
    before !== null && after === null ? [{ ...before, goal: before.id, number }] : [],
  );
  const added = changes.flatMap(({ before, after, number }) =>
    before === null && after !== null ? [{ ...after, goal: after.id, number }] : [],
  );
  const changed = changes.flatMap((change) => changedGoal(change) ?? []);
  const told = renderDiff({ added, removed, changed }, colors, numberOf);
  return told === '' ? changes.map((change) => placeLine(change, colors)).join('') : told;
}

/**
 * The numbers of the goals that changes name as dependencies or parents. The tree is read only where a change names one that has
 * not changed itself.
 */
export async function numbersIn(
  changes: readonly NumberedChange[],
  plan: string,
  workspace: View['workspace'],
): Promise<NumberOf> {
  const numbers = new Map(
    changes.map(({ goal, number, after }) => [goal, after === null ? `${number} (removed)` : number]),
  );
  const waiting = changes
    .filter(({ before, after }) => before?.dependencies.join() !== after?.dependencies.join())
    .flatMap(({ before, after }) => [...(before?.dependencies ?? []), ...(after?.dependencies ?? [])]);
  const moved = changes
    .filter(({ before, after }) => before !== null && after !== null && before.parent_id !== after.parent_id)
    .flatMap(({ before, after }) => [before?.parent_id ?? [], after?.parent_id ?? []].flat());
  if ([...waiting, ...moved].some((id) => !numbers.has(id)))
    for (const { id, number } of (await workspace.tree({ plan })).goals) numbers.set(id, number);
  return (id) => (numbers.get(id) === '' ? 'root' : (numbers.get(id) ?? id));
}

/** A goal of which nothing but its place has changed. */
function placeLine({ before, after, number }: NumberedChange, colors: Colors): string {
  if (before === null || after === null || before.child_ids.join() !== after.child_ids.join()) return '';
  return `${colors.yellow(`~ ${named({ number, description: after.description })}`)}\n`;
}

function changedGoal({ before, after, number }: NumberedChange): ChangedGoal | null {
  if (before === null || after === null) return null;
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const moved = before.parent_id === after.parent_id ? [] : ['parent_id'];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => !UNTOLD.has(name));
  const fields = [...moved, ...names].flatMap((name) => {
    const [from, to]: readonly unknown[] = [was.get(name) ?? null, is.get(name) ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[name, { from, to }] as const];
  });
  if (fields.length === 0) return null;
  const { id: goal, description } = after;
  return { goal, number, description, fields: Object.fromEntries(fields) };
}

function named({ number, description }: Omit<DiffedGoal, 'goal'>): string {
  return `${number === '' ? 'root' : number}  ${oneLine(description)}`;
}

function fieldLines({ fields }: ChangedGoal, colors: Colors, numberOf: NumberOf): readonly string[] {
  return Object.entries(fields).flatMap(([name, { from, to }]) => {
    if (name === 'child_ids')
      return sortedText(from) === sortedText(to) ? [`    ${colors.dim('sub-goals:')} in another order`] : [];
    const [was, is] = [from, to].map((value) => shown(inWords(name, value, numberOf)));
    return `    ${colors.dim(`${oneLine(FIELD_WORDS[name] ?? name)}:`)} ${was} → ${is}`;
  });
}

/** The same text for every order of the same sub-goals. */
function sortedText(ids: unknown): string {
  return JSON.stringify(Array.isArray(ids) ? ids.map(String).toSorted() : ids);
}

/** What fields are called on the screen, where that is not their name. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  parent_id: 'below',
  dependencies: 'waits for',
  on_hold: 'on hold',
};

/** A value of a field as people read it. */
function inWords(name: string, value: unknown, numberOf: NumberOf): unknown {
  if (name === 'dependencies') return listed(value, numberOf);
  if (name === 'status') return statusWord(value);
  if (name === 'priority') return typeof value === 'number' ? priorityInWords(value) : value;
  if (name === 'parent_id') return typeof value === 'string' ? numberOf(value) : value;
  const said = new Map(Object.entries(typeof value === 'object' && value !== null ? value : {})).get(
    SAID_BY[name] ?? '',
  );
  return typeof said === 'string' ? said : value;
}

/** The member of a field that says for people what it is about. */
const SAID_BY: Readonly<Record<string, string>> = { failure: 'reason', claim: 'by', digest: 'summary' };

/** A status as the screen calls it. */
function statusWord(status: unknown): unknown {
  return Object.entries(STATUS_WORDS).find(([each]) => each === status)?.[1] ?? status;
}

/** As many shifted numbers as are told one by one. */
const SHIFTS_TOLD = 3;

/** Which goals have other numbers since, because one before them came, went or moved; empty where none has. */
export function renderShifts(changes: readonly NumberedChange[]): string {
  const shifts = changes.flatMap(({ before, after, number }) => {
    const prefix = number === '' ? '' : `${number}.`;
    return (before?.child_ids ?? []).flatMap((id, was) => {
      const is = after?.child_ids.indexOf(id) ?? -1;
      return is < 0 || is === was ? [] : [`${prefix}${was + 1} is ${prefix}${is + 1} now`];
    });
  });
  if (shifts.length === 0) return '';
  const told = shifts.slice(0, SHIFTS_TOLD).join(', ');
  return `Numbers have shifted: ${told}${shifts.length > SHIFTS_TOLD ? ', and so on' : ''}.\n`;
}

/** Dependencies as people name them; null where there are none. */
function listed(ids: unknown, numberOf: NumberOf): unknown {
  if (!Array.isArray(ids)) return ids;
  return ids.length === 0 ? null : ids.map((id) => numberOf(String(id))).join(', ');
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  // A hold is told by why it is there, and until when.
  if (typeof value === 'object' && 'reason' in value && typeof value.reason === 'string') {
    const until =
      'until' in value && typeof value.until === 'string' ? `, until ${endText(value.until)}` : '';
    return `${shown(value.reason)}${until}`;
  }
  return truncate(oneLine(typeof value === 'string' ? value : JSON.stringify(value)), SHOWN);
}
