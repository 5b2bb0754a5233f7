import { capitalized } from '../../kernel/text/capitalized.js';

const STARTS = /^(?:given|when)\b/i;
const GOES_ON = /^(?:given|when|then|and|but)\b/i;
const ENDS = /\bthen\b/i;

/** A text that is a scenario by itself: "Given a basket, when I pay, then I get a receipt". */
export function isScenario(text: string): boolean {
  return STARTS.test(text) && ENDS.test(text);
}

/**
 * How many of the texts, from the first, are one scenario, a line each: "Given …", "When …", "Then …", "And …". Nought when
 * they are not, for "When the user pays, show a receipt" is no scenario.
 */
export function scenarioLength(texts: readonly string[]): number {
  if (!STARTS.test(texts[0] ?? '')) return 0;
  if (isScenario(texts[0] ?? '')) return 1;
  let length = 1;
  while (GOES_ON.test(texts[length] ?? '') && !startsAnew(texts, length)) length += 1;
  return texts.slice(0, length).some((text) => /^then\b/i.test(text)) ? length : 0;
}

/** A new "Given", or a "When" behind a "Then", begins the next scenario. */
function startsAnew(texts: readonly string[], at: number): boolean {
  const text = texts[at] ?? '';
  if (/^given\b/i.test(text)) return true;
  return /^when\b/i.test(text) && texts.slice(0, at).some((before) => /^then\b/i.test(before));
}

const KEYWORD = /(^|[,;]\s+)(given|when|then|and|but)\b/gi;

/** The lines of a scenario as one criterion, in a sentence's case. */
export function scenarioText(name: string | null, lines: readonly string[]): string {
  const steps = lines.map((line) => line.replace(/[.;,]$/, ''));
  const text = steps
    .join(', ')
    .replace(KEYWORD, (_, before: string, word: string) => before + word.toLowerCase());
  const sentence = capitalized(text);
  return name === null ? sentence : `${name}: ${sentence}`;
}
