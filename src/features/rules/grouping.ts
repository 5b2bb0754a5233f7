import type { Clause } from './clauses/clause.js';
import { splitClauses } from './clauses/clauses.js';
import { joinItems } from './clauses/list-items.js';
import type { Planned } from './division.js';

/**
 * Groups planned sub-goals so that there are at most `most`: neighbours are gathered under goals that name them
 * all and are divided in turn, so that nothing is left out.
 */
export function gather(planned: readonly Planned[], most: number): readonly Planned[] {
  const room = Math.max(2, most);
  if (planned.length <= room) return planned;
  const groups = chunks(planned, Math.min(room, Math.ceil(planned.length / room)));
  const positions = new Map<number, number>();
  let number = 0;
  for (const [position, group] of groups.entries())
    for (const _ of group) positions.set((number += 1), position + 1);
  return groups.map((group, position) => gathered(group, position + 1, positions));
}

function chunks<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  return Array.from({ length: count }, (_, index) =>
    items.slice(Math.floor((index * items.length) / count), Math.floor(((index + 1) * items.length) / count)),
  );
}

function gathered(
  group: readonly Planned[],
  position: number,
  positions: ReadonlyMap<number, number>,
): Planned {
  const outside = group.flatMap(({ dependsOn }) => dependsOn.map((number) => positions.get(number) ?? 0));
  const dependsOn = [...new Set(outside)]
    .filter((number) => number > 0 && number !== position)
    .sort((a, b) => a - b);
  const [only] = group;
  if (only !== undefined && group.length === 1) return { ...only, dependsOn };
  const offset = [...positions].find(([, other]) => other === position)?.[0] ?? 1;
  const within = group.map(({ description, dependsOn: on }) => ({
    description,
    dependsOn: on.map((number) => number - offset + 1).filter((number) => number > 0),
  }));
  return { description: nameAll(within), expandable: true, dependsOn };
}

/** The goal that stands for a group of several, worded so that it is divided into them again. */
export function nameAll(parts: readonly Clause[]): string {
  const wordings = [
    addition(parts),
    listing(parts, '; '),
    listing(parts, '; then '),
    listing(parts, ', then '),
  ];
  return wordings.find((wording) => wording !== undefined && says(wording, parts)) ?? numbered(parts);
}

/** "Add A, B and C to the API", or "Add to the API: A; B; C" where an item has commas or prepositions of its own. */
function addition(parts: readonly Clause[]): string | undefined {
  const target = parts.map(({ description }) => lastTarget(description));
  const [common] = target;
  if (common === undefined || target.some((other) => other !== common)) return undefined;
  const items = parts.map(({ description }) => description.slice('Add '.length, -common.length));
  const list = `Add ${joinItems(items)}${common}`;
  return says(list, parts) ? list : `Add${common}: ${items.join('; ')}`;
}

function lastTarget(description: string): string | undefined {
  const at = description.lastIndexOf(' to ');
  const target = description.slice(at);
  const isAddition = description.startsWith('Add ') && at > 'Add '.length;
  return isAddition && /^ to [^,;\n]+$/.test(target) ? target : undefined;
}

function listing(parts: readonly Clause[], joint: string): string {
  return parts
    .map(({ description }, index) => (index === 0 ? description : lowerFirst(description)))
    .join(joint);
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function numbered(parts: readonly Clause[]): string {
  return parts.map(({ description }, index) => `${index + 1}) ${description}`).join(' ');
}

function says(wording: string, parts: readonly Clause[]): boolean {
  const found = splitClauses(wording)?.parts ?? [];
  return (
    found.length === parts.length &&
    found.every(
      ({ description, dependsOn }, index) =>
        description === parts[index]?.description && dependsOn.join(' ') === parts[index].dependsOn.join(' '),
    )
  );
}
