import type { Goal } from '../schema.js';
import type { NumberedGoal } from '../tree.js';
import { liveClaim } from './claims.js';

/** More characters of a pattern are not compared: a segment beyond them matches everything. */
const MOST_COMPARED = 100;
const MOST_SEGMENTS = 32;
const ANY = '**';
/** What looks like the name of a file, of which nothing is below. */
const FILE = /[^.]\.[\w*]{1,8}$/;

/** Values by what they touch. */
export interface TouchIndex<Value> {
  add(touches: readonly string[], value: Value): void;
  /** Returns the values of all entries that overlap one of these. */
  overlapping(touches: readonly string[]): Set<Value>;
}

/** Returns an empty index of what goals touch. Entries under different first folders are not compared. */
export function createTouchIndex<Value>(): TouchIndex<Value> {
  const byFirst = new Map<string, Map<string, Set<Value>>>();
  return {
    add(touches, value) {
      for (const touch of touches) {
        const first = firstOf(touch);
        const group = byFirst.get(first) ?? new Map<string, Set<Value>>();
        byFirst.set(first, group.set(touch, (group.get(touch) ?? new Set()).add(value)));
      }
    },
    overlapping(touches) {
      const found = new Set<Value>();
      for (const touch of touches)
        for (const group of groupsFor(byFirst, firstOf(touch)))
          for (const [other, values] of group)
            if (overlap(touch, other)) for (const value of values) found.add(value);
      return found;
    },
  };
}

function groupsFor<Group>(byFirst: ReadonlyMap<string, Group>, first: string): readonly Group[] {
  if (first === ANY) return [...byFirst].flatMap(([key, group]) => (key.startsWith('area:') ? [] : [group]));
  const found = [byFirst.get(first), first.startsWith('area:') ? undefined : byFirst.get(ANY)];
  return found.flatMap((group) => (group === undefined ? [] : [group]));
}

/** The first folder, an area as a whole, or `**` where the first is a pattern. */
function firstOf(touch: string): string {
  if (touch.startsWith('area:')) return touch;
  const [first = ''] = touch.split('/');
  return isPattern(first) ? ANY : first;
}

/**
 * Returns whether two entries may name a same file. A path without an extension counts for all below it; classes and alternatives in globs
 * count as anything, so that what may overlap does.
 */
export function overlap(one: string, other: string): boolean {
  if (one.startsWith('area:') || other.startsWith('area:')) return one === other;
  return meet(segmentsOf(one), segmentsOf(other));
}

/** Returns whether a path or glob covers a file, by itself or as a folder above it. */
export function coversFile(glob: string, file: string): boolean {
  const [own, path] = [glob.split('/'), file.split('/')];
  return meet(own, path) || meet([...own, ANY], path);
}

function segmentsOf(touch: string): readonly string[] {
  const all = touch.split('/').slice(0, MOST_SEGMENTS);
  // Alternatives that hold a `/` are not looked into.
  const broken = all.findIndex(
    (segment) => (segment.match(/[{(]/g) ?? []).length !== (segment.match(/[})]/g) ?? []).length,
  );
  const segments = broken === -1 ? all : all.slice(0, broken);
  const last = segments.at(-1) ?? '';
  return last === ANY || (broken === -1 && FILE.test(last)) ? segments : [...segments, ANY];
}

/** Whether some path fits both, by which pairs of places in both can be reached. */
function meet(one: readonly string[], other: readonly string[]): boolean {
  let reached = new Set([0]);
  for (let i = 0; i <= one.length; i += 1) {
    const onward = new Set<number>();
    for (let j = 0; j <= other.length; j += 1) {
      if (!reached.has(j)) continue;
      const [a, b] = [one[i], other[j]];
      if (a === undefined && b === undefined) return true;
      if (b === ANY) {
        reached.add(j + 1);
        if (a !== undefined) onward.add(j);
      }
      if (a === ANY) {
        onward.add(j);
        if (b !== undefined) reached.add(j + 1);
      } else if (a !== undefined && b !== undefined && segmentsMeet(a, b)) onward.add(j + 1);
    }
    reached = onward;
  }
  return false;
}

