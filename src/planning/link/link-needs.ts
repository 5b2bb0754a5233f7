import { DECIMAL } from './link-reply.js';
import type { LinkReply } from './link-reply.js';

/** What each goal that has an entry needs, by ids, and how many names mean none of the goals that were asked about. */
export interface ReadNeeds {
  readonly needs: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unknown: number;
}

/** A number, in brackets or not, perhaps with the goal's words behind it; with more digits there it may name several goals. */
const NUMBER = /^[[~]?(\d+(?:\.\d+)*)\]?[.:)]?(?:\s\D*)?$/;

/**
 * Returns the id of the goal that an answer means by a number; undefined where it means none, or
 * where a number with a point may mean two, as 1.1 does where there is a goal 1.10.
 */
export function goalNamed(name: string, goals: ReadonlyMap<string, string>): string | undefined {
  const number = numberNamed(name);
  return name.startsWith(DECIMAL) && goals.has(`${number}0`) ? undefined : goals.get(number);
}

function numberNamed(name: string): string {
  const text = name.trim();
  return NUMBER.exec(text)?.[1] ?? text;
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
