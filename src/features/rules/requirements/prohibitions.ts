import { contentStems } from '../../../kernel/text/content-stems.js';
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
/** Verbs that take work back or keep it from being done. */
const UNDOING =
  /^(?:please\s)?(?:undo|revert|abort|pause|sabotage|reverse(?=\s(?:the|this|that|last|our)\s)|unwind|halt|delay|suspend|oppose|boycott|block|reject|resist|back out of|give up on|hold off)\s/i;
/** What work may speak of because it is to be avoided: "without downtime" beside "settle the allowed downtime". */
const HARM =
  /(?:time|loss|outage|interruption|regression|disruption|delay|debt|error|risk|stress|injury|damage|mistake|problem|surprise|pain|change|duplicate|waste|conflict|ranking)s?$/i;
/** What a thing or work is to be without: "without a database, OpenAPI or tests", "with no food". */
const WITHOUT = /\s(?:without|with (?:no|zero))\s([^;:.!?()]{1,200})/gi;

/** Whether a goal forbids or excepts a part of what it asks for: no method has a place for that. */
export function forbidsPart(text: string): boolean {
  const aside = Array.from(text.matchAll(BRACKETS), ([, words = '']) => words);
  return [phraseOf(text).mask, ...aside].some((said) => FORBIDDEN.test(said) || EXCEPTED.test(said));
}

/** Returns whether a goal takes back or hinders what a method would do: "Undo the migration". */
export function undoesWork(text: string): boolean {
  return UNDOING.test(text.trim());
}

/** Returns whether a step does, or names, what its goal is to be reached without: "without deploying anything", "with no food". */
export function doesForbidden(text: string, steps: readonly string[]): boolean {
  const { mask } = phraseOf(text);
  const gerund = WITHOUT_DOING.exec(mask)?.[1];
  const verb = gerund === undefined ? undefined : verbOfGerund(gerund.toLowerCase());
  if (verb !== undefined && steps.some((step) => leadingVerb(readGoal(step)) === verb)) return true;
  const said = new Set(steps.flatMap((step) => [...contentStems(step)]));
  return Array.from(mask.matchAll(WITHOUT), ([, words = '']) => words)
    .flatMap((words) => words.split(/,|\s(?:and|or|nor)\s|\s(?:in|on|at|for|from|by|until|to)\s/))
    .some((item) => namesThing(item.trim(), said));
}

/** Whether one of some stems is that of the thing that a few words name; what is done, or harm that is avoided, is none. */
function namesThing(words: string, stems: ReadonlySet<string>): boolean {
  const last = /(?<!\p{L})\p{L}+$/u.exec(words.replace(/\s(?:whatsoever|at all|yet)$/i, ''))?.[0] ?? '';
  return (
    !/^\p{L}{2,}ing\s/u.test(words) &&
    !HARM.test(last) &&
    [...contentStems(last)].some((stem) => stems.has(stem))
  );
}
