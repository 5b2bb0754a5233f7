import { leadingVerb, readGoal } from '../clauses/goal-words.js';
import { verbOfGerund } from '../../../planning/documents/english/lexicon.js';
import { phraseOf } from '../../../planning/documents/english/phrase.js';

/** What is not to be done, as a clause of its own: "but don't touch production yet", "(never on a Friday)". */
const FORBIDDEN =
  /(?:^|[,;:.!?(–—]\s*|\s(?:but|and|yet|though|just|please)\s)(?:please\s|just\s)?(?:do not|don['’]t|never)\s/i;
/** What of it is left out: "except the legal texts", "but not to the settings screen". */
const EXCEPTED =
  /(?:^|[,\s])(?:(?:except|excepting|excluding|not including|leaving out|apart from|other than|with the exception of)\s|but not\s(?:to|in|into|for|from|of)\s)/i;
const BRACKETS = /\(([^()]{1,300})\)/g;
const WITHOUT_DOING = /\swithout\s(\p{L}+ing)\b/iu;

/** Whether a goal forbids or excepts a part of what it asks for: no method has a place for that. */
export function forbidsPart(text: string): boolean {
  const aside = Array.from(text.matchAll(BRACKETS), ([, words = '']) => words);
  return [phraseOf(text).mask, ...aside].some((said) => FORBIDDEN.test(said) || EXCEPTED.test(said));
}

/** Whether a step does what its goal is to be reached without: "without deploying anything". */
export function doesForbidden(text: string, steps: readonly string[]): boolean {
  const gerund = WITHOUT_DOING.exec(phraseOf(text).mask)?.[1];
  const verb = gerund === undefined ? undefined : verbOfGerund(gerund.toLowerCase());
  return verb !== undefined && steps.some((step) => leadingVerb(readGoal(step)) === verb);
}
