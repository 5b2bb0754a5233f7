import { parseDocument } from 'yaml';

import { isSameJson } from '../../../kernel/json/same-json.js';
import { readYaml } from '../../../kernel/yaml.js';
import type { Meaning } from '../as-was.js';
import { isCriteria, isTagged, readBacklogText } from '../backlog-file.js';
import type { BacklogText, BodySection } from '../backlog-file.js';
import { dataOf } from '../data-members.js';
import { tickedLike } from '../imports/task-text.js';

type Read = (text: string) => (Meaning & { readonly head: object }) | null;

/**
 * Returns the text that a file had, with what was changed since: front matter member by member, the body section by section.
 * It is what would be written anew wherever the old one would not say the same.
 * @param is what the goal itself says by the names of what is read
 * @param read what a file says here; null for one that must not be written again
 */
export function patchedText(original: string, written: string, is: Meaning, read: Read): string {
  const meaning = read(written);
  const isSame = (text: string) => {
    const said = read(text);
    if (meaning === null || said === null) return false;
    // What the tool had not said is said only where it means something.
    const head = Object.entries(meaning.head).filter(
      ([name]) => !INVENTED.has(name) || Object.hasOwn(said.head, name),
    );
    return isSameJson(said, { ...meaning, ...is, head: Object.fromEntries(head) });
  };
  if (isSame(original)) return original;
  const [was, now] = [readBacklogText(original), readBacklogText(written)];
  const head = patchedHead(was, now);
  const body = patchedBody(was.sections, now.sections);
  const end = /^\uFEFF?---\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;
  const rest = `${head}${body}`;
  if (head !== '' && isSame(rest)) return rest;
  const anew = `${end.exec(written)?.[0] ?? ''}${body}`;
  return isSame(anew) ? anew : written;
}

/** The front matter with the members that say something else now. */
function patchedHead(was: BacklogText, is: BacklogText): string {
  if (was.head === null || was.problem !== null) return '';
  const document = parseDocument(was.head, { uniqueKeys: false, logLevel: 'error' });
  if (document.errors.length > 0 || 'problem' in readYaml(was.head, 0)) return '';
  for (const [name, value] of Object.entries(is.members)) {
    const isThere = Object.hasOwn(was.members, name);
    if (!isThere && (INVENTED.has(name) || (Array.isArray(value) && value.length === 0))) continue;
    if (!isSameMember(was.members[name], value)) document.set(name, value);
  }
  for (const name of Object.keys(was.members))
    if (CHANGED.has(name) && !Object.hasOwn(is.members, name)) document.delete(name);
  return `---\n${String(document).trimEnd()}\n---\n`;
}

const INVENTED = new Set(['ordinal', 'created_date', 'assignee']);
/** What may be taken away here. */
const CHANGED = new Set(['status', 'priority', 'milestone', 'parent_task_id']);

function isSameMember(was: unknown, is: unknown): boolean {
  const normal = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(normal) : typeof value === 'string' ? value.toLowerCase() : value;
  const listed =
    Array.isArray(is) && !Array.isArray(was) && was != null ? [was] : (was ?? (Array.isArray(is) ? [] : was));
  return isSameJson(normal(listed), normal(is));
}

/** The sections as they were, but for those that say something else; new ones come last, and those that are gone are left out. */
function patchedBody(was: readonly BodySection[], is: readonly BodySection[]): string {
  const left = [...is];
  const takeAlike = (name: string | null) => {
    const index = left.findIndex((section) => section.name === name);
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const patched = was.map((section) => {
    if (section.text === '') return section.raw;
    const now = takeAlike(section.name);
    if (now === undefined) return '';
    if (now.text === section.text) return section.raw;
    const ticked = tickedLike(section.raw, now.raw.replaceAll(/(\] )#\d+ /g, '$1'));
    return isCriteria(section.name) && isOnlyTicked(ticked, now.raw) ? ticked : `${now.raw.trimEnd()}\n\n`;
  });
  return [...patched, ...left.map(({ raw }) => raw)].join('').trimEnd().concat('\n');
}

/** Whether two lists of criteria say the same. */
function isOnlyTicked(one: string, other: string): boolean {
  return words(one) === words(other);
}

function words(text: string): string {
  return text
    .replaceAll(/^(?:##.*|<!--.*-->)$/gm, '')
    .replaceAll(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/gm, '- ')
    .replaceAll(/(\] )#\d+ /g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Whether two settings say the same, and nothing in them is other than data. */
export function isSameConfig(original: string, written: string): boolean {
  if (isTagged(original)) return false;
  const [was, is] = [readYaml(original, 0), readYaml(written, 0)];
  if ('problem' in was || 'problem' in is) return false;
  const { data, leftOut } = dataOf({ config: was.value }, 'backlog');
  const settings: object = Object(data['config']);
  const written_: object = Object(is.value);
  const isNamed =
    Object(settings).project_name === undefined ||
    Object(settings).project_name === Object(written_).project_name;
  return (
    leftOut.length === 0 &&
    isNamed &&
    Object.entries(settings).every(([name, value]) => isSameJson(value, Object(written_)[name]))
  );
}
