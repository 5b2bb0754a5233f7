import { applyMethod, featureSlotOf, takesWith, toolsGoal } from './apply-method.js';
import { splitClauses } from './clauses/clauses.js';
import { headOf, leadingVerb, normalPhrase, readGoal } from './clauses/goal-words.js';
import { expandGroups } from './clauses/word-groups.js';
import { readConditions } from './requirements/conditions.js';
import { keepAll } from './requirements/keep-all.js';
import { splitQualities, type About } from './requirements/left-over.js';
import { withoutBullets, withPlainList } from './requirements/plain-lists.js';
import type { Division, Planned } from './division.js';
import { isAmbiguous, readParts, type GoalParts } from './goal-parts.js';
import { gather } from './grouping.js';
import { matchMethod, type Method } from './methods.js';
import { opensAddress, readRequest } from './requests/read-request.js';

/** How many sub-goals a method may give before a list among them becomes one. */
const MAX_SUB_GOALS = 7;

const MAKING = phrases([
  '~add',
  'improve',
  'extend',
  'expand',
  'enhance',
  'equip',
  'redesign',
  'rework',
  'relaunch',
  'modernise',
  'update',
  'launch',
  'deploy',
  'host',
  'release',
  'ship',
  'refactor',
  'rebuild',
  'restructure',
]);
/** Verbs that say nothing beyond what is added. */
const EXTENDING = phrases(['extend', 'expand', 'enhance', 'equip']);
const SOFTWARE = phrases([
  '~software',
  'extension',
  'backend',
  'landing page',
  'page',
  'simulator',
  'editor',
  'platform',
]);

function phrases(words: readonly string[]): ReadonlySet<string> {
  return new Set(expandGroups(words).map((word) => normalPhrase(word).join(' ')));
}

/**
 * Whether a goal is not to be divided, as it is a browser request all of which is understood; its clauses are
 * steps, not goals.
 */
export function isRequest(description: string, methods: readonly Method[]): boolean {
  return opensAddress(description, methods) && readRequest(description, methods).problems.length === 0;
}

/** Divides a goal once, into at most `most` sub-goals as far as its own words give them; null when nothing fits. */
export function divideOnce(asked: string, methods: readonly Method[], most: number): Division | null {
  if (isRequest(asked, methods)) return null;
  const description = withoutBullets(asked);
  const clauses = splitClauses(description);
  const partsOfOne = clauses === null ? undefined : leadOfParts(clauses.parts);
  // "Build a website: menu, opening hours" is one website; a method knows what goes into it.
  const isOne = partsOfOne !== undefined && matchMethod(partsOfOne, methods)?.method.steps === undefined;
  const whole = clauses === null || isOne ? divideByMethod(description, methods, most) : null;
  if (clauses === null || whole !== null) return whole;
  return {
    reasoning: `The goal names ${clauses.parts.length} goals.`,
    subGoals: gather(
      clauses.parts.map((part) => ({ ...part, expandable: !isAmbiguousAddition(part.description) })),
      most,
    ),
    method: null,
  };
}

/** What stands before the colon in each of some parts, when it names one thing: "Build a website". */
function leadOfParts(parts: readonly { readonly description: string }[]): string | undefined {
  const lead = /^([^:]+[^:s]): /.exec(parts[0]?.description ?? '')?.[1];
  return lead !== undefined && parts.every(({ description }) => description.startsWith(`${lead}: `))
    ? lead
    : undefined;
}

/** What was added to a thing and may be one feature or two is left as it was said. */
function isAmbiguousAddition(description: string): boolean {
  return description.startsWith('Add ') && isAmbiguous(description);
}

function divideByMethod(goal: string, methods: readonly Method[], most: number): Division | null {
  const { text, conditions } = readConditions(goal);
  const description = isMaking(text) ? withPlainList(text) : text;
  const asked = readParts(description);
  const match = matchMethod(description, methods) ?? matchMethod(asked.core, methods);
  const method = match?.method;
  if (method?.steps !== undefined || asked.unclear) return null;
  const qualities = method === undefined ? undefined : splitQualities(text);
  if (qualities !== undefined) return divideByQualities(qualities, conditions);
  const division = divideParts({ goal, description, conditions, asked, method }, most);
  if (division === null) return null;
  const about: About = {
    thing: asked.thing,
    isMade: isMaking(description),
    known: method === undefined ? [] : recognisingWords(method),
  };
  return keepAll({ goal, text, conditions, about }, division, most);
}

