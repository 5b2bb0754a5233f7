import { rangeOf, saidNeeds, saysOver } from '../../kernel/text/said-needs.js';
import type { Goal } from '../../plan/schema.js';
import { COUNTED } from '../documents/numbering.js';

/** What a goal says that it waits for, by number or by name. */
export interface SaidNeed {
  /** A number, or a list of numbers and names, word for word. */
  readonly said: string;
  /** Whether a number stands where nothing else can, so that one that no goal bears is missing. */
  readonly isNumber: boolean;
  /** Whether it stands behind a label, as the values of a column do. */
  readonly isList: boolean;
  /** Whether it is of names alone: numbers in it are told apart. */
  readonly isName?: boolean;
}

const WORD = String.raw`(?:task|feature|epic|requirement|story|step|item|phase|milestone|sprint|stage|iteration|section|part) #?\d{1,4}(?:\.\d{1,4}){0,4}`;
const MARKED = String.raw`(?:#\d{1,9}(?:\.\d{1,4}){0,4}|[A-Z][A-Z\d]{0,9}-?\d{1,6}(?:[.-]\d{1,6}){0,4}[a-z]?|${WORD})`;
/** A number with dots that neither counts something nor is a version. */
const DOTTED = String.raw`\d{1,3}(?:\.\d{1,3}){1,4}(?!\.?\d|\s{0,2}(?:${COUNTED}|\+|or (?:later|newer|higher|above)|and (?:up|later|above|newer)))`;
/** A number alone, where nothing follows that it could count. */
const ALONE = String.raw`\d{1,6}(?!\.\d|,\d{3}(?!\d))(?=\s{0,2}(?:$|[).,;&\]/+\n(–—-]|(?:and|to|through)\s+#?\d))`;
const NUMBER = `(?:${MARKED}|${DOTTED})`;
const ANY = `(?:${NUMBER}|${ALONE})`;

const STRONG = String.raw`depends? on|dependent on|blocked by|dependenc(?:y|ies)|prerequisites?|wait(?:s|ing)? (?:for|on)`;
const WEAK = 'requires|needs?|after';
const VERBS = `${STRONG}|${WEAK}`;

function listOf(number: string): string {
  const ones = String.raw`[[\`]?${rangeOf(number)}[\]\`]?`;
  return String.raw`[ \t*_:]{1,8}(${ones}(?:(?: ?[,;/+&])? ?(?:and )?${ones}){0,50})`;
}

/** "Depends on FEAT-201 and FEAT-202", "Blocked by: #12–#14", "after 1.2". */
const BY_NUMBER = new RegExp(String.raw`\b(?:${VERBS})${listOf(NUMBER)}`, 'gi');
/** "Depends on 1 and 2.", "(after 3)": said of goals, whatever the number is. */
const SURELY = new RegExp(String.raw`(?:\b(?:${STRONG})|(?<=[([–—]\s{0,2})(?:${WEAK}))${listOf(ANY)}`, 'gi');
/** What a row or a fact says: "Depends on: 1, Build the API". */
const LABELLED = new RegExp(
  String.raw`^[\s>*_+-]{0,12}(?:${VERBS})[*_ ]{0,3}:[*_]{0,3}[ \t]{1,8}(\S[^\n]{0,400})$`,
  'gim',
);
const BY_NAME = [
  // To the end of the sentence or the bracket.
  String.raw`\b(?:depends? on|dependent on|blocked by|wait(?:s|ing)? (?:for|on))[ :*_]{1,5}([^()[\]\n;]{2,200}?)(?=[()[\]\n;]|\.(?:\s|$)|$)`,
  String.raw`[([](?:${VERBS})[ :]{1,3}([^()[\]\n]{2,200})[)\]]`,
  String.raw`\b(?:${VERBS})[ :]{1,3}(["“„«‘\`][^"”“»’\`\n]{2,200}["”“»’\`])`,
].map((pattern) => new RegExp(pattern, 'gi'));
const MAY_NEED = new RegExp(String.raw`\b(?:${VERBS})\b`, 'i');
/** What a hold says that is no more than what is waited for. */
const HOLD = /^\W{0,4}(?:blocked|waiting|waits)(?: (?:by|on|for)|:) (.{1,300})$/i;

/** The numbers in what was said. */
export const NUMBERS = new RegExp(NUMBER, 'gi');
/** A number, or those from one to another, at the start of what was said: "1.2 Search", "T1–T3". */
export const BEGINS_WITH_NUMBER = new RegExp(`^(?:${rangeOf(`(?:${NUMBER}|\\d{1,6}(?!\\.\\d))`)})`, 'i');
/** A number that a name begins with, which is no tag: "PROJ-12: Jars". */
export const NAMED_BEFORE = new RegExp(String.raw`^\[?(${MARKED}(?![\w-]))\]?(?=[:.)\s–—])`, 'i');
const EACH = new RegExp(rangeOf(ANY), 'gi');

/** Whether a goal may say that it waits for something. */
export function mayNeed({ description, detail = '' }: Pick<Goal, 'description' | 'detail'>): boolean {
  return MAY_NEED.test(description) || MAY_NEED.test(detail);
}

/** Returns all that a goal says it waits for. */
export function needsSaid({ description, detail = '' }: Goal): readonly SaidNeed[] {
  const text = `${description}\n${detail}`;
  const numbersIn = (needs: RegExp) => saidNeeds(text, needs).flatMap((list) => list.match(EACH) ?? []);
  return [
    ...numbersIn(SURELY).map((said) => ({ said, isNumber: true, isList: false })),
    ...numbersIn(BY_NUMBER).map((said) => ({ said, isNumber: !/^\d/.test(said), isList: false })),
    ...saidNeeds(detail, LABELLED).map((said) => ({ said, isNumber: true, isList: true })),
    ...BY_NAME.flatMap((needs) => saidNeeds(text, needs).filter((said) => !saysOver(said))).map((said) => ({
      said,
      isNumber: false,
      isList: false,
      isName: true,
    })),
  ];
}

/** Returns what a goal is on hold for, where that is what it waits for and nothing else: "blocked by Build the API". */
export function needOfHold({ on_hold: hold }: Goal): string | null {
  const [, said = null] = HOLD.exec(hold?.reason ?? '') ?? [];
  return said === null || saysOver(said) ? null : said;
}
