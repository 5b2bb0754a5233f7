import {
  isAmbiguousVerb,
  isDeterminer,
  isPreposition,
  isSubordinator,
  isVerb,
  verbOfGerund,
} from '../../../planning/documents/english/lexicon.js';
import { protect } from '../../../planning/documents/english/protect.js';
import { readGoal } from './goal-words.js';
import { isOtherLanguage } from './language.js';

/** Short forms, as the methods spell them; no parts of names, paths or addresses. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\S)w\/o\s+/gi, 'without '],
  [/(?<!\S)w\/\s*/gi, 'with '],
  [aWord('e2e'), 'end-to-end'],
  [aWord('i18n'), 'internationalisation'],
  [aWord('a11y'), 'accessibility'],
  [aWord('perf'), 'performance'],
  [aWord('deps'), 'dependencies'],
  [/(?<![^\s(])v(?=\d[\d.]*(?![^\s,;:!?)]))/gi, 'version '],
  [/(?<!\s)\s+(?:->|→|=>)\s+/g, ' to '],
  [/(?<=^(?:release|ship|cut|publish) )(?=\d+\.\d)/gi, 'version '],
  // From one version to another of the same.
  [
    /^(?:migrate|move|switch)\s+(?:from\s+)?(?=([\p{L}.+#-]+)\s+(?:version\s+)?\d[\d.x]*\s+to\s+(?:\1\s+)?(?:version\s+)?\d[\d.x]*(?![\w%]|\s+\p{L}*s\b))/giu,
    'upgrade ',
  ],
];

function aWord(word: string): RegExp {
  return new RegExp(`(?<![^\\s(])${word}(?![^\\s,;:!?).]|\\.\\S)`, 'gi');
}

/** A longer text is no goal that a method knows. */
const MAX_LENGTH = 1000;

const SUBJECT = String.raw`(?:(?:our|the|my|all|some|these|this)\s+)?((?:[^\s,;]+\s+){0,6}?[^\s,;]+)`;
const BE = "(?:is|are|'s|has become|have become|feels?|gets?|seems?)";
const MUCH =
  '(?:(?:far|way|much|very|really|too|so|super|pretty|quite|rather|kind of|kinda|insanely|incredibly|unbearably|painfully|terribly|awfully|extremely|a bit)\\s+)*';
const REST = String.raw`(\s+(?:on|in|for|of|at|during)\s+[^,;.]+)?`;
const TAKES = String.raw`(?:takes?|needs?(?!\s+\d[\d.,]*\s*m\b)|(?:loads?|starts?|builds?|runs?|responds?|renders?|opens?|answers?) in)`;
const TIME = String.raw`(?:(?:over|about|almost|nearly|up to|more than)\s+)?(?:\d[\d.,]*\s*|(?:an?|one|two|three|five|six|seven|eight|ten|fifteen|twenty|thirty|forty)\s+)(?:ms|s|secs?|seconds?|m(?!\s+of\b)|mins?|minutes?|h|hrs?|hours?)\b`;

/** Ways of saying what is wanted, or what is wrong, and the imperative that says the same. */
const SENSES: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `^(?:make|get)\\s+${SUBJECT}\\s+(?:(?:much|a lot|way|far|a bit)\\s+)?(?:faster|quicker|snappier|fast|quick|speedier)\\b(?!\\s*,|\\s+and\\b)`,
      'i',
    ),
    'Speed up $1',
  ],
  [
    new RegExp(
      `^(?:get|bring|cut|reduce|keep)\\s+${SUBJECT}\\s+(?:down\\s+)?(?:to|under|below)\\s+${TIME}`,
      'i',
    ),
    'Speed up $1',
  ],
  [new RegExp(`^${SUBJECT}\\s+${BE}\\s+${MUCH}(?:slow|sluggish|laggy)\\b${REST}`, 'i'), 'Speed up $1$2'],
  [new RegExp(`^why\\s+(?:is|are)\\s+${SUBJECT}\\s+${MUCH}(?:slow|sluggish|laggy)\\b`, 'i'), 'Speed up $1'],
  [new RegExp(`^why\\s+(?:is|are)\\s+${SUBJECT}\\s+${MUCH}flaky\\b`, 'i'), 'Fix flaky $1'],
  [new RegExp(`^why\\s+(?:does|do)\\s+${SUBJECT}\\s+take\\s+(?:so|too|that)\\s+long\\b`, 'i'), 'Speed up $1'],
  [
    new RegExp(`^(?:get|bring|cut|reduce)\\s+${SUBJECT}\\s+(?:down\\s+)?from\\s+${TIME}(?:\\s+down)?`, 'i'),
    'Speed up $1',
  ],
  [
    new RegExp(`^${SUBJECT}\\s+${TAKES}\\s+(?:${TIME}|too long|forever|ages|${MUCH}long)${REST}`, 'i'),
    'Speed up $1$2',
  ],
  [new RegExp(`^${SUBJECT}\\s+${TAKES}\\s+(?:${TIME}|too long|forever|ages)`, 'i'), 'Speed up $1'],
  [
    new RegExp(
      `^(?:make\\s+)?${SUBJECT}\\s+(?:cheaper|${BE}\\s+${MUCH}expensive|costs?\\s+too\\s+much)\\b`,
      'i',
    ),
    'Reduce $1 costs',
  ],
  [new RegExp(`^(?:slow|sluggish)\\s+${SUBJECT}$`, 'i'), 'Speed up $1'],
  [new RegExp(`^${SUBJECT}\\s+${BE}\\s+flaky\\b(?:\\s+and\\s[^,;.]*)?`, 'i'), 'Fix flaky $1'],
  [
    /^(?:get|bring|keep)\s+(?:(?:our|the|my)\s+)?((?:\S+\s+){0,4}?(?:costs?|bills?|spend(?:ing)?))\s+(?:down|under|below|to)\b/i,
    'Reduce $1 to',
  ],
  [
    /^[^,;.]*\bcosts?\s+too\s+much,\s+(?:get|bring|keep)\s+(?:(?:our|the|my)\s+)?((?:\S+\s+){0,4}?(?:costs?|bills?|spend(?:ing)?))\s+(?:down|under|below|to)\b/i,
    'Reduce $1 to',
  ],
  [
    /^(?:(?:our|the|my)\s+)?((?:[^\s,]+\s+){0,3}?queues?)\s+(?:(?:is|are|keeps?)\s+)?(?:(?:constantly|always|way)\s+)?(?:backed|backing|growing|piling|lagging|falling|hours|days)\b[^;.]*/i,
    'Fix $1 backlog',
  ],
  [/^(?:get rid of|kill off|phase out|retire|do away with|throw out)\s+/i, 'Remove '],
  [/^(?:switch|go|change|get|move away|move off|transition|move over)\s+(?=from\s)/i, 'Migrate '],
  [/^(?:(?:move|get|go)\s+off|(?:move|get|switch|go)\s+away\s+from)\s+/i, 'Migrate from '],
  [
    /^(?:find|track down|hunt down|look into|investigate|diagnose)\s+(?:and|&)\s+(?:fix|solve|repair|resolve)\s+/i,
    'Fix ',
  ],
  [
    /^(?:find out|figure out|see) why ([^,;.]+?) and (?:fix|mend|solve|repair|stop) (?:it|that|them|this)\b/i,
    'Fix $1',
  ],
  [/^(?:plan|design|specify|define|research)\s+(?:and|&)\s+(?=\p{L}+\s+(?:an?|the|our|my)\s)/iu, ''],
];

