import { joinItems, splitItems } from '../clauses/list-items.js';
import {
  isImperative,
  phraseOf,
  slicePhrase,
  trimmedPhrase,
  wordsOf,
} from '../../../planning/documents/english/phrase.js';

const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(?=\S)/;

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

/** What stands behind the last bullet of a goal, when it only says something of the whole: "Budget is 2500 euros". */
export function remarkBelow(description: string): string {
  const lines = description.split('\n');
  const last = lines.findLastIndex((line) => /^\s*[-*•]\s/.test(line));
  const below =
    last < 1
      ? ''
      : lines
          .slice(last + 1)
          .join('\n')
          .trim();
  return isImperative(trimmedPhrase(phraseOf(below))) ? '' : below;
}

function joined(items: readonly string[]): string {
  return items.some((item) => /[,;]|\sand\s/i.test(item)) ? items.join('; ') : joinItems(items);
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const BRACKETS = /(?<!\s)\s+\((?:with|including|featuring|having)\s([^()]+)\)$/i;

/** A goal whose list stands in brackets or behind a colon, with the list behind "with"; a list of things to do stays. */
export function withPlainList(text: string): string {
  const { mask } = phraseOf(text);
  if (/\s(?:with|including|featuring)\s|[.!?]\s|\n/i.test(mask)) return text;
  const bracket = BRACKETS.exec(text);
  if (bracket !== null) return `${text.slice(0, bracket.index)} with ${bracket[1]?.trim()}`;
  const colon = /(?:(?<!\s)\s+)?:\s+/.exec(mask);
  if (colon === null) return text;
  const items = splitItems(slicePhrase(phraseOf(text), colon.index + colon[0].length));
  const areThings = items.every((item) => wordsOf(item).length <= 8 && !/[,;.?!:]\s/.test(item.mask));
  if (items.length === 0 || !areThings || items.every(isImperative)) return text;
  return `${text.slice(0, colon.index)} with ${joinItems(items.map((item) => item.text))}`;
}
