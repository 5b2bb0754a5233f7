import { applyMethod, featureSlotOf, takesWith, toolsGoal } from './apply-method.js';
import { splitClauses, tellsSteps, type Clauses } from './clauses/clauses.js';
import { headOf, leadingVerb, normalPhrase, readGoal } from './clauses/goal-words.js';
import { expandGroups } from './clauses/word-groups.js';
import { phraseOf } from '../../planning/documents/english/phrase.js';
import { isExclusion, readConditions } from './requirements/conditions.js';
import { keepAll, lostWords } from './requirements/keep-all.js';
import { doesForbidden, forbidsPart, undoesWork } from './requirements/prohibitions.js';
import { ordersIn, splitRemark, withoutStatements } from './requirements/remarks.js';
import { remarkBelow, withoutBullets, withPlainList } from './requirements/plain-lists.js';
import { joinLast, withDeed, withFeatures } from './deeds.js';
import type { Division, Planned } from './division.js';
import { isAmbiguous, readParts, type GoalParts } from './goal-parts.js';
import { isNamedIn, isSameWork, repeats, withPublishing } from './doubling.js';
import { gather } from './grouping.js';
import { matchMethod, type Method } from './methods.js';
import { opensAddress, readRequest } from './requests/read-request.js';

/** How many sub-goals a method may give before a list among them becomes one. */
const MAX_SUB_GOALS = 7;

