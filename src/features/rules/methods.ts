import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import {
  findInGoalWords,
  headOf,
  leadingVerb,
  namesTwoThings,
  normalPhrase,
  readGoal,
  type GoalWords,
} from './clauses/goal-words.js';
import { methodSchema, type MethodFile } from './method-schema.js';
import { fillSlots, type Slots } from './slots.js';
import { inFull, ordersOtherwise, wordingsOf } from './clauses/wordings.js';
import { expandGroups } from './clauses/word-groups.js';
import { readYaml } from '../../kernel/yaml.js';
import { IN_OUR_WORDS } from '../../kernel/word-issue.js';

type Phrases = readonly (readonly string[])[];

/** Words that a goal must hold, normalised. */
export interface Pattern {
  readonly verbs: Phrases;
  readonly object: readonly Phrases[];
  readonly anywhere: readonly Phrases[];
  readonly none: Phrases;
}

/** A method, checked and ready to be matched. */
export interface Method {
  readonly name: string;
  readonly title: string;
  readonly reasoning: string;
  readonly patterns: readonly Pattern[];
  readonly slots: MethodFile['slots'];
  /** None in a method with steps. */
  readonly subGoals: NonNullable<MethodFile['sub_goals']>;
  /** The steps that carry out the goals it fits; undefined in a method with sub-goals. */
  readonly steps: MethodFile['steps'];
  readonly amends: MethodFile['amends'];
  /** Where it is at home; such a method is not matched with goals. */
  readonly setting: MethodFile['setting'];
  readonly builtIn: boolean;
}

/** The method that fits a goal, with what the goal says in its slots. */
export interface MethodMatch {
  readonly method: Method;
  readonly slots: Slots;
  /** The goal in the words in which the method fits it: "Speed up the CI" for "The CI is slow". */
  readonly wording: string;
}

const MAX_FILE_LENGTH = 65_536;

/** Reads one method file; throws INVALID_METHOD, naming `file`, line and place, for one that the schema refuses. */
export function parseMethod(text: string, file: string): Method {
  if (text.length > MAX_FILE_LENGTH) throw invalid(file, 1, `is longer than ${MAX_FILE_LENGTH} characters`);
  const read = readYaml(text);
  if ('problem' in read) throw invalid(file, read.line, read.problem);
  const result = methodSchema.safeParse(read.value, IN_OUR_WORDS);
  if (!result.success) {
    const [issue] = result.error.issues;
    const path = issue?.path.filter((key) => typeof key !== 'symbol') ?? [];
    throw invalid(
      file,
      read.positionOf(path).line,
      `${path.join('.') || 'the file'}: ${issue?.message ?? ''}`,
    );
  }
  return methodOf(result.data, false);
}

function invalid(file: string, line: number, problem: string): PlanError {
  return new PlanError('INVALID_METHOD', `${file}:${line}: ${problem}`, {
    hint: ['docs/writing-methods.md says what a method file holds.'],
    details: { file, line },
  });
}

function methodOf(file: MethodFile, builtIn: boolean): Method {
  const { name, title, reasoning, slots, setting, steps, amends } = file;
  const patterns = file.fits.map(patternOf);
  const subGoals = file.sub_goals ?? [];
  return { name, title, reasoning, slots, patterns, subGoals, steps, amends, setting, builtIn };
}

/** A pattern whose words are normalised when a goal first asks for them: most goals ask for the verbs alone. */
function patternOf({ verbs, object, anywhere, none }: MethodFile['fits'][number]): Pattern {
  return {
    get verbs() {
      return once(this, 'verbs', phrasesOf(verbs));
    },
    get object() {
      return once(this, 'object', object.map(phrasesOf));
    },
    get anywhere() {
      return once(this, 'anywhere', anywhere.map(phrasesOf));
    },
    get none() {
      return once(this, 'none', phrasesOf(none));
    },
  };
}

function once<Key extends keyof Pattern>(pattern: Pattern, key: Key, value: Pattern[Key]): Pattern[Key] {
  Object.defineProperty(pattern, key, { value });
  return value;
}

function phrasesOf(words: readonly string[]): Phrases {
  return expandGroups(words).map(normalPhrase);
}

let cached: readonly Method[] | undefined;
let cachedBrowser: readonly Method[] | undefined;

/** The methods for goals that come with the program, by name; read from their files at the first call. */
export function builtInMethods(): readonly Method[] {
  cached ??= readBuiltIn(new URL('./methods/', import.meta.url));
  return cached;
}

/**
 * The methods that come with the program for the clauses of browser requests, likewise read from their files at
 * the first call.
 */
export function browserMethods(): readonly Method[] {
  cachedBrowser ??= readBuiltIn(new URL('./methods/browser/', import.meta.url));
  return cachedBrowser;
}

/** `methods` without those that another of the same name replaces: one of the project the built-in one. */
export function effectiveMethods(methods: readonly Method[]): readonly Method[] {
  const own = new Set(methods.filter(({ builtIn }) => !builtIn).map(({ name }) => name));
  return methods.filter(({ builtIn, name }) => !builtIn || !own.has(name));
}

