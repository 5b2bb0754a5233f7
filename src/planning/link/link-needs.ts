import { goalNamed, numberNamed } from '../goal-numbers.js';
import type { LinkReply } from './link-reply.js';

/** What each goal that has an entry needs, by ids, and how many names mean none of the goals that were asked about. */
export interface ReadNeeds {
  readonly needs: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unknown: number;
}

/**
 * Reads the needs of an answer; no goal needs itself.
 * @param goals ids by number
 * @param takes whether a goal may be named
 */
export function readNeeds(
  reply: LinkReply,
  goals: ReadonlyMap<string, string>,
  takes: (id: string) => boolean = () => true,
): ReadNeeds {
  const needs = new Map<string, Set<string>>();
  const strangers = new Set<string>();
  const idOf = (name: string) => {
    const id = goalNamed(name, goals);
    if (id === undefined) strangers.add(numberNamed(name));
    return id !== undefined && takes(id) ? id : undefined;
  };
  for (const { goal, on } of reply.needs) {
    const id = idOf(goal);
    const needed = on.flatMap((name) => idOf(name) ?? []).filter((other) => other !== id);
    if (id === undefined) continue;
    const known = needs.get(id) ?? new Set();
    for (const other of needed) known.add(other);
    needs.set(id, known);
  }
  return { needs, unknown: strangers.size };
}
