import {
  isDeterminer,
  isParticle,
  isPreposition,
  isVerb,
  verbOfGerund,
} from '../../../planning/documents/english/lexicon.js';
import { isDoneToBefore, nameAntecedents } from './antecedent.js';
import { appendClauses, clause } from './clause.js';
import type { Clause } from './clause.js';
import { leadInLength } from './goal-words.js';
import { splitItems } from './list-items.js';
import { LIST_SEPARATOR } from './noun-list.js';
import {
  asGoal,
  isImperative,
  isOpenEnded,
  phraseOf,
  slicePhrase,
  splitPhrase,
  trimmedPhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';
import { splitVerbList } from './verb-list.js';

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
  const found = splitNumbered(phrase) ?? splitColon(phrase) ?? splitSequence(phrase);
  if (found === undefined || found.length < 2) return null;
  const parts = nameAntecedents(found);
  const distinct = new Set(parts.map(({ description }) => description.toLowerCase()));
  return distinct.size === parts.length ? { parts } : null;
}

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
  if (!isImperative(lead)) return undefined;
  const added = splitAddition(lead, list);
  if (added !== undefined) return added;
  const clauses = isImperative(list) ? splitSequence(list) : undefined;
  if (clauses !== undefined) return clauses;
  const items = splitPhrase(
    list,
    list.mask.includes(';') ? /(?:(?<!\s)\s+)?;\s+(?:and\s+)?/gi : LIST_SEPARATOR,
  );
  const enough = items.length > 2 || (items.length === 2 && /[^s]s$/i.test(lead.text));
  if (!enough || REMARK.test(lead.text) || !items.every(isColonItem)) return undefined;
  return items.map((item) => ({ description: asGoal(`${lead.text}: ${item.text}`), dependsOn: [] }));
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
    item.text !== '' && wordsOf(item).length <= 6 && !isOpenEnded(item) && !/[.?!:]\s|\sor\s/.test(item.mask)
  );
}

const STEP =
  /(?:(?<!\s)\s+)?[,;]\s+(?:and\s+)?(?:then|afterwards|finally|lastly|next|after that)\b,?\s+|[.!]\s+(?:then|afterwards|finally|lastly|next|after that)\b,?\s+|(?<!\s)\s+(?:and\s+)?then\s+|(?<!\s)\s+and\s+(?:finally|afterwards|lastly)\s+|(?:(?<!\s)\s+)?;\s+(?:and\s+)?|[.!]\s+(?=\p{Lu})|(?:(?<!\s)\s+)?\n\s*/giu;
const IS_THEN = /then|afterwards|finally|lastly|next|after that/i;
const IS_FIRM = /[;.!\n]/;

/** Steps joined by "then", semicolons or full stops, each of which may be a list. */
function splitSequence(phrase: Phrase): readonly Clause[] | undefined {
  const pieces = splitPhrase(phrase, STEP).map(trimmedPhrase);
  if (pieces.length === 1) return splitStep(phrase);
  const all = [...phrase.mask.matchAll(STEP)];
  const { steps, joints } = withStatements(phrase, pieces, all);
  if (steps.length === 1 || !areSteps(steps, joints)) return undefined;
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

function areSteps(steps: readonly Phrase[], joints: readonly string[]): boolean {
  if (/^(?:if|when|whenever|unless|once|since|while|do not|don't|never)\b/i.test(steps[0]?.mask ?? ''))
    return false;
  if (steps.every(isImperative)) {
    return joints.every((joint, index) => IS_FIRM.test(joint) || !isOpenEnded(steps[index] ?? phraseOf('')));
  }
  return (
    joints.every((joint) => joint.includes(';') && !IS_THEN.test(joint)) && steps.every(isUnknownImperative)
  );
}

/** Between semicolons, parts that all begin with an unknown word are taken as alike. */
function isUnknownImperative(step: Phrase): boolean {
  const [first = '', second] = wordsOf(step);
  return (
    second !== undefined &&
    /^[\p{L}]+$/u.test(first) &&
    ![
      isImperative(step),
      isDeterminer(first),
      isPreposition(first),
      isOpenEnded(phraseOf(`x ${step.text}`)),
    ].some(Boolean) &&
    !/^(?:i|we|you|he|she|they|and|but|or|however|otherwise|note|there|here|also|not|no|yes)$/i.test(first)
  );
}

function clausesOf(step: Phrase): readonly Clause[] {
  return splitStep(step) ?? [clause(step.text)];
}

function splitStep(phrase: Phrase): readonly Clause[] | undefined {
  return splitLeadingTime(phrase) ?? splitTrailingTime(phrase) ?? splitVerbList(phrase);
}

/** Places at which a sentence is tried to be parted in two; each try reads it anew. */
const MOST_TRIED = 20;

/** "After doing A, do B" and "Before doing B, do A". */
function splitLeadingTime(phrase: Phrase): readonly Clause[] | undefined {
  const word = /^(after|before|prior to)\s+/i.exec(phrase.mask);
  if (word === null) return undefined;
  for (const comma of [...phrase.mask.matchAll(/,\s+/g)].slice(0, MOST_TRIED)) {
    const other = actionOf(slicePhrase(phrase, word[0].length, comma.index));
    const main = trimmedPhrase(slicePhrase(phrase, comma.index));
    if (other !== undefined && isImperative(main)) {
      return inTime(word[1], main, other);
    }
  }
  return undefined;
}

/** "Do B after doing A" and "Do A before doing B". */
function splitTrailingTime(phrase: Phrase): readonly Clause[] | undefined {
  const words = [...phrase.mask.matchAll(/(?:,|(?<![\s,]))\s+(after|before|prior to)\s+/gi)];
  for (const word of words.slice(0, MOST_TRIED)) {
    const main = slicePhrase(phrase, 0, word.index);
    const other = actionOf(slicePhrase(phrase, word.index + word[0].length));
    if (other !== undefined && isImperative(main) && wordsOf(main).length > 1 && !isOpenEnded(main)) {
      return inTime(word[1], main, other);
    }
  }
  return undefined;
}

/** `main` after or before `other`, the earlier one first. */
function inTime(word: string | undefined, main: Phrase, other: string): readonly Clause[] {
  return word?.toLowerCase() === 'after'
    ? appendClauses([clause(other)], clausesOf(main), 'after')
    : appendClauses(clausesOf(main), [clause(other)], 'after');
}

/** Stages of work that need no object to be a goal. */
const STAGES = new Set(['deploy', 'release', 'publish', 'launch', 'ship', 'merge']);

/** The imperative of "running the tests" or "run the tests"; undefined for a moment such as "lunch". */
function actionOf(phrase: Phrase): string | undefined {
  const [first = '', second] = wordsOf(phrase);
  const verb = verbOfGerund(first);
  if (verb === undefined) return isVerb(first) && isDeterminer(second ?? '') ? phrase.text : undefined;
  if (second === undefined) return STAGES.has(verb) ? verb : undefined;
  const third = wordsOf(phrase)[2];
  if (isParticle(second) ? third === undefined : isPreposition(second)) return undefined;
  return verb + phrase.text.slice(first.length);
}
