import { leadingVerb, normalPhrase, readGoal } from './goal-words.js';
import { readDoing } from './made-thing.js';
import { expandGroups } from './word-groups.js';

/** Verbs after which the thing is there to be worked on; after "fix" or "find" what "it" means is less sure. */
const HANDLING = new Set(
  expandGroups([
    '~build',
    ...(
      'draft|prepare|collect|gather|install|export|import|buy|order|chop|cook|bake|wash|pack|clean|update|upgrade|refactor|' +
      'rewrite|migrate|convert|containerise|dockerise|package|train|record|print|add|integrate|redesign|translate|edit|analyse'
    ).split('|'),
  ]).map((word) => normalPhrase(word).join(' ')),
);
const OF_IT =
  /^(?:(?:then|also)\s+)?([\p{L}-]+(?:\s+(?:up|out|down|off|on|over|back|together))?)\s+(it|them)(?=[\s,.;:]|$)/iu;
const MOST_WORDS = 6;

/**
 * The parts of a goal, "it" and "them" right after a verb replaced by what the part before made or handled: each part is
 * read alone. Where that is not sure the word stays.
 */
export function nameAntecedents<T extends { readonly description: string }>(
  parts: readonly T[],
): readonly T[] {
  const named: T[] = [];
  let thing = '';
  for (const part of parts) {
    const description = named.length === 0 ? part.description : withName(part.description, thing);
    if (!OF_IT.test(part.description)) thing = thingOf(description);
    named.push({ ...part, description });
  }
  return named;
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
