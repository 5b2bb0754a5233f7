import { stemmedWords } from '../../kernel/text/content-stems.js';
import { clausesOf } from './negations.js';

/** Who does what to whom, as far as the order of words tells: "A calls B". */
interface Relation {
  /** The stem between the two and the words that steer it, such as `depend on`. */
  readonly link: string;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

type Words = ReturnType<typeof stemmedWords>;

/** Words of a side that count. */
const MOST_SIDE = 3;
/** Words that say which way a verb goes. */
const STEERING = new Set(
  'on to from into onto than before after with over under above below of for in at through via'.split(' '),
);
/** What says by itself which of two things is meant. */
const PREFERRING = /\b(?:over|instead of|rather than)\b/iu;
const COORDINATED = /\s(?:and|or|then)\s|,\s*/iu;
const PASSIVE = /\b(?:is|are|was|were|be|been|being)\b/iu;

/** What a thing does, or the number that is told of it: "the worker calls", "lunch at 12". */
type Deed = readonly [thing: string, deed: string];

/** Deeds of a digest that are compared with each other. */
const MOST_DEEDS = 100;

/**
 * Returns the sentences of a digest that exchange two parties of what its source says: "B calls A" for "A calls B", "from 20 to 30" for
 * "from 30 to 20", or who does which of two things. A passive is read as what it means; sentences whose words steer otherwise are not
 * compared.
 */
export function swappedRoles(source: readonly string[], digest: readonly string[]): readonly string[] {
  const told = source.flatMap(relationsOf);
  const relations = new Set(told.flatMap(keysOf));
  const deeds = new Set(told.flatMap(deedsOf).map(String));
  const said = digest.map((sentence) => ({ sentence, relations: relationsOf(sentence) }));
  const exchanged = exchangedDeeds(
    deeds,
    said.flatMap((each) => each.relations.flatMap(deedsOf)).slice(0, MOST_DEEDS),
  );
  const isTurned = (relation: Relation) => {
    const turned = keysOf({ ...relation, left: relation.right, right: relation.left });
    return turned.some((key) => relations.has(key)) && !keysOf(relation).some((key) => relations.has(key));
  };
  return said
    .filter((each) =>
      each.relations.some((one) => isTurned(one) || deedsOf(one).some((deed) => exchanged.has(String(deed)))),
    )
    .map(({ sentence }) => sentence);
}

/** Deeds of two things of which each is told to do what the other is said to do, and neither what it is said to do itself. */
function exchangedDeeds(told: ReadonlySet<string>, said: readonly Deed[]): ReadonlySet<string> {
  const untold = said.filter((deed) => !told.has(String(deed)));
  const exchanged = untold.filter(([thing, deed]) =>
    untold.some(
      ([other, its]) =>
        other !== thing && its !== deed && told.has(String([thing, its])) && told.has(String([other, deed])),
    ),
  );
  return new Set(exchanged.map(String));
}

function deedsOf({ link, left, right }: Relation): readonly Deed[] {
  const [deed = link] = link.split(' ');
  const things = /^\d/.test(deed) ? [...left, ...right] : left;
  return things.map((thing) => [thing, deed] as const);
}

function keysOf({ link, left, right }: Relation): readonly string[] {
  // What both sides are called says nothing of which is which.
  const [ones, others] = [
    left.filter((one) => !right.includes(one)),
    right.filter((one) => !left.includes(one)),
  ];
  return ones.flatMap((one) => others.map((other) => `${link} ${one} ${other}`));
}

function relationsOf(sentence: string): readonly Relation[] {
  return clausesOf(sentence)
    .flatMap(({ start, end }) => sentence.slice(start, end).split(COORDINATED))
    .flatMap((clause) => [...verbsOf(clause), ...choicesOf(clause)]);
}

/** Every word with what is before and behind it: which of them is the verb shows when another text has it too. */
function verbsOf(clause: string): readonly Relation[] {
  const words = stemmedWords(clause);
  return words.flatMap(({ word, stem }, at) => {
    if (stem === null || !isVerb(word, words.slice(Math.max(0, at - 3), at))) return [];
    const left = sideOf(words.slice(Math.max(0, at - 2 * MOST_SIDE), at).toReversed());
    const behind = words.slice(at + 1, at + 1 + 2 * MOST_SIDE);
    const right = sideOf(behind);
    const steering = behind
      .slice(
        0,
        behind.findIndex((word) => word.stem !== null),
      )
      .map(({ word }) => word)
      .filter((word) => STEERING.has(word) || word === 'by');
    const by = steering.includes('by');
    if (!by && isPassive(words.slice(Math.max(0, at - 3), at)) && steering.length === 0) return [];
    const link = [stem, ...steering.filter((word) => word !== 'by')].join(' ');
    return by ? [{ link, left: right, right: left }] : [{ link, left, right }];
  });
}

/** By its form: "calls", "called", "30", behind "is", or "call" behind a plural. A noun such as "database" moves for other reasons. */
function isVerb(word: string, before: Words): boolean {
  if (/^\d|(?:s|ed)$/u.test(word) || isPassive(before)) return true;
  const last = before.findLast(({ stem }) => stem !== null);
  return last !== undefined && before.at(-1) === last && /[^s]s$/u.test(last.word);
}

function isPassive(before: Words): boolean {
  return PASSIVE.test(before.map(({ word }) => word).join(' '));
}

/** The content words next to a place, a run of them at most. */
function sideOf(words: Words): readonly string[] {
  const first = words.findIndex(({ stem }) => stem !== null);
  if (first === -1) return [];
  const run = words.slice(first, first + MOST_SIDE);
  const end = run.findIndex(({ stem }) => stem === null);
  return (end === -1 ? run : run.slice(0, end)).flatMap(({ stem }) => stem ?? []);
}

function choicesOf(clause: string): readonly Relation[] {
  const found: Relation[] = [];
  const change = /\bfrom (.{1,60}?) to (.{1,60})/iu.exec(clause.replaceAll(/\s+/gu, ' '));
  if (change !== null)
    found.push({ link: 'from to', left: first(change[1] ?? ''), right: first(change[2] ?? '') });
  const choice = PREFERRING.exec(clause);
  if (choice !== null) {
    const before = stemmedWords(clause.slice(0, choice.index)).toReversed();
    found.push({
      link: 'over',
      left: sideOf(before),
      right: first(clause.slice(choice.index + choice[0].length)),
    });
  }
  return found;
}

function first(text: string): readonly string[] {
  return sideOf(stemmedWords(text));
}