/** What a name of work is the work of: "Migration to Vue 3". */
const NAMED_WORK: readonly (readonly [RegExp, string])[] = [
  [/^(?:the\s+)?migration\s+(?=(?:of|from|to)\s)/i, 'Migrate '],
  [/^(?:the\s+)?upgrade\s+of\s+/i, 'Upgrade '],
  [/^(?:the\s+)?refactoring\s+of\s+/i, 'Refactor '],
];
/** Nouns of work, and the verb that does it: "Kitchen renovation". */
const WORK: readonly (readonly [RegExp, string])[] = Object.entries({
  upgrade: 'Upgrade',
  'refactoring|cleanup|rewrite': 'Refactor',
  cleanup: 'Clean up',
  migration: 'Migrate',
  'renovation|remodel': 'Renovate',
  'redesign|relaunch': 'Redesign',
  'set-?up': 'Set up',
  'roll-?out': 'Roll out',
  'prep|preparation': 'Prepare for',
  '(?<=\\b(?:job|internship|apprenticeship|flat|apartment|roommate|flatmate) )(?:search|hunt(?:ing)?)':
    'Find a',
  '(?<=\\b(?:house|home|nanny) )hunt(?:ing)?': 'Find a',
  move: 'Move',
}).map(([noun, verb]) => [
  new RegExp(
    `^(?:(?:plan|do|manage|organi[sz]e|handle)\\s+(?=(?:the|our|my|an?)\\s))?([^,;.:]+?)(?<!\\b(?:to|and|or|not|never|i|we|you|they)|n['’]t) (?:${noun})(?=$|,| (?:to|from|for|on|in|of) )`,
    'i',
  ),
  verb,
]);
/** What a project is called, before what it is: "Project Lighthouse: logs of our servers", "homelab-v2: replace the server". */
const PROJECT = /^(?:project\s+\S+|[\p{L}\d]+(?:[-_][\p{L}\d]+)+):\s+/iu;
const ARROW = /\s(?:->|→|=>)\s/;

const IDLE_END =
  /(?<![\s,])[\s,]+(?:everywhere|again|all over(?: the place)?|all the time|constantly|lately|these days|please|asap|now)[.!]*$/i;
