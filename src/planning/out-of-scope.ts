import type { Goal } from '../plan/schema.js';
import { contentStems } from '../kernel/text/content-stems.js';
import { outOfScopeTexts } from '../plan/goal-in-words.js';

/** Share of the words of a non-goal that a sub-goal must have to look like it. */
const ALIKE = 0.75;

/**
 * What a proposed sub-goal plans although the document says that it must not be: the first non-goal, of the goal or of one
 * above it, nearly all of whose words the sub-goal has. Null when it has none.
 */
export function plansOutOfScope(description: string, goals: readonly Goal[]): string | null {
  const said = new Set(contentStems(description));
  const found = outOfScopeTexts(goals).find((text) => {
    const stems = [...new Set(contentStems(text))];
    return stems.length > 1 && stems.filter((stem) => said.has(stem)).length >= stems.length * ALIKE;
  });
  return found ?? null;
}
