import { longestRising } from './child-order.js';

/** Text, or the line of a goal. */
export type Placed =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  | {
      readonly kind: 'line';
      readonly id: string;
      /** The empty lines before the line of a goal that follows. */
      readonly gap: readonly string[];
    };

/** The lines below a goal as they stand in a file, each with the text up to the next. */
interface Standing {
  readonly start: readonly string[];
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** What stands before the line feed of a new line. */
  readonly end: string;
}

/** Lines with nothing but empty lines between them. */
interface Section {
  readonly isLoose: boolean;
}

/**
 * Returns lines in another order, with the text between them where it was: it divides them into sections. Of the lines that
 * must move, the fewest that do, each goes to the line before it there, or, within its section, to the one after it; new ones
 * stand directly below the one before them. All others stay in their sections.
 */
export function placeLines({ start, after, end }: Standing, order: readonly string[]): readonly Placed[] {
  const sections = sectionsOf(after);
  const places = new Map(order.map((id, place) => [id, place]));
  const rising = longestRising([...after.keys()].map((id) => places.get(id) ?? 0));
  const isStaying = (id: string) => after.has(id) && rising.has(places.get(id) ?? 0);
  const gapIn = (section: Section | undefined) => (section?.isLoose === true ? [end] : []);

  const [before, behind] = [new Map<string, Line[]>(), new Map<string, Line[]>()];
  const first: Line[] = [];
  let last: Line | undefined;
  let group = first;
  const next = nextStaying(order, isStaying);
  for (const [place, id] of order.entries()) {
    const own = sections.get(id);
    if (isStaying(id)) {
      const text = after.get(id) ?? [];
      last = { id, gap: own?.last === id ? gapIn(own.section) : text, section: own?.section };
      group = [];
      behind.set(id, group);
      before.get(id)?.push(last);
      if (!before.has(id)) before.set(id, [last]);
      continue;
    }
    const follower = next[place];
    const above = last?.section;
    const isBack = own !== undefined && own.section !== above && follower !== undefined;
    if (isBack && (last === undefined || sections.get(follower)?.section === own.section)) {
      group = before.get(follower) ?? [];
      before.set(follower, group);
    }
    const section = isBack && group === before.get(follower) ? sections.get(follower)?.section : above;
    const line: Line = { id, gap: own === undefined ? (last?.gap ?? []) : gapIn(section), section };
    if (own === undefined && last !== undefined) last.gap = [];
    group.push(line);
    last = line;
  }

  const placed: Placed[] = [{ kind: 'text', lines: start }, ...first.map(shown)];
  for (const [id, text] of after) {
    for (const line of [...(before.get(id) ?? []), ...(behind.get(id) ?? [])]) placed.push(shown(line));
    if (sections.get(id)?.last === id) placed.push({ kind: 'text', lines: text });
  }
  return placed.filter((each) => each.kind === 'line' || each.lines.length > 0);
}

interface Line {
  readonly id: string;
  gap: readonly string[];
  readonly section: Section | undefined;
}

function shown({ id, gap }: Line): Placed {
  return { kind: 'line', id, gap };
}

/** The section of each line, and the last line of that. */
function sectionsOf(
  after: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, { readonly section: Section; readonly last: string }> {
  const found = new Map<string, { readonly section: Section; readonly last: string }>();
  const ids = [...after.keys()];
  let open: string[] = [];
  for (const id of ids) {
    open.push(id);
    const divides = id === ids.at(-1) || (after.get(id) ?? []).some((line) => line.trim() !== '');
    if (!divides) continue;
    const section = { isLoose: open.slice(0, -1).some((each) => (after.get(each) ?? []).length > 0) };
    for (const each of open) found.set(each, { section, last: id });
    open = [];
  }
  return found;
}

/** The line that stays next behind each place. */
function nextStaying(
  order: readonly string[],
  isStaying: (id: string) => boolean,
): readonly (string | undefined)[] {
  let next: string | undefined;
  const found = order.toReversed().map((id) => {
    const behind = next;
    if (isStaying(id)) next = id;
    return behind;
  });
  return found.toReversed();
}
