import { findPhrase, normalPhrase, type GoalWords } from './clauses/goal-words.js';
import type { MethodFile, SlotFile } from './method-schema.js';
import { LIST_SEPARATOR } from './clauses/noun-list.js';
import { phraseOf, slicePhrase, splitPhrase } from './clauses/phrase.js';
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
  const items = slot.list ? splitPhrase(phrase, LIST_SEPARATOR) : [phrase];
  const except = expandGroups(slot.except).map(normalPhrase);
  const distinct = new Map<string, string>();
  for (const item of items) {
    const words = normalPhrase(item.text);
    const excluded =
      findPhrase(
        except.filter(({ length }) => length === words.length),
        words,
      ) !== undefined;
    if (words.length === 0 || words.length > MAX_WORDS || excluded) continue;
    if (!distinct.has(words.join(' '))) distinct.set(words.join(' '), item.text);
  }
  return [...distinct.values()];
}

/** `template` with each {slot} replaced by what `values` or its default says. */
export function fillTemplate(template: string, values: Slots, slots: MethodFile['slots']): string {
  return template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const items = values.get(name);
    return items === undefined ? (slots[name]?.default ?? whole) : joinList(items);
  });
}

function joinList(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
