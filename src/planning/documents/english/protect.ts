/** Pairs that read as one thing although "and" stands between. */
const FIXED_PAIRS = `
  search and replace|find and replace|drag and drop|copy and paste|cut and paste|research and development|r and d
  terms and conditions|read and write|create and delete|pros and cons|trial and error|back and forth|black and white
  supply and demand|health and safety|room and board|bed and breakfast|lost and found|question and answer
  questions and answers|do's and don'ts|dos and don'ts|nuts and bolts|rules and regulations|profit and loss|mix and match
  safe and sound|up and running|point and click|plug and play|pick and place|stop and go|wait and see|meet and greet
  track and trace|power and water|salt and pepper|sales and marketing|hide and seek|rock and roll|request and response
  producer and consumer|publish and subscribe|copy and move|rise and shine|rest and relax|go and see|try and see
  save and load|load and save|import and export|undo and redo|sign up and sign in|show and tell|show and hide|expand and collapse
  command and control|divide and conquer|test and learn|build and test pipeline|tips and tricks|cause and effect
`
  .trim()
  .split(/[|\n]/)
  .map((pair) => pair.trim());

const FIXED_PAIR = new RegExp(`\\b(?:${FIXED_PAIRS.join('|')})\\b`, 'gi');
const ABBREVIATION =
  /(?<![\p{L}.])(?:e\.g\.,?|i\.e\.,?|etc\.|vs\.|cf\.|approx\.|incl\.|no\.(?=\s\d)|dr\.|mr\.|mrs\.|ms\.|st\.|inc\.|ltd\.|co\.|fig\.|al\.)/giu;
const ADDRESS = /\b[a-z][a-z\d+.-]{0,15}:\/\/[^\s<>"]+|\bwww\.[^\s<>"]+/gi;
const QUOTED = /`[^`\n]+`|"[^"\n]+"|“[^“”\n]+”|‘[^‘’\n]+’|«[^«»\n]+»|(?<![^\s(])'[^'\n]+'(?![\p{L}\p{N}])/gu;
const BRACKETS = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** Stands for a protected character: no letter, no space, no punctuation. */
export const HIDDEN = '\u0001';

/**
 * `text` with everything hidden that must survive splitting: quotations, code, what stands in brackets, addresses,
 * abbreviations and the "and" of fixed pairs. As long as `text`, so that a place in it is a place in `text`.
 */
export function protect(text: string): string {
  const hidden = hideBrackets(text.replace(QUOTED, hide).replace(ADDRESS, hideAddress)).replace(
    ABBREVIATION,
    hide,
  );
  return hidden.replace(FIXED_PAIR, (pair) => pair.replace(/ and /i, ` ${HIDDEN.repeat(3)} `));
}

function hide(text: string): string {
  return HIDDEN.repeat(text.length);
}

/** Hides an address but for the punctuation after it; a closing bracket is its own when it opens one too. */
function hideAddress(address: string): string {
  let end = address.length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    if (last === ')' ? isBalanced(address.slice(0, end)) : !/[,;:.!?]/.test(last)) break;
    end -= 1;
  }
  return hide(address.slice(0, end)) + address.slice(end);
}

function isBalanced(address: string): boolean {
  return address.split('(').length >= address.split(')').length;
}

/** Hides what stands in brackets, brackets included; one without its partner is left as it is. */
function hideBrackets(text: string): string {
  const open: { readonly bracket: string; readonly at: number }[] = [];
  const spans: (readonly [number, number])[] = [];
  for (const [at, character] of [...text.matchAll(/[()[\]{}]/g)].map(
    (match) => [match.index, match[0]] as const,
  )) {
    const partner = BRACKETS.get(character);
    if (partner === undefined) open.push({ bracket: character, at });
    else if (open.at(-1)?.bracket === partner) spans.push([open.pop()?.at ?? at, at + 1]);
  }
  let result = '';
  let from = 0;
  for (const [start, end] of spans.sort(([first], [second]) => first - second)) {
    if (start < from) continue;
    result += text.slice(from, start) + hide(text.slice(start, end));
    from = end;
  }
  return result + text.slice(from);
}