function segmentsMeet(one: string, other: string): boolean {
  if (!isPattern(one) && !isPattern(other)) return one === other;
  if (one.length > MOST_COMPARED || other.length > MOST_COMPARED) return true;
  const [a, b] = [simple(one), simple(other)];
  let reached = new Set([0]);
  for (let i = 0; i <= a.length; i += 1) {
    const onward = new Set<number>();
    for (let j = 0; j <= b.length; j += 1) {
      if (!reached.has(j)) continue;
      const [x, y] = [a[i], b[j]];
      if (x === undefined && y === undefined) return true;
      if (y === '*') {
        reached.add(j + 1);
        if (x !== undefined) onward.add(j);
      }
      if (x === '*') {
        onward.add(j);
        if (y !== undefined) reached.add(j + 1);
      } else if (x !== undefined && y !== undefined && (x === y || x === '?' || y === '?')) onward.add(j + 1);
    }
    reached = onward;
  }
  return false;
}

function isPattern(segment: string): boolean {
  return /[*?[\]{}()!]/.test(segment);
}

/** A segment in which classes and alternatives are `*`. */
function simple(segment: string): string {
  const open = segment.search(/[[\]{}()!]/);
  const [start, end] = [open, Math.max(...[']', '}', ')'].map((close) => segment.lastIndexOf(close)))];
  if (open === -1) return segment;
  return `${segment.slice(0, start)}*${end > start ? segment.slice(end + 1) : ''}`;
}

const MOST_LENGTH = 300;

/** Returns a path, glob or area as goals keep it; null for one that is empty, too long, or not below the repository. */
export function readTouch(text: string): string | null {
  const touch = text.trim().replaceAll('\\', '/');
  const area = /^area:\s*(\S.*)$/.exec(touch);
  if (touch.length > MOST_LENGTH || /[\p{Cc}\u2028\u2029]/u.test(touch)) return null;
  if (area !== null) return `area:${area[1] ?? ''}`;
  const path = withoutSlashes(touch.replace(/^(?:\.\/)+/, ''));
  const isOutside = path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.split('/').includes('..');
  return path === '' || isOutside ? null : path;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Returns the node of an architectural graph that somebody names with what a goal touches: its first area. */
export function nodeNamedBy(touches: readonly string[] | undefined): { readonly graph_node_id?: string } {
  const area = touches?.find((touch) => touch.startsWith('area:'));
  return area === undefined ? {} : { graph_node_id: area.slice('area:'.length) };
}

/** Returns what a goal is likely to change; the node of an architectural graph that it belongs to is an area. */
export function touchesOf({
  touches = [],
  graph_node_id: node,
}: Pick<Goal, 'touches' | 'graph_node_id'>): readonly string[] {
  return node === null || touches.includes(`area:${node}`) ? touches : [...touches, `area:${node}`];
}

/** Returns the goals that somebody holds at a moment, by what they touch; null where none of them says. */
export function claimedTouches(goals: readonly NumberedGoal[], moment: string): TouchIndex<string> | null {
  let index: TouchIndex<string> | null = null;
  for (const { goal } of goals) {
    const touches = touchesOf(goal);
    if (touches.length > 0 && liveClaim(goal, moment) !== null)
      (index ??= createTouchIndex()).add(touches, goal.id);
  }
  return index;
}

/**
 * Splits a wave so that goals of one part overlap in nothing that they touch.
 * @param goals those to begin with first come first
 */
export function splitByTouches<Each extends { readonly goal: Pick<Goal, 'touches' | 'graph_node_id'> }>(
  goals: readonly Each[],
): readonly (readonly Each[])[] {
  const parts: Each[][] = [[]];
  const slots = new Map<string, { last: number }>();
  const index = createTouchIndex<{ last: number }>();
  for (const each of goals) {
    const touches = touchesOf(each.goal);
    const before = touches.length === 0 ? [] : [...index.overlapping(touches)];
    const part = before.reduce((most, { last }) => Math.max(most, last + 1), 0);
    for (const touch of touches) {
      const slot = slots.get(touch) ?? { last: part };
      slot.last = part;
      if (!slots.has(touch)) index.add([touch], slot);
      slots.set(touch, slot);
    }
    (parts[part] ??= []).push(each);
  }
  return parts.filter((part) => part.length > 0);
}
