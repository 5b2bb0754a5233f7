import type { Planned } from './division.js';
import { isAmbiguous, type GoalParts } from './goal-parts.js';
import { nameAll } from './grouping.js';

/** Steps that try, show, watch or give away what was made: whatever it does and has is made before them. */
const ENDING =
  /^(?:test|try|tag|document|schedule|set up packaging|add (?:the )?(?:checks|tests)|cover|check|compare|watch|measure|publish|package|put|host|deploy|release|submit|ship|write (?:contract|end-to-end|tests|the (?:store|page))|replay|announce|install|evaluate|serve|monitor|study|prepare the store|move people|report limits|judge|alert|offer it|run it|open\b(?! a)|polish|have (?:a|somebody|people))\b/i;

/** Where the steps begin that come after all that the thing does and has; the last one is always among them. */
function endOfMaking(steps: readonly Planned[]): number {
  let at = steps.length - 1;
  while (at > 1 && ENDING.test(steps[at - 1]?.description ?? '')) at -= 1;
  return at;
}

/** Some steps with one for what the thing is to do, "Write the part of the bot that plays music". */
export function withDeed(
  steps: readonly Planned[],
  { thing, clause }: GoalParts,
  room: number,
): readonly Planned[] {
  const description = `Write the part of ${thing} ${clause}`;
  const isAddition = (step?: Planned): boolean =>
    step?.description.startsWith('Add ') === true && step.description.includes(thing);
  let at = endOfMaking(steps);
  while (at > 1 && isAddition(steps[at - 1])) at -= 1;
  return insert(steps, at, [{ description, expandable: false, dependsOn: [] }], room);
}

/** Some steps with what the thing is to have: one for each, or one for all where there is no room. */
export function withFeatures(
  steps: readonly Planned[],
  features: readonly string[],
  { thing }: GoalParts,
  room: number,
): readonly Planned[] {
  const each = features.map((feature) => `Add ${feature} to ${thing}`);
  const texts =
    steps.length + each.length <= room || each.length === 1
      ? each
      : [nameAll(each.map((description) => ({ description, dependsOn: [] })))];
  const added = texts.map((description) => ({
    description,
    expandable: texts.length < each.length || !isAmbiguous(description),
    dependsOn: [],
  }));
  return insert(steps, endOfMaking(steps), added, room);
}

/** Behind the steps that make the thing and before those that try it; where there is no room, the last steps are one. */
function insert(
  steps: readonly Planned[],
  at: number,
  added: readonly Planned[],
  room: number,
): readonly Planned[] {
  const before = steps.slice(0, at);
  const awaited = new Set(before.flatMap(({ dependsOn }) => dependsOn));
  const unawaited = before.flatMap((_, index) => (awaited.has(index + 1) ? [] : [index + 1]));
  const own = added.map((step) => ({ ...step, dependsOn: unawaited }));
  const numbers = own.map((_, index) => at + index + 1);
  const after = steps.slice(at).map((step) => ({
    ...step,
    dependsOn: step.dependsOn.some((number) => number > at)
      ? step.dependsOn.map((number) => (number > at ? number + own.length : number))
      : [...step.dependsOn, ...numbers],
  }));
  return joinLast([...before, ...own, ...after], room);
}

/** At most `room` steps: two that follow each other are one as long as there are more, the last that are no work to be divided. */
export function joinLast(steps: readonly Planned[], room: number): readonly Planned[] {
  if (steps.length <= Math.max(room, 2)) return steps;
  const isPlain = (index: number): boolean => steps[index]?.expandable === false;
  const pairs = steps.slice(1).flatMap((_, index) => (isPlain(index) && isPlain(index + 1) ? [index] : []));
  const at = pairs.at(-1) ?? steps.length - 2;
  const [first, second] = steps.slice(at, at + 2);
  if (first === undefined || second === undefined) return steps;
  const inner = second.dependsOn.filter((number) => number !== at + 1);
  const joined = {
    description: `${first.description}, and then ${second.description.charAt(0).toLowerCase()}${second.description.slice(1)}`,
    expandable: false,
    dependsOn: [...new Set([...first.dependsOn, ...inner])].sort((a, b) => a - b),
  };
  const after = steps.slice(at + 2).map((step) => ({
    ...step,
    dependsOn: [...new Set(step.dependsOn.map((number) => (number > at + 1 ? number - 1 : number)))],
  }));
  return joinLast([...steps.slice(0, at), joined, ...after], room);
}