const FINITE =
  /\s(?:is|are|was|were|has|have|had|keeps?|should|must|can|cannot|can't|doesn't|don't|does|do|gets?|takes?|needs?|fails?|breaks?)\s/i;

/** Returns a text with its short forms as the methods spell them: “with” for “w/”; what is quoted stays. */
export function inFull(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  return SHORT_FORMS.reduce((found, [form, word]) => {
    const places = [...protect(found).matchAll(form)];
    const kept = places.map(({ index }, at) => {
      const before = places[at - 1];
      return found.slice(before === undefined ? 0 : before.index + before[0].length, index) + word;
    });
    const last = places.at(-1);
    return kept.join('') + found.slice(last === undefined ? 0 : last.index + last[0].length);
  }, text);
}

/**
 * Other wordings of a goal that mean the same and begin with a verb, the likeliest first: a complaint as what mends it, a name
 * as what makes it. Whether one is right shows when a method fits it.
 */
export function wordingsOf(description: string): readonly string[] {
  const { text } = readGoal(description);
  if (text === '' || isOtherLanguage(text)) return [];
  const plain = inFull(text).replaceAll(/\s+/g, ' ').replace(IDLE_END, '');
  const mask = protect(plain);
  const senses = [...SENSES, ...NAMED_WORK].flatMap(([pattern, imperative]) =>
    pattern.test(mask) ? [plain.replace(pattern, imperative)] : [],
  );
  const work = WORK.flatMap(([pattern, verb]) => {
    const [whole, thing = ''] = pattern.exec(mask) ?? [];
    if (whole === undefined || isOrder(thing)) return [];
    return [plain.replace(pattern, `${verb} $1`)];
  });
  const moved = ARROW.test(protect(text)) ? [`Migrate from ${plain}`] : [];
  const names = isName(plain, mask) ? ofName(plain) : [];
  const [called] = PROJECT.exec(mask) ?? [];
  const project = called === undefined ? [] : [plain.slice(called.length)];
  return [...(plain === text ? [] : [plain]), ...moved, ...senses, ...work, ...names, ...project];
}

/** What follows an order, whatever its verb: "Remember why", "Count how often". */
const ASKED = /^(?:why|how|what|when|whether|if)$/i;

const ING_NOUN =
  /^(?:wedding|building|housewarming|outing|evening|morning|ceiling|spring|clothing|housing)$/i;
/** "Grandma's 80th birthday" */
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;

/** Whether a goal names a thing and nothing else: "k8s cluster with monitoring". */
function isName(plain: string, mask: string): boolean {
  const [first = '', second = ''] = plain.split(/\s+/);
  const [clause = ''] = mask.split(/[,.;?!](?:\s|$)|\s(?:because|since|so)\s/, 1);
  // What stands behind a name may be a sentence; behind the first item of a list it tells what all of them do.
  const said = /\s/.test(clause) && !/^the\s/i.test(clause) ? clause : mask;
  const isDoing = /\p{L}ing$/u.test(first) && !ING_NOUN.test(first);
  if (second === '' || isDoing || FINITE.test(said)) return false;
  const isOther =
    isPreposition(first) ||
    isSubordinator(first) ||
    /^(?:no|not|never|don['’]t|why|how|what)$/i.test(first) ||
    ASKED.test(second);
  const isAbbreviation = /^[A-Z\d]{2,}$/.test(first);
  return !isOther && (isAbbreviation || (!isVerb(first) && (!isDeterminer(second) || ORDINAL.test(second))));
}

/** "Delete the old", "Cancel": a verb and what it is done to, rather than the name of a thing. */
function isOrder(thing: string): boolean {
  const [first = '', second = ''] = thing.split(/\s+/);
  return ASKED.test(second) || (isVerb(first) && (!isAmbiguousVerb(first) || isDeterminer(second)));
}

/** Verbs that say nothing of what is to be done: "Get the nurses to use tablets". */
const BARE_VERB = /^(?:get|make|do|have|help|deal|handle|manage|sort)\s/i;
/** Words before "the" or "my" that are no verbs. */
const NO_VERB =
  /^(?:half|all|both|not|is|are|was|were|has|have|had|can|will|what|how|when|where|who|but|and|so|if)$/i;

/**
 * Returns whether a goal tells to do something that its verb names, or not to do it: whatever else it says is said of that.
 * "Write a song about sleepless nights" is no trouble with sleep.
 */
export function ordersOtherwise(goal: string): boolean {
  const [first = '', second = ''] = goal.split(/\s+/);
  if (BARE_VERB.test(goal)) return false;
  const isUnknown =
    isDeterminer(second) && !isDeterminer(first) && !isPreposition(first) && !NO_VERB.test(first);
  // "Stop trying to", "Test with"
  const isVerbal = isVerb(first) && (verbOfGerund(second) !== undefined || isPreposition(second));
  return isOrder(goal) || isUnknown || isVerbal;
}

function ofName(name: string): readonly string[] {
  return ['Fix', 'Build', 'Add', 'Organise', 'Write', 'Start', 'Run', 'Prepare for'].map(
    (verb) => `${verb} ${name}`,
  );
}
