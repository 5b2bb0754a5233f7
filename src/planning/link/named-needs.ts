import { rangeOf, saidNeeds, spanned } from '../../kernel/text/said-needs.js';
import { changeDependencies, type DependencyChange } from '../../plan/apply/dependencies.js';
import { inQuotes } from '../../plan/goal-in-words.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';

const NUMBER = String.raw`(?:#\d{1,9}|[A-Z][A-Z\d]{0,9}-?\d{1,6}(?:[.-]\d{1,6}){0,4}[a-z]?|(?:task|feature|epic|requirement) \d{1,4}(?:\.\d{1,4}){0,4})`;
const ID = String.raw`${NUMBER}(?![\w-])`;
const ONES = String.raw`[[\`]?${rangeOf(NUMBER)}[\]\`]?`;
/** "Depends on FEAT-201 and FEAT-202", "Blocked by: #12–#14", "Dependencies: T001, T002". */
const NEEDS = new RegExp(
  String.raw`\b(?:depends? on|dependent on|blocked by|requires|prerequisites?|dependenc(?:y|ies)|needs?|wait(?:s|ing)? (?:for|on)|after)[ \t*_:]{1,8}(${ONES}(?:(?: ?[,;/+&])? ?(?:and )?${ONES}){0,50})`,
  'gi',
);
/** What a row says of rows by their bare numbers: "Depends on: 1, 2". */
const ROWS =
  /^(?:depends on|dependenc(?:y|ies)|blocked by|requires|needs|waits for|prerequisites?|after): (\d{1,6}(?:, ?\d{1,6}){0,50})$/gim;
const IDS = new RegExp(rangeOf(NUMBER), 'gi');
const ENDS = new RegExp(NUMBER, 'gi');
/** A number that a name begins with, which is no tag: "PROJ-12: Jars". */
const OWN = new RegExp(String.raw`^\[?(${ID})\]?(?=[:.)\s–—])`, 'i');
/** So many texts are left out for a cycle before no more are tried. */
const MOST_CYCLES = 100;

/**
 * Returns what goals of a document wait for by its own words: each number that a goal names, which one other goal bears and none
 * of those around it. What would close a cycle is left out.
 * @param tell is told in words what is not waited for
 */
export function namedNeeds(
  plan: Plan,
  at: string,
  tell: (words: string) => void,
): readonly DependencyChange[] {
  const bearers = new Map<string, Goal | null>();
  for (const goal of plan.goals.values())
    for (const id of new Set(numbersOf(goal).map(plainId))) bearers.set(id, bearers.has(id) ? null : goal);
  const kinds = new Set([...bearers.keys()].map(kindOfId));
  const found = new Map<string, DependencyChange>();
  for (const goal of plan.goals.values()) {
    if (goal.status === 'complete' || goal.parent_id === null) continue;
    const said = new Set(needsIn(goal).flatMap((list) => idsOf(bearers, list)));
    const needs = [...said].flatMap((id) => bearers.get(plainId(id)) ?? []);
    for (const id of said)
      if (!bearers.has(plainId(id)) && kinds.has(kindOfId(plainId(id))))
        tell(`${inQuotes(goal.description)} does not wait for ${id}, which does not exist`);
    const add = needs.filter((need) => !goal.dependencies.includes(need.id) && areApart(plan, goal, need));
    if (add.length > 0)
      found.set(goal.id, { goal: goal.id, add: [...new Set(add.map(({ id }) => id))], remove: [] });
  }
  for (let tries = 0; found.size > 0 && tries < MOST_CYCLES; tries += 1) {
    const verdict = changeDependencies(plan, [...found.values()], at);
    if (verdict.kind !== 'refused') return [...found.values()];
    const cycle = verdict.refusal.code === 'cycle' ? verdict.refusal.goals : [];
    const left = cycle.filter((id) => found.delete(id));
    const names = left.flatMap((id) => plan.goals.get(id)?.description ?? []).map(inQuotes);
    if (left.length > 0)
      tell(
        `${names.join(' and ')} would wait for ${left.length > 1 ? 'each other' : 'itself'} in a circle, and ${left.length > 1 ? 'do' : 'does'} not wait`,
      );
    if (left.length === 0) return [];
  }
  return [];
}

function numbersOf({ tags = [], description }: Goal): readonly string[] {
  const [, own] = OWN.exec(description) ?? [];
  return own === undefined ? tags : [...tags, own];
}

/** Whether a goal says that it waits for something with a number. */
export function namesNeeds({ description, detail = '' }: Pick<Goal, 'description' | 'detail'>): boolean {
  return `${description}\n${detail}`.search(NEEDS) >= 0 || detail.search(ROWS) >= 0;
}

function needsIn({ description, detail = '' }: Goal): readonly string[] {
  const rows = [...detail.matchAll(ROWS)].flatMap(([, list = '']) => list.match(/\d+/g) ?? []);
  return [...saidNeeds(`${description}\n${detail}`, NEEDS).flatMap((list) => list.match(IDS) ?? []), ...rows];
}

/** A number, or those from the first to the last of a range. */
function idsOf(bearers: ReadonlyMap<string, Goal | null>, said: string): readonly string[] {
  return bearers.has(plainId(said)) ? [said] : (spanned(said) ?? said.match(ENDS) ?? [said]);
}

/** What stands before the digits of a number. */
function kindOfId(id: string): string {
  return id.replace(/\d.*/, '');
}

/** "US-1" and "US1" are one number. */
function plainId(id: string): string {
  return id.toLowerCase().replaceAll(/[\s#-]/g, '');
}

function areApart(plan: Plan, goal: Goal, other: Goal): boolean {
  return goal !== other && !ancestors(plan, goal).includes(other) && !ancestors(plan, other).includes(goal);
}
