import { contentStems } from '../../../kernel/text/content-stems.js';
import type { Division, Planned } from '../division.js';
import { gather } from '../grouping.js';
import { asAsked, leftOver, type About } from './left-over.js';

/** A goal that was divided. */
interface Divided {
  /** As it was given. */
  readonly goal: string;
  /** Without its conditions. */
  readonly text: string;
  readonly conditions: readonly string[];
  readonly about: About;
}

/**
 * A division that names all that its goal asks for. What it leaves out becomes goals beside the rest of the goal, a check at the
 * end, or what must hold for its last sub-goal; null where none of these can be said.
 */
export function keepAll(divided: Divided, division: Division, most: number): Division | null {
  const { goal, text, conditions, about } = divided;
  const named = withConditions(
    division.subGoals,
    conditions.filter((each) => !isNamed(each, division)).map(asAsked),
  );
  const { goals, rest, checks, conditions: others } = leftOver(text, named, about);
  if (goals.length > 0) return besideRest(goal, { rest: [rest, ...conditions].join(' '), goals }, most);
  const hasRoom = named.length + checks.length <= most;
  const subGoals = hasRoom ? withChecks(named, checks) : named;
  return {
    ...division,
    subGoals: withConditions(subGoals, hasRoom ? others : [...checks.map(asAsked), ...others]),
  };
}

/** Whether the division has a condition in the words of a sub-goal. */
function isNamed(condition: string, { subGoals }: Division): boolean {
  const wanted = contentStems(condition);
  return subGoals.some(({ description }) => {
    const said = new Set(contentStems(description));
    return wanted.length > 0 && wanted.every((stem) => said.has(stem));
  });
}

function besideRest(
  goal: string,
  { rest, goals }: { readonly rest: string; readonly goals: readonly string[] },
  most: number,
): Division | null {
  if (rest === '' || rest.length >= goal.length || goals.includes(rest)) return null;
  const core: Planned = { description: rest, expandable: true, dependsOn: [] };
  const additions = gather(
    goals.map((description) => ({ description, expandable: true, dependsOn: [] })),
    most - 1,
  ).map((planned) => ({ ...planned, dependsOn: [1] }));
  return {
    reasoning: 'The goal asks for more than one thing.',
    subGoals: [core, ...additions],
    method: null,
  };
}

/** The checks come last: each waits for all that nothing else waits for. */
function withChecks(subGoals: readonly Planned[], checks: readonly string[]): readonly Planned[] {
  const awaited = new Set(subGoals.flatMap(({ dependsOn }) => dependsOn));
  const dependsOn = subGoals.map((_, index) => index + 1).filter((number) => !awaited.has(number));
  return [
    ...subGoals,
    ...checks.map((check) => ({ description: `Make sure that ${check}`, expandable: false, dependsOn })),
  ];
}

/** What must hold in the end must hold for the last sub-goal. */
function withConditions(subGoals: readonly Planned[], conditions: readonly string[]): readonly Planned[] {
  const last = subGoals.at(-1);
  if (last === undefined || conditions.length === 0) return subGoals;
  const acceptance = [...(last.acceptance ?? []), ...conditions];
  return [...subGoals.slice(0, -1), { ...last, acceptance }];
}
