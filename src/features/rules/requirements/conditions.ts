import { readGoal } from '../clauses/goal-words.js';
import { isVerb } from '../../../planning/documents/english/lexicon.js';
import { phraseOf } from '../../../planning/documents/english/phrase.js';

/** A goal without what it says of when, why, for how much, with whom and without what it is to be reached. */
export interface ConditionedGoal {
  readonly text: string;
  /** What was taken out, each in its own words and in order: "in two weeks", "without downtime". */
  readonly conditions: readonly string[];
}

const NUMBER =
  '(?:\\d+(?:[.,]\\d+)*|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|several|a couple of)';
const UNIT = '(?:second|minute|hour|day|week|weekend|month|quarter|year|sprint)s?';
const SPAN = `(?:(?:under|less than|at most|no more than|about)\\s+)?(?:(?:the\\s+)?(?:next|coming)\\s+)?${NUMBER}\\s+(?:(?:business|working)\\s+)?${UNIT}`;
const MONTH =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)';
const WEEKDAY = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?';
const SEASON = '(?:spring|summer|autumn|fall|winter)';
const PERIOD = `(?:day|week|weekend|month|quarter|year|sprint|${SEASON})`;
const DAY =
  `(?:(?:the\\s+)?(?:end|start|beginning|middle)\\s+of\\s+(?:(?:the|this|next)\\s+)?(?:${PERIOD}|${MONTH}|Q[1-4]|\\d{4})` +
  `|(?:next|this)\\s+(?:${PERIOD}|${WEEKDAY}|${MONTH})|the\\s+${PERIOD}['’]s\\s+end|tomorrow|tonight|noon|midnight|Christmas|Easter` +
  `|${WEEKDAY}|\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?:\\s+\\d{4})?|${MONTH}(?:\\s+\\d{1,2}(?:st|nd|rd|th)?)?(?:,?\\s+\\d{4})?` +
  `|Q[1-4](?:\\s+\\d{4})?|20\\d\\d(?:-\\d\\d-\\d\\d)?|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?)`;
const AMOUNT =
  '(?:[€$£¥]\\s?\\d+(?:[.,]\\d+)*(?![.,]?\\d)\\s?[kKmM]?|\\d+(?:[.,]\\d+)*(?![.,]?\\d)\\s?[kKmM]?\\s?(?:euros?|dollars?|pounds?|EUR|USD|GBP|CHF|€|\\$))';
const TIME =
  `(?:(?:in|within)\\s+${SPAN}|(?:by|before|until|till|no later than|not later than|on|in|starting)\\s+${DAY}` +
  `|(?:by|before|until|in|over|during|for)\\s+(?:the\\s+)?(?:early\\s+|late\\s+)?${SEASON}|(?:next|this)\\s+(?:${PERIOD}|${WEEKDAY}|${MONTH}))` +
  `(?!,?\\s+(?:and|or)\\s+${DAY}|,\\s+${WEEKDAY})`;
const MONEY =
  `(?:(?:on|with|within|under|for)\\s+(?:an?|the|our|my)\\s+(?:[a-z'’]+\\s+)?(?:budget|shoestring|salary|wage|income|pension)(?:\\s+of\\s+(?:[a-z]+\\s+){0,3}(?:${AMOUNT}|\\d[\\d.,]{2,})(?:\\s+(?:each|per\\s+\\S+|in\\s+total))?)?` +
  `|(?:(?:our|my|the)\\s+)?budget:?\\s+(?:is\\s+|of\\s+)?(?:${AMOUNT}|\\d[\\d.,]{2,})` +
  `|(?:all\\s+(?:of it\\s+|in\\s+)?)?(?:for|on|under|below|within|with)\\s+(?:(?:less than|under|at most|up to|no more than|a maximum of)\\s+)?${AMOUNT})`;
const COUNT = `(?:(?:about|around|roughly|some|up to|at least|at most|over|only|just)\\s+)?${NUMBER}`;
const PEOPLE =
  '(?:guests?|people|persons?|guys|men|women|teams|beginners|students|members|employees|subscribers|neighbou?rs|friends?|kids?|child(?:ren)?|adults|colleagues|participants|attendees|visitors|players|families)';
const KIN =
  '(?:pupils|students|colleagues|class|team|volunteers|flatmates|roommates|dad|father|mum|mom|mother|parents|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|sons?|daughters?|kids?|child(?:ren)?|baby|brothers?|sisters?|grand(?:ma|pa|mother|father|parents|son|daughter)|aunt|uncle|cousins?|in-laws|family|friends?|neighbou?rs?|cats?|dogs?)';