interface Reading {
  /** As it was given. */
  readonly goal: string;
  readonly description: string;
  readonly conditions: readonly string[];
  readonly asked: GoalParts;
  readonly method: Method | undefined;
}

/** By the method, or into the thing and what it is to have. */
function divideParts(reading: Reading, most: number): Division | null {
  const { goal, description, asked, conditions, method } = reading;
  const isWhole = !isMaking(description) || (method !== undefined && takesWith(method));
  const parts = isWhole ? withoutLists(asked, description) : asked;
  const apart = mayPart(description, parts, method);
  const partFrom = (): Division | null =>
    partFromThing(goal, { ...parts, core: [parts.core, ...conditions].join(' ') }, most);
  if (method === undefined) return apart ? partFrom() : null;
  const room = Math.min(most, MAX_SUB_GOALS);
  const own = applyMethod(method, parts, conditions, room);
  const hasPlace = featureSlotOf(method) !== undefined || countOf(parts) === 0;
  const isTooLong = own.length > room && parts.tools.length > 0;
  if ((apart && !hasPlace) || isTooLong || (apart && own.length > room)) return partFrom();
  return areDistinct([goal, ...own.map((subGoal) => subGoal.description)])
    ? { reasoning: `Method ${method.name}: ${method.reasoning}`, subGoals: own, method: method.name }
    : null;
}

function divideByQualities(qualities: readonly string[], conditions: readonly string[]): Division {
  const goals = qualities.map((quality) => [quality, ...conditions].join(' '));
  return {
    reasoning: `The goal names ${goals.length} qualities.`,
    subGoals: goals.map((description) => ({ description, expandable: true, dependsOn: [] })),
    method: null,
  };
}

/** The words by which a method recognises a goal. */
function recognisingWords({ patterns }: Method): readonly string[] {
  return patterns.flatMap(({ verbs, object, anywhere }) =>
    [verbs, ...object, ...anywhere].flatMap((group) => group.map((words) => words.join(' '))),
  );
}

function withoutLists(parts: GoalParts, description: string): GoalParts {
  return { ...parts, core: readGoal(description).text, features: [], tools: [], items: [] };
}

function countOf({ features, abilities }: GoalParts): number {
  return features.length + abilities.length;
}

/** Whether what a goal asks for besides the thing can be told from it as goals of their own. */
function mayPart(description: string, parts: GoalParts, method: Method | undefined): boolean {
  if (parts.thing === '' || countOf(parts) + parts.tools.length === 0 || !isMaking(description)) return false;
  return countOf(parts) > 0 && (method !== undefined || isSoftware(parts.thing));
}

function isMaking(description: string): boolean {
  return isVerbOf(MAKING, description);
}

function isVerbOf(verbs: ReadonlySet<string>, description: string): boolean {
  const goal = readGoal(description);
  const words = [leadingVerb(goal), ...goal.words.slice(1, 4).map(({ normal }) => normal)];
  return [1, 2, 3, 4].some((count) => verbs.has(words.slice(0, count).join(' ')));
}

function isSoftware(thing: string): boolean {
  const words = normalPhrase(thing);
  return [words.at(-1), words[headOf(words)]].some((word) => word !== undefined && SOFTWARE.has(word));
}

/** The thing first, then what it is to have: "Build a bot", "Add polls to the bot". */
function partFromThing(description: string, parts: GoalParts, most: number): Division | null {
  const { core, thing, features, abilities } = parts;
  const tools = toolsGoal(parts);
  const before: Planned[] =
    tools === undefined ? [] : [{ description: tools, expandable: false, dependsOn: [] }];
  const isCoreNeeded = !isVerbOf(EXTENDING, description);
  const first = before.length + 1;
  if (isCoreNeeded)
    before.push({ description: core, expandable: true, dependsOn: tools === undefined ? [] : [1] });
  const more = [...features.map((feature) => `Add ${feature} to ${thing}`), ...abilities];
  const additions = gather(
    more.map((text) => ({ description: text, expandable: !isAmbiguousAddition(text), dependsOn: [] })),
    most - before.length,
  ).map((planned) => ({ ...planned, dependsOn: isCoreNeeded ? [first] : [] }));
  const subGoals = [...before, ...additions];
  const all = [description, ...subGoals.map((subGoal) => subGoal.description)];
  if (subGoals.length < 2 || !areDistinct(all)) return null;
  return { reasoning: `The goal names ${thing} and what it is to have.`, subGoals, method: null };
}

function areDistinct(descriptions: readonly string[]): boolean {
  return new Set(descriptions.map((text) => normalPhrase(text).join(' '))).size === descriptions.length;
}
