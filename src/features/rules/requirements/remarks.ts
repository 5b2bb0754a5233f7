import {
  isClearClause,
  phraseOf,
  slicePhrase,
  splitPhrase,
} from '../../../planning/documents/english/phrase.js';
import { LIST_SEPARATOR } from '../clauses/noun-list.js';

/** A goal as its main clause and what is said behind it. */
export interface RemarkedGoal {
  readonly main: string;
  readonly remark: string;
}

/** A comma, another stop, brackets, or a word that says when, why or which. */
const ENDS_MAIN =
  /[,.:;!?]\s|\n|\s[–—]|\s(?:before|after|until|while|when|whenever|because|since|so|but|that|which|who|where)\s/iu;

/** Returns a goal as its main clause and what is said behind it, such as a reason, a budget or what else is so. */
export function splitRemark(goal: string): RemarkedGoal {
  const { text, mask } = phraseOf(goal);
  const brackets = /\s\(/.exec(text)?.index ?? text.length;
  const at = Math.min(ENDS_MAIN.exec(mask)?.index ?? text.length, brackets);
  return { main: text.slice(0, at), remark: text.slice(at) };
}

const JOINT = new RegExp(`${LIST_SEPARATOR.source}|[.:;!?]\\s+|\\sbut\\s+`, 'gi');

/** What says how the work is to be done and is none: “keep the old accounts working”, “make sure that it fits”. */
const MANNER =
  /^(?:keep|make sure|ensure|leave|let|stay|use|avoid|respect|mind|remember|do not|don['’]t|never)\s/i;

/** Returns the clauses of a remark that tell somebody to do something else: “and get rid of half the furniture”. */
export function ordersIn(remark: string): readonly string[] {
  const phrase = slicePhrase(phraseOf(remark.replaceAll(/[()]/g, ', ')), 0);
  return splitPhrase(phrase, JOINT)
    .filter((clause) => isClearClause(clause) && !MANNER.test(clause.mask))
    .map(({ text }) => text);
}

const SENTENCE_END = /[.!?]\s+(?=\S)|\n/;
const STATES =
  /\s(?:\p{L}+n['’]t|is|are|was|were|has|have|had|needs?|wants?|must|can|cannot|will|does|do|gets?|takes?|runs?|costs?|fails?|breaks?|keeps?|eats?)\s/iu;

const RELATIVE = /\b(?:that|which|who|whose|where)\s/i;
const TROUBLE = /^(?:too\s(?:many|few|much|little)|not\senough|nobody|no\sone|every(?:body|one))\s/i;

/** Returns whether some words state something, “nobody reads them”, where a thing would be named: “rooms that are free”. */
export function isStatement(words: string): boolean {
  return TROUBLE.test(words) || (STATES.test(` ${words} `) && !RELATIVE.test(words));
}

/** Returns the first sentence of a goal up to a comma behind which something is stated: “, one in six runs fails”. */
export function withoutStatements(goal: string): string {
  const { text, mask } = phraseOf(goal);
  const end = SENTENCE_END.exec(mask)?.index ?? text.length;
  const stated = Array.from(mask.slice(0, end).matchAll(/,\s/g), ({ index }) => index).find((at) =>
    isStatement((/^[^,;:]*/.exec(mask.slice(at + 1, end))?.[0] ?? '').trim()),
  );
  return text.slice(0, stated ?? end);
}
