import * as z from 'zod';

import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { dataOf } from '../data-members.js';
import type { KeptData, KeptTool } from '../data-members.js';

const originalSchema = z.record(z.string(), z.unknown());

/**
 * The fields that a goal had in the tool that it was imported from, by their names there; empty for any other goal. A plan
 * can say anything of them, so only what is data is among them (see {@link DATA_MEMBERS}).
 */
export function originalOf(goal: Goal, tool: KeptTool): Readonly<Record<string, unknown>> {
  return keptOf(goal, tool).data;
}

function keptOf(goal: Goal, tool: KeptTool): KeptData {
  return dataOf(originalSchema.safeParse(goal[`x_${tool}`]).data ?? {}, tool);
}

/** The members that goals of a plan have of a tool and that are no data, which no export writes, by their paths. */
export function leftOutOf(plan: Plan, tool: KeptTool): readonly string[] {
  return [...new Set([...plan.goals.values()].flatMap((goal) => keptOf(goal, tool).leftOut))];
}

/** A text among the original fields; null where there is none. */
export function originalText(original: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = original[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The texts of a list among the original fields. */
export function originalTexts(original: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = original[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Whether the original of a root is no task of its own: it was made for the whole import. */
export function isCollection(root: Goal, tool: KeptTool): boolean {
  return originalOf(root, tool)['collection'] === true;
}

/** The text that a tag keeps for a goal, which is behind `name:`; the first counts. */
export function originalField({ tags = [] }: Goal, name: string): string | null {
  return tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1) ?? null;
}

/**
 * Gives every goal a name of its own: its original one, or else the next that is free. A `next` that says the same again
 * gets a number behind it.
 */
export function originalNamer(taken: Iterable<string>): (had: string | null, next: () => string) => string {
  const given = new Set<string>();
  const reserved = new Set(taken);
  return (had, next) => {
    if (had !== null && !given.has(had)) {
      given.add(had);
      return had;
    }
    let before: string | null = null;
    for (let number = 1; ; number += 1) {
      const wanted = next();
      const name: string = wanted === before ? `${wanted}-${number}` : wanted;
      before = wanted;
      if (given.has(name) || reserved.has(name)) continue;
      given.add(name);
      return name;
    }
  };
}
