import type { Clause } from './clause.js';
import { leadingVerb, normalPhrase, readGoal } from './goal-words.js';
import { readDoing } from './made-thing.js';
import { neededDependencies } from '../needed-dependencies.js';
import { expandGroups } from './word-groups.js';

/** Verbs after which the thing is there to be worked on; after "fix" or "find" what "it" means is less sure. */
const HANDLING = new Set(
  expandGroups([
    '~build',
    ...(
      'draft|prepare|collect|gather|install|export|import|buy|order|chop|cook|bake|wash|pack|clean|update|upgrade|refactor|' +
      'rewrite|migrate|convert|version|containerise|dockerise|package|train|record|print|add|integrate|redesign|translate|edit|analyse'
    ).split('|'),
  ]).map((word) => normalPhrase(word).join(' ')),
);
/** A verb with "it" or "them" right behind it. */
const OF_IT =
  /^(?:(?:then|also)\s+)?([\p{L}-]+(?:\s+(?:up|out|down|off|on|over|back|together))?)\s+(it|them)(?=[\s,.;:]|$)/iu;
const MOST_WORDS = 6;

/** Verbs that bring something to what is there: what "it" means afterwards is still that. */
const ADDING = /^(?:add|integrate|include|introduce|enable|embed|insert|attach)$/;

/**
 * The parts of a goal, "it" and "them" right after a verb replaced by what a part before made or handled: each part is read
 * alone. Where that is not sure the word stays. What is done to a thing waits for what made it and was added to it.
 */
export function nameAntecedents(parts: readonly Clause[]): readonly Clause[] {
  const named: Clause[] = [];
  let thing = '';
  // Numbers of the parts that made the thing or added to it; none when it was only added itself.
  let makers: readonly number[] = [];
  for (const [index, part] of parts.entries()) {
    const isOfIt = OF_IT.test(part.description);
    const description = named.length === 0 ? part.description : withName(part.description, thing);
    const isAddition = makers.length > 0 && thing !== '' && !isOfIt && isAddedTo(part.description, thing);
    const isNamed = isOfIt && description !== part.description;
    const awaited = isNamed ? makers : isAddition && part.dependsOn.length === 0 ? makers.slice(0, 1) : [];
    named.push({ description, dependsOn: [...new Set([...part.dependsOn, ...awaited])].sort(ascending) });
    if (isAddition) makers = [...makers, index + 1];
    else if (isNamed) makers = [index + 1];
    else if (!isOfIt) {
      thing = thingOf(description);
      makers = isAdding(description) ? [] : [index + 1];
    }
  }
  const needed = neededDependencies(named.map(({ dependsOn }) => dependsOn));
  return named.map(({ description }, index) => ({ description, dependsOn: needed[index] ?? [] }));
}

function ascending(first: number, second: number): number {
  return first - second;
}

/** "Add search" after "Build a shop": what is added, when nothing else is named that it is added to. */
function isAddedTo(text: string, thing: string): boolean {
  if (!isAdding(text)) return false;
  const target = /\s(?:to|into|in)\s+(\S[^]*)$/i.exec(text)?.[1];
  if (target === undefined) return true;
  const words = normalPhrase(thing);
  return normalPhrase(target).at(-1) === words.at(-1);
}

/** Whether a part does something to what a part before it left: "then send it". */
export function isDoneToBefore(text: string): boolean {
  return OF_IT.test(text);
}

function isAdding(text: string): boolean {
  return ADDING.test(leadingVerb(readGoal(text)));
}

function withName(text: string, thing: string): string {
  const match = OF_IT.exec(text);
  if (match === null || thing === '') return text;
  const [whole, verb = '', pronoun = ''] = match;
  if ((pronoun.toLowerCase() === 'them') !== isPlural(thing)) return text;
  return `${verb} ${thing}${text.slice(whole.length)}`;
}

/** What a part leaves behind; empty when that is not sure. */
function thingOf(text: string): string {
  const goal = readGoal(text);
  const words = [leadingVerb(goal), ...goal.words.slice(1, 3).map(({ normal }) => normal)];
  if (![1, 2, 3].some((count) => HANDLING.has(words.slice(0, count).join(' ')))) return '';
  const { thing, isThing } = readDoing(text);
  const count = thing.split(/\s+/).length;
  if (thing === '' || count > MOST_WORDS || /\s(?:and|or)\s/i.test(thing)) return '';
  return isThing ? thing : `the ${thing}`;
}

function isPlural(thing: string): boolean {
  return /[^su]s$/i.test(thing);
}
