import { joinItems, splitItems } from '../clauses/list-items.js';
import {
  isImperative,
  phraseOf,
  slicePhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';
import { HIDDEN } from '../../../planning/documents/english/protect.js';

const BULLET = /^\s*[-*•]\s+(?=\S)/;

/** A goal with a list of lines under it as a sentence with a list in it: "Build an API:\n- A\n- B" is "Build an API: A and B". */
export function withoutBullets(description: string): string {
  if (!/\n[^\S\n]*[-*•]\s/.test(description)) return description;
  const written: string[] = [];
  let items: string[] = [];
  const close = (): void => {
    const lead = written.pop();
    if (items.length > 0)
      written.push(`${lead?.replace(/(?:(?<!\s)\s+)?:?$/, ':') ?? ''} ${joined(items)}`.trim());
    else if (lead !== undefined) written.push(lead);
    items = [];
  };
  for (const line of description.split('\n').map((each) => each.trim())) {
    const bullet = BULLET.exec(`${line} `)?.[0].length;
    if (bullet !== undefined) items.push(line.slice(bullet).replace(/[.,;]$/, ''));
    else if (line !== '') {
      close();
      written.push(line);
    }
  }
  close();
  return written.map((text, index) => (index < written.length - 1 ? ended(text) : text)).join(' ');
}

function joined(items: readonly string[]): string {
  return items.some((item) => /[,;]|\sand\s/i.test(item)) ? items.join('; ') : joinItems(items);
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const MARKED = /^(?:with|including|featuring|incl\.|having|e\.g\.|for example|such as)\s+/i;
const OWN_LIST = /\s(?:with|including|featuring)\s/i;
const SENTENCE_END = /[.!?]\s+(?=\S)|(?:(?<!\s)\s+)?\n\s*/;

/**
 * A goal whose list stands in brackets or behind a colon, with the list behind "with": "Build a game (with A and B)", "Build a
 * game: A and B". A list of things to do stays as it is.
 */
export function withPlainList(text: string): string {
  const goal = phraseOf(text);
  const end = SENTENCE_END.exec(goal.mask)?.index ?? goal.text.length;
  const main = { text: goal.text.slice(0, end), mask: goal.mask.slice(0, end) };
  const plain = OWN_LIST.test(main.mask) ? main.text : (fromBrackets(main) ?? fromColon(main) ?? main.text);
  return `${plain}${goal.text.slice(end)}`;
}

function fromBrackets({ text, mask }: Phrase): string | undefined {
  const bracket = [...text.matchAll(/(?<!\s)\s+\(([^()]+)\)/g)].find(
    ({ index, 0: whole, 1: inner = '' }) =>
      mask.charAt(index + whole.length - 1) === HIDDEN &&
      /^(?:with|including|featuring|having)\s/i.test(inner),
  );
  if (bracket === undefined) return undefined;
  const rest = `${text.slice(0, bracket.index)}${text.slice(bracket.index + bracket[0].length)}`;
  return `${rest.replace(/[.!]$/, '')} with ${(bracket[1] ?? '').replace(MARKED, '')}`;
}

function fromColon(main: Phrase): string | undefined {
  const colon = /(?:(?<!\s)\s+)?:\s+/.exec(main.mask);
  if (colon === null) return undefined;
  const items = itemsOfColon(slicePhrase(main, colon.index + colon[0].length));
  if (items === undefined) return undefined;
  return `${main.text.slice(0, colon.index)} with ${joinItems(items)}`;
}

/** The things that a list behind a colon names; undefined for what are no things. */
function itemsOfColon(list: Phrase): readonly string[] | undefined {
  const items = splitItems(list).flatMap((item) =>
    /,\s/.test(item.mask) && !/\s(?:and|&)\s/.test(item.mask) ? splitItems(item) : [item],
  );
  const areThings = items.every(
    (item) => item.text !== '' && wordsOf(item).length <= 8 && !/[,;.?!:]\s/.test(item.mask),
  );
  return items.length === 0 || !areThings || items.every(isImperative)
    ? undefined
    : items.map(({ text }) => text);
}
