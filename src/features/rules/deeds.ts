import type { Planned } from './division.js';
import type { GoalParts } from './goal-parts.js';

/** Steps that try, show or give away what was made: what it does is made before them. */
const ENDING =
  /^(?:test|try|tag|document|schedule|set up packaging|add (?:checks|tests)|cover|check|compare|watch|measure|publish|package|put|host|deploy|release|submit|ship|write (?:contract|end-to-end|tests)|replay|announce)\b/i;

/**
 * Some steps with one for what the thing is to do, "Write the part of the bot that plays music": behind those that make it and before
 * those that try it; where there is no room, the last that makes it does that too.
 */
export function withDeed(
  steps: readonly Planned[],
  { thing, clause }: GoalParts,
  room: number,
): readonly Planned[] {
  const ending = steps.findIndex(({ description }, index) => index > 0 && ENDING.test(description));
  const at = ending < 0 ? steps.length : ending;
  const before = steps.slice(0, at);
  const deed = `rite the part of ${thing} ${clause}`;
  const last = before.at(-1);
  if (last !== undefined && steps.length >= room)
    return steps.with(at - 1, { ...last, description: `${last.description}, and w${deed}` });
  const awaited = new Set(before.flatMap(({ dependsOn }) => dependsOn));
  const unawaited = before.flatMap((_, index) => (awaited.has(index + 1) ? [] : [index + 1]));
  const after = steps.slice(at).map((step) => ({
    ...step,
    dependsOn: step.dependsOn.some((number) => number > at)
      ? step.dependsOn.map((number) => (number > at ? number + 1 : number))
      : [...step.dependsOn, at + 1],
  }));
  return [...before, { description: `W${deed}`, expandable: false, dependsOn: unawaited }, ...after];
}
