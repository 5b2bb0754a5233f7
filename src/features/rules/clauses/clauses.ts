import { isDeterminer, isPreposition } from '../../../planning/documents/english/lexicon.js';
import { isDoneToBefore, nameAntecedents } from './antecedent.js';
import { appendClauses, clause } from './clause.js';
import type { Clause } from './clause.js';
import { leadInLength } from './goal-words.js';
import { splitItems } from './list-items.js';
import { LIST_SEPARATOR } from './noun-list.js';
import {
  asGoal,
  hasPreposition,
  isClearClause,
  isImperative,
  isOpenEnded,
  phraseOf,
  slicePhrase,
  splitPhrase,
  trimmedPhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';
import { leavesOpen, splitVerbList } from './verb-list.js';

/** A goal as its parts, two or more, in order of work. */
export interface Clauses {
  readonly parts: readonly Clause[];
}

/** A longer text is no sentence; it is left whole. */
const MAX_LENGTH = 4000;

/**
 * Splits a goal that names several, such as "A, B and C", "A, then B", "B after doing A" or "Migrate: A, B and C".
 * Null when the goal is one, or when it may be: a wrong split is worse than none.
 */
export function splitClauses(goal: string): Clauses | null {
  if (goal.length > MAX_LENGTH) return null;
  const whole = trimmedPhrase(phraseOf(goal));
  const phrase = trimmedPhrase(slicePhrase(whole, leadInLength(whole.mask)));
  const areTold = BEGINS_STEPS.test(phraseOf(goal).mask);
  const found =
    splitNumbered(phrase) ??
    splitTold(phrase) ??
    splitColon(phrase) ??
    (isMixedList(phrase) ? undefined : splitSequence(phrase, areTold));
  if (found === undefined || found.length < 2 || found.slice(1).some(isCondition)) return null;
  const parts = nameAntecedents(found);
  const distinct = new Set(parts.map(({ description }) => description.toLowerCase()));
  return distinct.size === parts.length ? { parts } : null;
}

/** What says how something is to be done is no goal: "stay under 2000 euros", "avoid flights", "use React". */
const CONDITION =
  /^(?:\S+ at least \S*\d\S*|stay|avoid|spend|cost|use|exclude|do not|don['’]t|never|budget\s\S*\d|limit (?:it|them)|keep (?:it|them|to|within|under|below|costs?|the (?:budget|costs?)))(?=\s|$)/i;

function isCondition({ description }: Clause): boolean {
  return CONDITION.test(description);
}

/** Returns whether a goal tells of steps that follow each other, whether or not it can be split into them. */
export function tellsSteps(goal: string): boolean {
  if (goal.length > MAX_LENGTH) return false;
  return Array.from(phraseOf(goal).mask.matchAll(STEP)).some(([joint]) => IS_THEN.test(joint));
}

/** "Renovate the bathroom, first A, then B, then C": the steps of what stands before them. */
function splitTold(phrase: Phrase): readonly Clause[] | undefined {
  const lead = /^[^,;:.!?]{1,80},\s+(?=first(?:ly)?[\s,])/i.exec(phrase.mask)?.[0];
  if (lead === undefined || !isImperative(phrase)) return undefined;
  const steps = splitSequence(trimmedPhrase(slicePhrase(phrase, lead.length)), true);
  if (steps?.some(({ dependsOn }) => dependsOn.length > 0) !== true) return undefined;
  const work = clause(slicePhrase(phrase, 0, lead.length).text);
  // Only what comes before the work is told.
  return steps.every(({ description }) => FINDS_OUT.test(description))
    ? appendClauses(steps, [work], 'after')
    : steps;
}

/** What is done before some work and is none of it. */
const FINDS_OUT =
  /^(?:find out|get|ask|decide|check|choose|compare|measure|look|talk|agree|collect|visit|see|estimate|clarify|settle)\s/i;

/** "1) A 2) B": an ordered list, so that each part follows the one before. */
function splitNumbered({ text }: Phrase): readonly Clause[] | undefined {
  const markers = [...text.matchAll(/(?<![^\s,;:])\(?(\d{1,2})[.)]\s+/g)];
  const inOrder = markers.every((match, index) => Number(match[1]) === index + 1);
  if (markers.length < 2 || !inOrder) return undefined;
  const lead = text.slice(0, markers[0]?.index).trim();
  if (lead !== '' && !lead.endsWith(':')) return undefined;
  const items = markers.map((match, index) => {
    const item = slicePhrase(
      phraseOf(text.slice(match.index + match[0].length, markers[index + 1]?.index)),
      0,
    );
    return item.text.replace(/(?:[,;]|(?<![\s,;]))\s+(?:and|then|and then)$/i, '');
  });
  if (items.some((item) => item === '')) return undefined;
  const named = items.map((item) => (lead === '' || isImperative(phraseOf(item)) ? item : `${lead} ${item}`));
  return named.map((item, index) => ({ description: asGoal(item), dependsOn: index === 0 ? [] : [index] }));
}

/** Words before a colon that name a remark, not a list. */
const REMARK = /\b(?:bug|issue|error|problem|note|warning|typo|question|fix|reason|example)$/i;

/** "Migrate services: billing, accounts and search": what precedes the colon goes with every noun after it. */
function splitColon(phrase: Phrase): readonly Clause[] | undefined {
  const colon = /(?:(?<!\s)\s+)?:\s+/.exec(phrase.mask);
  if (colon === null) return undefined;
  const lead = slicePhrase(phrase, 0, colon.index);
  const list = slicePhrase(phrase, colon.index + colon[0].length);
  if (!isImperative(lead)) return splitNamedList(lead, list);
  const added = splitAddition(lead, list);
  if (added !== undefined) return added;
  const clauses = isImperative(list) ? splitSequence(list) : undefined;
  if (clauses !== undefined) return clauses;
  const items = splitPhrase(
    list,
    list.mask.includes(';') ? /(?:(?<!\s)\s+)?;\s+(?:and\s+)?/gi : LIST_SEPARATOR,
  );
  // "Move the office to a new floor: desks, phones and signs" is one move.
  const isShort = wordsOf(lead).length < 6 && !hasPreposition(lead);
  const enough = isShort && (items.length > 2 || (items.length === 2 && /[^s]s$/i.test(lead.text)));
  if (!enough || REMARK.test(lead.text) || !items.every(isColonItem)) return undefined;
  return items.map((item) => ({ description: asGoal(`${lead.text}: ${item.text}`), dependsOn: [] }));
}

/** "Build the tool: login, create invoices, send them": things and things to do behind one colon are no parts of a sentence. */
function isMixedList(phrase: Phrase): boolean {
  const colon = /(?:(?<!\s)\s+)?:\s+/.exec(phrase.mask);
  if (colon === null || /[;.!?]\s|\n/.test(phrase.mask)) return false;
  const [first, ...others] = splitPhrase(slicePhrase(phrase, colon.index + colon[0].length), LIST_SEPARATOR);
  return first !== undefined && others.length > 1 && !isImperative(first) && others.some(isImperative);
}

/** "Office move in March: furniture, internet, access cards": three things or more of what is named, or things to do. */
function splitNamedList(lead: Phrase, list: Phrase): readonly Clause[] | undefined {
  const count = wordsOf(lead).length;
  if (count > 10 || REMARK.test(lead.text) || /[.;?!,]|\s(?:is|are|was|were|has|have)\s/i.test(lead.mask))
    return undefined;
  const items = splitItems(list);
  if (isImperative(list)) {
    const pieces = splitPhrase(list, LIST_SEPARATOR);
    const areClear = pieces.every((piece) => isImperative(piece) && wordsOf(piece).length > 1);
    return areClear && pieces.length > 1 ? pieces.map(({ text }) => clause(text)) : splitSequence(list);
  }
  const areThings = items.length > 2 && count > 1 && items.every(isColonItem);
  return areThings
    ? items.map(({ text }) => ({ description: asGoal(`${lead.text}: ${text}`), dependsOn: [] }))
    : undefined;
}

/** "Add to the API: search; export to CSV": every item is added to the same thing. */
function splitAddition(lead: Phrase, list: Phrase): readonly Clause[] | undefined {
  const [, verb, to] = /^(add)\s+(to\s.+)$/i.exec(lead.text) ?? [];
  if (verb === undefined || to === undefined) return undefined;
  const items = splitItems(list);
  return items.length < 2 ? undefined : items.map(({ text }) => clause(`${verb} ${text} ${to}`));
}

function isColonItem(item: Phrase): boolean {
  return (
    item.text !== '' &&
    wordsOf(item).length <= 6 &&
    !isOpenEnded(item) &&
    !/[.?!:]\s|\sor\s|^then\s|^(?:whatever|anything|everything|whoever|others?|etc|so on|the rest)(?!\S)/i.test(
      item.mask,
    ) &&
    !isClearClause(item)
  );
}

const STEP =
  /(?:(?<!\s)\s+)?[,;]\s+(?:and\s+)?(?:then|afterwards|finally|lastly|next|after that)\b,?\s+|[.!]\s+(?:then|afterwards|finally|lastly|next|after that)\b,?\s+|(?<!\s)\s+(?:and\s+)?then\s+|(?<!\s)\s+and\s+(?:finally|afterwards|lastly)\s+|(?:(?<!\s)\s+)?;\s+(?:and\s+)?|[.!]\s+(?=\p{Lu})|(?:(?<!\s)\s+)?\n\s*/giu;
const IS_THEN = /then|afterwards|finally|lastly|next|after that/i;
const IS_FIRM = /[;.!\n]/;
/** What says that steps follow: "First A, then B". */
const BEGINS_STEPS = /^(?:please\s+)?first(?:ly)?(?=[\s,])/i;

/**
 * Steps joined by "then", semicolons or full stops, each of which may be a list.
 * @param areTold whether the first is told to be the first
 */
function splitSequence(phrase: Phrase, areTold = false): readonly Clause[] | undefined {
  const pieces = splitPhrase(phrase, STEP).map(trimmedPhrase);
  if (pieces.length === 1) return splitVerbList(phrase);
  const all = [...phrase.mask.matchAll(STEP)];
  const { steps, joints } = withStatements(phrase, pieces, all);
  if (steps.length === 1 || !areSteps(steps, joints, areTold)) return undefined;
  return steps
    .map(({ isWhole, ...step }) => (isWhole ? [clause(step.text)] : clausesOf(step)))
    .reduce((before, step, index) =>
      appendClauses(before, step, waits(joints[index - 1], step) ? 'after' : 'beside'),
    );
}

function waits(joint: string | undefined, [first]: readonly Clause[]): boolean {
  return IS_THEN.test(joint ?? '') || (first !== undefined && isDoneToBefore(first.description));
}

interface Step extends Phrase {
  /** Whether it is not to be split, as it has sentences that only say something of it. */
  readonly isWhole: boolean;
}

/**
 * The steps among `pieces`, a sentence that tells nobody to do anything joined to the one before it: "Build a bot. It should be
 * polite. Host it."
 */
function withStatements(
  phrase: Phrase,
  pieces: readonly Phrase[],
  joints: readonly RegExpExecArray[],
): { readonly steps: readonly Step[]; readonly joints: readonly string[] } {
  const steps: Step[] = [];
  const kept: string[] = [];
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const joint = joints[index - 1];
    const end = joints[index]?.index ?? phrase.text.length;
    if (joint !== undefined && /^[.!\n]/.test(joint[0].trimStart() || '\n') && !isImperative(piece)) {
      steps.splice(-1, 1, { ...trimmedPhrase(slicePhrase(phrase, from, end)), isWhole: true });
      continue;
    }
    if (joint !== undefined) kept.push(joint[0]);
    from = joint === undefined ? 0 : joint.index + joint[0].length;
    steps.push({ ...piece, isWhole: false });
  }
  return { steps, joints: kept };
}

/** "Search on our site is awful": what may be a verb is the noun that something is said of. */
const COMPLAINS =
  /^\p{L}+\s(?!that\s|which\s|what\s|how\s|whether\s|if\s|who\s)(?:(?!(?:that|which|what|how|whether|if|who|where|when|so|because)\s)[^\s,;:]+\s){0,6}(?:is|are|was|were|has become|feels?|keeps?)\s(?:\p{L}+ing|(?:(?:so|too|very|really|pretty|just|always)\s)?(?:awful|terrible|bad|slow|broken|useless|painful|a\s(?:mess|pain|nightmare|joke)|full|outdated|horrible|annoying|confusing|unreliable|flaky))\b/iu;

/** "Contract ends in May" */
const STATES_ITSELF =
  /^\p{L}+\s(?:ends|expires|fails|breaks|takes|keeps|needs|runs|crashes|lacks|costs|shows|throws|hangs|drops|leaks)\s/iu;

/** Whether all are things to do; between semicolons and before "then" a word that nobody knows can be a verb too. */
function areSteps(steps: readonly Phrase[], joints: readonly string[], areTold: boolean): boolean {
  const [first] = steps;
  if (
    first === undefined ||
    /^(?:if|when|whenever|unless|once|since|while|do not|don't|never)\b/i.test(first.mask)
  )
    return false;
  if (steps.some(({ mask }) => COMPLAINS.test(mask) || STATES_ITSELF.test(mask))) return false;
  const areKnown = steps.every(isImperative);
  if (
    !areKnown &&
    !steps.every((step, index) => isImperative(step) || isUnknownImperative(step, joints[index - 1] ?? ''))
  )
    return false;
  return joints.every((joint, index) => {
    const left = steps[index] ?? first;
    // "First ask how they work, then write it down": nothing else can be meant.
    const isFirm = IS_FIRM.test(joint) || (areTold && /^\s*,/.test(joint));
    return (areKnown || joint.includes(';') || IS_THEN.test(joint)) && (isFirm || !leavesOpen(left));
  });
}

/** "degauss the coil": an unknown word with an article behind it, or behind "then". */
function isUnknownImperative(step: Phrase, joint: string): boolean {
  const [first = '', second = '', ...rest] = wordsOf(step);
  return (
    second !== '' &&
    /^[\p{L}-]+$/u.test(first) &&
    (isDeterminer(second) || (IS_THEN.test(joint) && rest.length > 0 && !/^(?:and|or)$/i.test(second))) &&
    !isDeterminer(first) &&
    !isPreposition(first) &&
    !isOpenEnded(phraseOf(`x ${step.text}`)) &&
    !NO_VERB.test(first)
  );
}

const NO_VERB =
  /^(?:i|we|you|he|she|they|and|but|or|however|otherwise|note|there|here|also|not|no|yes|\p{L}*[^s]s)$/iu;

function clausesOf(step: Phrase): readonly Clause[] {
  return splitVerbList(step, true) ?? [clause(step.text)];
}