/** A goal of which more words stand in no step of a method asks for something else. */
const MOST_LOST = 3;

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
/** What is listed comes before these, not behind them. */
const RELEASING = phrases(['launch', 'relaunch', 'deploy', 'host', 'release', 'ship', 'publish']);
const REPLACING = phrases(['replace', 'swap', 'exchange', 'combine', 'merge', 'compare']);
const SOFTWARE = phrases([
  'crate',
  'gem',
  'sdk',
  'add-on',
  'board',
  'tracker',
  'planner',
  'calculator',
  'generator',
  'viewer',
  'forum',
  'marketplace',
  'wiki',

  '~software',
  'extension',
  'backend',
  'landing page',
  'page',
  'panel',
  'scraper',
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
  const remark = remarkBelow(asked);
  const division = divideText(
    withoutBullets(asked.slice(0, asked.length - remark.length).trim()),
    methods,
    most,
  );
  if (division === null || remark === '') return division;
  return { ...division, subGoals: keepAll(remark, [], [], division.subGoals) };
}

function divideText(description: string, methods: readonly Method[], most: number): Division | null {
  const clauses = splitClauses(description);
  const partsOfOne = clauses === null ? undefined : leadOfParts(clauses.parts);
  const ofOne = partsOfOne === undefined ? null : matchMethod(partsOfOne, methods);
  // "Build a website: menu, opening hours" is one website; a method knows what goes into it.
  const isOne = partsOfOne !== undefined && ofOne?.method.steps === undefined;
  // Whoever tells the steps is not told others.
  const isTold = clauses === null && tellsSteps(description);
  const whole = (clauses === null || isOne) && !isTold ? divideByMethod(description, methods, most) : null;
  if (whole !== null || (isOne && ofOne !== null)) return whole;
  if (clauses !== null) return divideParts(clauses, methods, most);
  // "A and B by the end of March": the day is said of both, and "without plastic" of all.
  const { text, conditions } = readConditions(description);
  const parts = conditions.length === 0 ? null : splitClauses(text);
  if (parts === null) return null;
  const division = divideParts(parts, methods, most);
  // Whoever does one of them is to know; of those that follow each other the last ends it.
  const isSequence = division.subGoals.some(({ dependsOn }) => dependsOn.length > 0);
  const subGoals = isSequence
    ? keepAll('', conditions, [], division.subGoals)
    : division.subGoals.flatMap((subGoal) => keepAll('', conditions, [], [subGoal]));
  return { ...division, subGoals };
}

/** Divides a goal into the goals that it names. */
function divideParts(clauses: Clauses, methods: readonly Method[], most: number): Division {
  const texts = clauses.parts.map((part) => part.description);
  const own = texts.map((text) => divideByMethod(text, methods, most));
  const one = texts.length === 2 ? withPublishing(own[0] ?? null, texts[1] ?? '') : null;
  if (one !== null) return one;
  const isAwaited = texts.map((_, index) =>
    clauses.parts.some(({ dependsOn }) => dependsOn.includes(index + 1)),
  );
  const isOneWork = texts.map(
    (_, index) =>
      repeats(own[index] ?? null, texts, index) ||
      isSameWork(own, texts, index) ||
      (isAwaited[index] === true && hasAfterCare(own[index] ?? null)),
  );
  return {
    reasoning: `The goal names ${texts.length} goals.`,
    subGoals: gather(
      clauses.parts.map((part, index) => ({
        ...part,
        expandable: isOneWork[index] !== true && !isAmbiguousAddition(part.description),
      })),
      most,
    ),
    method: null,
  };
}

const AFTER_CARE =
  /\b(?:after|for) (?:a|some|two|three|four|six|eight) (?:days?|weeks?|months?)\b|\b(?:every|each) (?:day|week|month)\b/i;

/** Whether the steps of a part go on after its work, as "look again after a month" does: the next part is not to wait for that. */
function hasAfterCare(division: Division | null): boolean {
  return AFTER_CARE.test(division?.method == null ? '' : (division.subGoals.at(-1)?.description ?? ''));
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
  if (forbidsPart(goal)) return null;
  const read = readConditions(goal);
  const listed = isMaking(read.text) ? withPlainList(read.text) : read.text;
  const found =
    matchMethod(listed, methods) ?? (isMaking(listed) ? matchMethod(readParts(listed).core, methods) : null);
  // "The page loads in 6 seconds" is no deadline.
  const isCondition = read.conditions.length === 0 || read.conditions.some(isExclusion);
  const match = found ?? (isCondition ? null : matchMethod(goal, methods));
  if (match === null) return divideThing(goal, readParts(listed), read.conditions, most);
  const { text, conditions } = found === null ? { text: goal, conditions: [] } : read;
  const { method, wording } = match;
  if (method.steps !== undefined || (method.builtIn && undoesWork(goal))) return null;
  const asked = withPurpose(readParts(wording), wording, conditions);
  const parts = isMaking(wording) && !takesWith(method) ? asked : withoutLists(asked, wording);
  const room = Math.min(most, MAX_SUB_GOALS);
  const known = recognisingWords(method);
  const applied = applyMethod(method, parts, { goal, conditions }, room, methods);
  const isDeedLost = isMadeToDo(wording, asked) && lostWords(asked.clause, [], applied).length > 0;
  const doing = isDeedLost ? withDeed(applied, asked, room) : applied;
  const own = isVerbOf(RELEASING, wording) ? doing : withAsked(doing, method, parts, room);
  if (method.builtIn && isOther(text, listed, known, own)) return null;
  const steps = own.map(({ description }) => description);
  if (doesForbidden(goal, steps)) return null;
  if (!areDistinct([goal, ...steps])) return null;
  return {
    reasoning: `Method ${method.name}: ${method.reasoning}`,
    subGoals: keepAll(text, conditions, known, own, readGoal(goal).text),
    method: method.name,
  };
}

/** Whether a goal asks for something else than a method gives: of what it lists one stands in no step, or too many of its words do. */
function isOther(text: string, listed: string, known: readonly string[], steps: readonly Planned[]): boolean {
  const isLost = (item: string): boolean => {
    const words = lostWords(item, [], []);
    return words.length > 0 && lostWords(item, known, steps).length === words.length;
  };
  const isMostlyLost = (clause: string): boolean =>
    2 * lostWords(clause, known, steps).length > lostWords(clause, [], []).length;
  // "Replace Redux with Zustand" lists nothing.
  const items = REPLACING.has(leadingVerb(readGoal(listed))) ? [] : readParts(withPlainList(listed)).items;
  // "and quit my job" is a second thing to do.
  const { main, remark } = splitRemark(text);
  const { mask } = phraseOf(main);
  const at = Math.max(mask.lastIndexOf(' and '), mask.lastIndexOf(' & '));
  const second = at < 0 || /[,;.!?]/.test(mask.slice(at)) ? '' : mask.slice(at);
  if (isMaking(text) && isLost(readParts(text).clause)) return true;
  if (items.some(isLost) || (lostWords(second, [], []).length > 1 && isLost(second))) return true;
  // What is said behind the main clause does not change what kind of thing it is, unless it is more to do.
  return ordersIn(remark).some(isMostlyLost) || lostWords(main, known, steps).length > MOST_LOST;
}

/** The parts of a goal with what it is for, where that is said as a reason: "so that neighbours can lend tools". */
function withPurpose(parts: GoalParts, goal: string, conditions: readonly string[]): GoalParts {
  const purpose = conditions.find((words) =>
    /^so\s(?!(?:that\s)?(?:we|i|it)\s).*\s(?:can|could|may)\s/i.test(words),
  );
  return purpose === undefined || !isMadeToDo(goal, { ...parts, clause: purpose }) || parts.clause !== ''
    ? parts
    : { ...parts, clause: purpose };
}

/** Whether a goal makes software and says what it is to do. */
function isMadeToDo(goal: string, { thing, clause }: GoalParts): boolean {
  // What a dashboard shows is all of it.
  const isAll = /^(?:showing|displaying|listing|(?:that|which) (?:shows?|displays?|lists?))\s/i.test(clause);
  return clause !== '' && !isAll && isMaking(goal) && isSoftware(thing);
}

/** The steps of a method with what the thing is to have besides, where the method has no place of its own for it. */
function withAsked(
  steps: readonly Planned[],
  method: Method,
  parts: GoalParts,
  room: number,
): readonly Planned[] {
  const { features, thing, isThing } = parts;
  if (features.length === 0) return joinLast(steps, MAX_SUB_GOALS);
  if (featureSlotOf(method) !== undefined) return joinLast(steps, room);
  // "Add subscriptions with plans and a trial": the method has them where they belong.
  const isWithin = features.some((feature) => isNamedIn(steps, feature));
  const isLacking = (feature: string): boolean =>
    !isWithin || !feature.split(' ').some((word) => isNamedIn(steps, word));
  const lacking = features.filter(isLacking);
  // "with 500 subscribers" says how many.
  const isCount = lacking.some((feature) =>
    /^(?:the\s)?(?:\d|two|three|four|five|six|ten|twelve|several|many)\b/i.test(feature),
  );
  if (lacking.length === 0 || isCount || !isThing || isText(thing)) return steps;
  return withFeatures(steps, lacking, parts, room);
}

/** The words by which a method recognises a goal. */
function recognisingWords({ patterns }: Method): readonly string[] {
  return patterns.flatMap(({ verbs, object, anywhere }) =>
    [verbs, ...object, ...anywhere].flatMap((group) => group.map((words) => words.join(' '))),
  );
}

function withoutLists(parts: GoalParts, description: string): GoalParts {
  return { ...parts, core: readGoal(withoutStatements(description)).text, features: [], tools: [] };
}

/** Into the thing and what it is to have, when the goal makes a thing of software and says nothing else. */
function divideThing(
  goal: string,
  parts: GoalParts,
  conditions: readonly string[],
  most: number,
): Division | null {
  const { thing, features, saysMore } = parts;
  if (thing === '' || features.length === 0 || saysMore || !isMaking(goal)) return null;
  if (isVerbOf(RELEASING, goal)) return null;
  if (!isSoftware(thing)) return null;
  const division = partFromThing(goal, parts, most);
  return division && { ...division, subGoals: keepAll('', conditions, [], division.subGoals) };
}

function isMaking(description: string): boolean {
  return isVerbOf(MAKING, description);
}

function isVerbOf(verbs: ReadonlySet<string>, description: string): boolean {
  const goal = readGoal(description);
  const words = [leadingVerb(goal), ...goal.words.slice(1, 4).map(({ normal }) => normal)];
  return [1, 2, 3, 4].some((count) => verbs.has(words.slice(0, count).join(' ')));
}

/** Things of which a list names the contents, or what is run, and nothing that is added afterwards. */
const TEXTS = phrases([
  'speech',
  'talk',
  'presentation',
  'book',
  'plan',
  'proposal',
  'policy',
  'handbook',
  'newsletter',
  'course',
  'video',
  'doc',
  'documentation',
  'guide',
  'reference',
  'readme',
  'tutorial',
  'manual',
  'article',
  'report',
  'ci',
  'pipeline',
  'test',
]);

function isText(thing: string): boolean {
  const words = normalPhrase(thing);
  return [words.at(-1), words[headOf(words)]].some((word) => word !== undefined && TEXTS.has(word));
}

function isSoftware(thing: string): boolean {
  const words = normalPhrase(thing);
  return [words.at(-1), words[headOf(words)]].some((word) => word !== undefined && SOFTWARE.has(word));
}

/** The thing first, then what it is to have: "Build a bot", "Add polls to the bot". */
function partFromThing(description: string, parts: GoalParts, most: number): Division | null {
  const { core, thing, features } = parts;
  const tools = toolsGoal(parts);
  const before: Planned[] =
    tools === undefined ? [] : [{ description: tools, expandable: false, dependsOn: [] }];
  const isCoreNeeded = !isVerbOf(EXTENDING, description);
  const first = before.length + 1;
  if (isCoreNeeded)
    before.push({ description: core, expandable: true, dependsOn: tools === undefined ? [] : [1] });
  const more = features.map((feature) => `Add ${feature} to ${thing}`);
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