const ONE_OF_US = `(?:(?:my|our|his|her|the|a|an|two|three|four|\\d+)\\s+)(?:(?:best|old|whole|little|eldest|youngest|school)\\s+)?${KIN}(?:\\s+of\\s+${NUMBER})?`;
/** For how many, and with whom: "for 80 guests", "with my wife, two kids and a cat". */
const COMPANY =
  `(?:for|with)\\s+(?:${COUNT}\\s+(?:[a-z]+\\s+)?${PEOPLE}|(?:an?|our|my)\\s+family\\s+of\\s+${NUMBER}|${ONE_OF_US}(?:,\\s+${ONE_OF_US}){0,4}(?:,?\\s+and\\s+${ONE_OF_US})?` +
  `|(?:(?:less|fewer|more|no more) than|at most|at least|up to|under|only|just|about)\\s+(?:${NUMBER}|\\d+\\s?%)(?:\\s+[a-z]+){1,2}(?:\\s+of\\s+[a-z]+)?` +
  `|(?:two|three|four|five|six|eight|ten|\\d{1,2})(?=\\s*(?:$|[,;.!?])|\\s+(?:in|on|by|next|this|before)\\s)` +
  `|${NUMBER}\\s+${UNIT}\\s+(?:a|per)\\s+${PERIOD})`;
const SHARE = `(?:in|for)\\s+\\d[\\d.]*\\s?(?:%|percent)\\s+of\\s+(?:the\\s+|our\\s+)?[a-z]+(?:\\s+first)?`;
/** What a day is the day of: "before the trip on June 14". */
const EVENT =
  "(?:(?:(?:before|until|after)|(?:by|in time for|ahead of)\\s+(?:the|my|our|his|her|their|an?))\\s+(?:[\\p{L}'’-]+\\s+){1,5}?)?";
/** What follows a condition: the end, or another part of the goal. */
const NEXT =
  '(?=\\s*(?:$|[,;:.!?)])|\\s+(?:with|for|in|on|to|by|and|using|without|from|at|of|within|before|under|including|next|this|so|because|until)\\s)';
