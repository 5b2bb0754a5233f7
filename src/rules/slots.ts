import { isVerbPhrase } from './clauses/abilities.js';
import { normalPhrase, type GoalWords } from './clauses/goal-words.js';
import type { MethodFile, SlotFile } from './method-schema.js';
import { joinItems, splitItems } from './clauses/list-items.js';
import { phraseOf, slicePhrase, type Phrase } from './clauses/phrase.js';
import { expandGroups } from './clauses/word-groups.js';

/** What a goal says in the slots of a method: the items of a list, or one text. A slot not filled is not there. */
export type Slots = ReadonlyMap<string, readonly string[]>;

const MAX_WORDS = 12;

/** Reads the slots of a method from a goal: each takes the text from its preposition to that of another slot. */
export function fillSlots(goal: GoalWords, slots: MethodFile['slots']): Slots {
  const starts = startsOf(goal, slots);
  const filled = new Map<string, readonly string[]>();
  for (const [index, { name, slot, from }] of starts.entries()) {
    const items = itemsOf(goal.text.slice(from, starts[index + 1]?.at ?? goal.text.length), slot);
    if (items.length > 0) filled.set(name, items);
  }
  return filled;
}

/** Where the text of each slot begins; the first of its prepositions counts. */
function startsOf(goal: GoalWords, slots: MethodFile['slots']) {
  const starts: { name: string; slot: SlotFile; at: number; from: number }[] = [];
  for (const word of goal.words.filter(({ ends }) => ends)) {
    const found = Object.entries(slots).find(
      ([name, { after }]) =>
        !starts.some((start) => start.name === name) &&
        after.some((other) => normalPhrase(other)[0] === word.normal),
    );
    if (found !== undefined) starts.push({ name: found[0], slot: found[1], at: word.start, from: word.end });
  }
  return starts;
}

function itemsOf(text: string, slot: SlotFile): readonly string[] {
  const phrase = slicePhrase(phraseOf(text.split(/[;!?]\s|\.\s|\n/)[0] ?? ''), 0);
  const items = slot.list ? splitItems(phrase) : [phrase];
  const distinct = new Map<string, string>();
  for (const item of items) {
    const words = normalPhrase(item.text);
    if (words.length === 0 || isExcepted(item.text, slot.except)) continue;
    if (!slot.list && (words.length > MAX_WORDS || !isNounPhrase(item))) continue;
    if (!distinct.has(words.join(' '))) distinct.set(words.join(' '), item.text);
  }
  return [...distinct.values()];
}

/** Whether a text can stand where a template has a noun: "the shop", not "cover the parser" or "3 pm, weekly". */
function isNounPhrase(phrase: Phrase): boolean {
  return !isVerbPhrase(phrase) && !/[,:]\s/.test(phrase.mask);
}

/** Whether an item is one of those that a list leaves out, word for word. */
export function isExcepted(item: string, except: readonly string[]): boolean {
  const words = normalPhrase(item).join(' ');
  return expandGroups(except).some((other) => normalPhrase(other).join(' ') === words);
}

/** `template` with each {slot} replaced by what `values` or its default says. */
export function fillTemplate(template: string, values: Slots, slots: MethodFile['slots']): string {
  return template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const items = values.get(name);
    return items === undefined ? (slots[name]?.default ?? whole) : joinItems(items);
  });
}
