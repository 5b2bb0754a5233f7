import type { Clause } from './clause.js';
import { leadingVerb, normalPhrase, readGoal } from './goal-words.js';
import { readDoing } from './made-thing.js';
import { neededDependencies } from '../needed-dependencies.js';
import { expandGroups } from './word-groups.js';

/** Verbs after which the thing is there to be worked on. */
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
/** "move the jobs to it": at the end, behind a preposition. */
const TO_IT = /^(\p{L}+\s(?:[^,.;:]+\s)?(?:to|into|onto|with|on|for|from))\s(it|them)$/iu;
/** After these what is named is gone: what "it" means is less sure. */
const MENDING = /^(?:fix|find|solve|resolve|debug|repair|mend|remove|delete|cancel|close|stop|end)$/;
const MOST_WORDS = 6;

/** Verbs that bring something to what is there: what "it" means afterwards is still that. */
const ADDING = /^(?:add|integrate|include|introduce|enable|embed|insert|attach)$/;

/**
 * The parts of a goal, "it" and "them" right after a verb replaced by what a part before made or handled: each part is read
 * alone. Where that is not sure the word stays. What is done to a thing waits for what made it and was added to it.
 */
export function nameAntecedents(parts: readonly Clause[]): readonly Clause[] {
  const named: Clause[] = [];
  let things: readonly string[] = [];
  // Numbers of the parts that made the thing or added to it; none when it was only added itself.
  let makers: readonly number[] = [];
  for (const [index, part] of parts.entries()) {
    const isOfIt = OF_IT.test(part.description) || TO_IT.test(part.description);
    const description = named.length === 0 ? part.description : withName(part.description, things);
    const [thing = ''] = things;
    const isAddition = makers.length > 0 && thing !== '' && !isOfIt && isAddedTo(part.description, thing);
    const isNamed = isOfIt && description !== part.description;
    const awaited = isNamed ? makers : isAddition && part.dependsOn.length === 0 ? makers.slice(0, 1) : [];
    named.push({ description, dependsOn: [...new Set([...part.dependsOn, ...awaited])].sort(ascending) });
    if (isAddition) makers = [...makers, index + 1];
    else if (isNamed) makers = [index + 1];
    else if (!isOfIt) {
      things = thingsOf(description);
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

function withName(text: string, things: readonly string[]): string {
  const [whole = '', verb = '', pronoun = ''] = OF_IT.exec(text) ?? TO_IT.exec(text) ?? [];
  const thing = things.find((one) => isPlural(one) === (pronoun.toLowerCase() === 'them'));
  return whole === '' || thing === undefined ? text : `${verb} ${thing}${text.slice(whole.length)}`;
}

/** What a part leaves behind, the likeliest first, and what that is for; none when it is not sure. */
function thingsOf(text: string): readonly string[] {
  const goal = readGoal(text);
  const words = [leadingVerb(goal), ...goal.words.slice(1, 3).map(({ normal }) => normal)];
  const { thing, isThing, end } = readDoing(text);
  const isHandled = [1, 2, 3].some((count) => HANDLING.has(words.slice(0, count).join(' ')));
  // "Declutter the garage": whatever is done to the only thing named, it is still there.
  if (!isHandled && !(isThing && end === goal.text.length && !MENDING.test(words[0] ?? ''))) return [];
  const [, below = ''] =
    /^\s(?:for|of|in)\s((?:the|our|my|your|their)\s[^,.;:]+)$/.exec(goal.text.slice(end)) ?? [];
  return [isThing ? thing : `the ${thing}`, below].filter(
    (one) => /\S\s\S/.test(one) && one.split(/\s+/).length <= MOST_WORDS && !/\s(?:and|or)\s/i.test(one),
  );
}

function isPlural(thing: string): boolean {
  return /[^su]s$/i.test(thing);
}