const LIMIT = new RegExp(
  `(?:,|(?<![\\s,]))\\s+(${EVENT}${TIME}|${MONEY}(?!,?\\s+and\\s)|${COMPANY}(?!,?\\s+and\\s|\\s+of\\s)|${SHARE})${NEXT}`,
  'iu',
);
/** Why, and what else is so, up to the end of the sentence: "because the old one is slow", ", I can run 5k". */
const REASON =
  /(?:,|(?<![\s,]))\s+(?=(?:so that|so (?:we|i|they|it|you|he|she|people|users|customers|every(?:one|body)|the|our|my)|because|since (?:we|i|it|they|he|she|the|our|my)|as (?:we|i|it|they|he|she)|in order to|to (?:save|avoid)|instead of|rather than)\s)|,\s+(?=(?:i|we|he|she|they)[\s'’])/iu;
/** What is to be so by a day, at the end of a list: "demo ready for the fair in October", "live by May", "documented with OpenAPI". */
const STATE =
  /^(?:,\s+(?:and\s+)?|\s+and\s+)((?:(?!and\s)[^\s,]+\s+){0,3}?(?:ready|live|done|finished|completed?|launched|released|delivered|online|available|due|out|published)\s+(?:(?:for|by|before|in|on|until|within|from|to)\s|in time)[^,;.!?]*|(?:\p{L}+ed|written|built|run)\s+(?:with|in|on|by|at|as|from|to|under)\s[^,;.!?]*)$/iu;
/** Behind a comma a few words and a day: "beta by Easter", "first class in September". */
const BY_DAY = new RegExp(`,\\s+(?!and\\s)((?:(?!and\\s)[^\\s,]+\\s+){1,4}${TIME})$`, 'iu');
const EXCLUSION =
  /(?:,|(?<![\s,]))\s+(?:but\s+)?((?:without|with no|with zero|except(?:\s+for)?|excluding|not including|leaving out)\s+\S[^]*|not\s+(?=\S)(?<=\bbut\s+not\s)[^]*|no\s+(?=\S)(?<=\bbut\s+no\s)[^]*)$/iu;
/** The same in brackets: "(no downtime allowed)". */
const BRACKETED = /\s\(((?:with\s+|must\s+|may\s+|should\s+|can)?(?:no|not|without|zero)\s[^()]+)\)/iu;
const OPENS_CLAUSE =
  /\s(?:that|which|where|who|whose|when|whenever|while|if|unless|so that|because|since|(?:after|before|until|once)\s+(?:i|he|she|it|we|they|you))\s/i;
const SENTENCE_END = /[.!?]\s+(?=\S)|(?:(?<!\s)\s+)?[;\n]\s*/;

/** More than anybody sets; each that is found has the goal read anew. What is beyond it stays in the goal. */
const MOST_CONDITIONS = 20;

/**
 * Takes deadlines, budgets, company, exclusions and reasons out of the first sentence of a goal. What a clause inside it says of time belongs to
 * that clause and stays.
 */
export function readConditions(description: string): ConditionedGoal {
  let { text } = readGoal(description);
  const conditions: { readonly at: number; readonly words: string }[] = [];
  for (let more = true; more && conditions.length < MOST_CONDITIONS;) {
    const { mask } = phraseOf(text);
    const sentence = mask.slice(0, placeOf(SENTENCE_END, mask));
    const clause = sentence.slice(0, placeOf(OPENS_CLAUSE, sentence));
    const others = [
      BRACKETED.exec(text.slice(0, clause.length)),
      LIMIT.exec(clause),
      EXCLUSION.exec(clause),
    ].filter(isTaken);
    const found = [[reasonIn(sentence)].find(isTaken), stateIn(clause), BY_DAY.exec(clause), ...others].find(
      isThere,
    );
    more = found !== undefined;
    if (found === undefined) continue;
    const [whole, words = ''] = found;
    const from = found.index + whole.lastIndexOf(words);
    conditions.push({ at: found.index, words: conditionOf(text.slice(from, from + words.length)) });
    // "to Japan in spring, Tokyo and Kyoto": what follows is no further item of what stood before.
    const rest = text.slice(found.index + whole.length).replace(/^,\s+(?=\p{Lu})/u, ' – ');
    text = `${text.slice(0, found.index)}${rest}`.trim();
  }
  return { text, conditions: conditions.toSorted((a, b) => a.at - b.at).map(({ words }) => words) };
}

function reasonIn(sentence: string): RegExpExecArray | null {
  const joint = REASON.exec(sentence);
  // "the doctor wants me to avoid statins"
  if (joint !== null && /\s(?:me|us|you|him|her|them)$/i.test(sentence.slice(0, joint.index))) return null;
  if (joint !== null)
    joint.splice(0, 1, sentence.slice(joint.index), sentence.slice(joint.index + joint[0].length));
  return joint;
}

/** Something must stand before a condition for the goal to say what is to be done; "and stay under 2000 euros" is one thing. */
function isTaken(match: RegExpExecArray | null): match is RegExpExecArray {
  if (match === null || match.index === 0) return false;
  const before = /(?:,|\sand)\s+(\S+)$/i.exec(match.input.slice(0, match.index))?.[1];
  return before === undefined || !isVerb(before);
}

function stateIn(clause: string): RegExpExecArray | null {
  for (const at of [clause.lastIndexOf(','), clause.lastIndexOf(' and ')]) {
    const found = at < 1 ? null : STATE.exec(clause.slice(at));
    if (found === null) continue;
    found.index = at;
    return found;
  }
  return null;
}

function isThere<T>(match: T | null | undefined): match is T {
  return match !== null && match !== undefined;
}

function placeOf(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.index ?? text.length;
}

/** Returns whether a condition says how things are, or why, rather than what is to be: "I'm at 22,000 words", "because it rains". */
export function isCircumstance(condition: string): boolean {
  return /^(?:because|since|as|i|we|he|she|they)(?=[\s'’])/i.test(condition);
}

/** Whether a condition says what is not to be: a goal is not about that. */
export function isExclusion(condition: string): boolean {
  return /^(?:without|with no|with zero|no|not)\s/i.test(condition);
}

/** "but no payments" is "without payments"; "not on weekends" stays. */
function conditionOf(words: string): string {
  const plain = words.replace(/(?<![\s.,?!])[\s.,?!]+$/, '');
  if (/\s(?:allowed|accepted|permitted)$/i.test(plain)) return plain;
  return plain.replace(
    /^(?:no|not)\s+(?!(?:in|on|at|by|for|to|before|after|until|during|with)\s)/i,
    'without ',
  );
}