/** From the one file that the build makes of them, where it is there. */
function readBuiltIn(folder: URL): readonly Method[] {
  const built = new URL('all.json', folder);
  if (existsSync(built)) {
    const methods = z.array(methodSchema).parse(JSON.parse(readFileSync(built, 'utf8')));
    return methods.map((method) => methodOf(method, true));
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const url = new URL(file, folder);
      return { ...parseMethod(readFileSync(url, 'utf8'), fileURLToPath(url)), builtIn: true };
    });
}

/**
 * The most specific of `methods` that fits the goal: the one that most words speak for; among equals one of the project
 * before a built-in one, then by name. A project's method hides the built-in one of its name. When none fits the words as they
 * are, one with sub-goals is looked for by what they mean. Null when none fits.
 */
export function matchMethod(description: string, methods: readonly Method[]): MethodMatch | null {
  const found = matchWording(inFull(description), methods);
  if (found !== null) return found;
  for (const wording of wordingsOf(description)) {
    const match = matchWording(wording, methods);
    if (match !== null && match.method.steps === undefined) return match;
  }
  return null;
}

function matchWording(description: string, methods: readonly Method[]): MethodMatch | null {
  const goal = readGoal(description);
  const words = wordsToMatch(goal);
  const [best] = goalMethods(methods)
    .map((method) => ({
      method,
      score: method.patterns.reduce(
        (best, pattern) => Math.max(best, scoreOf(pattern, goal, words)),
        -Infinity,
      ),
    }))
    .filter(({ score }) => score > 0)
    .sort(
      (first, second) =>
        second.score - first.score ||
        Number(first.method.builtIn) - Number(second.method.builtIn) ||
        (first.method.name < second.method.name ? -1 : 1),
    );
  if (best === undefined) return null;
  return { method: best.method, slots: fillSlots(goal, best.method.slots), wording: description };
}

const matched = new WeakMap<readonly Method[], readonly Method[]>();

/** The methods that goals are matched with; the same list is sorted out once. */
function goalMethods(methods: readonly Method[]): readonly Method[] {
  const known = matched.get(methods);
  if (known !== undefined) return known;
  const found = effectiveMethods(methods).filter(({ setting }) => setting === undefined);
  matched.set(methods, found);
  return found;
}

interface MatchedWords {
  readonly all: readonly string[];
  /** The same, the first as a plain verb. */
  readonly fromVerb: readonly string[];
}

function wordsToMatch(goal: GoalWords): MatchedWords {
  const all = goal.words.map(({ normal }) => normal);
  return { all, fromVerb: [leadingVerb(goal), ...all.slice(1)] };
}

const FORBIDS = /^(?:do\s+not|don['’]t|never|stop\s+trying)\s/i;

/** How many words of the goal speak for the pattern; 0 when it does not fit. */
function scoreOf(pattern: Pattern, goal: GoalWords, { all, fromVerb }: MatchedWords): number {
  if (FORBIDS.test(goal.text)) return 0;
  const verb = verbLength(pattern.verbs, fromVerb);
  const isFree = pattern.verbs.length === 0 && !ordersOtherwise(goal.text);
  if ((verb === 0 && !isFree) || findInGoalWords(pattern.none, all) !== undefined) return 0;
  const end = goal.words.findIndex(({ ends }, index) => index >= verb && ends);
  const object = all.slice(verb, end < 0 ? all.length : end);
  if (
    namesTwoThings(object) &&
    !pattern.object.some((group) =>
      findInGoalWords(
        group.filter((phrase) => phrase.includes('and')),
        object,
      ),
    )
  ) {
    return 0;
  }
  const said = scoreGroups(pattern, object, all);
  return said === undefined ? 0 : verb + said;
}

function verbLength(verbs: Phrases, words: readonly string[]): number {
  const fitting = verbs.filter((verb) => verb.every((word, index) => words[index] === word));
  return fitting.reduce((longest, verb) => Math.max(longest, verb.length), 0);
}

function scoreGroups(
  pattern: Pattern,
  object: readonly string[],
  all: readonly string[],
): number | undefined {
  const inObject = pattern.object.map((group) => bestAtHead(group, object));
  const elsewhere = pattern.anywhere.map((group) => findInGoalWords(group, all));
  if (inObject.length > 0 && !inObject.some((found) => found?.atHead === true)) return undefined;
  let score = 0;
  for (const found of [...inObject, ...elsewhere]) {
    if (found === undefined) return undefined;
    score += found.length;
  }
  return score;
}

/** A phrase counts as the head at the very last word of the object, or before the nouns that add nothing. */
function bestAtHead(group: Phrases, object: readonly string[]): ReturnType<typeof findInGoalWords> {
  const atEnd = findInGoalWords(group, object, object.length - 1);
  return atEnd?.atHead === true ? atEnd : findInGoalWords(group, object, headOf(object));
}
