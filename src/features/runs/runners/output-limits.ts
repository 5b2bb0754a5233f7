import { MOST_STORED_BYTES } from '../../../host/files/plain-file.js';
import { MOST_MAX_OUTPUT } from '../../actions/tools/bindings.js';

/** As many values, or lines, may an output have: each takes a hundred times its text in memory while it is read. */
const MOST_VALUES = 10_000_000;
/** A shorter output is kept whatever it holds, in characters. */
const ALWAYS_KEPT = 16 * 1024 * 1024;

/** How much was written, how much of it is kept, and how more would be: the end of a sentence. */
export function cutSize(size: number, most: number): string {
  return `${grouped(size)} bytes, of which the first ${grouped(most)} are kept${howToKeepMore(most)}`;
}

/** Says that an answer was longer than what is kept of it, and so its JSON cannot be read: the end of a sentence. */
export function cutAnswer(most: number): string {
  return `answered more than the ${grouped(most)} bytes that are kept, so its JSON cannot be read${howToKeepMore(most)}`;
}

function howToKeepMore(most: number): string {
  return most < MOST_MAX_OUTPUT
    ? `; \`max_output\` of its binding keeps more, ${grouped(MOST_MAX_OUTPUT)} at most`
    : '';
}

/**
 * Returns why a run could not keep an output and read it again; null where it can.
 * @param isParsed whether its values, or its lines, are kept beside the text
 */
export function whyNotKept(text: string, isParsed: boolean): string | null {
  if (text.length <= ALWAYS_KEPT) return null;
  if (isParsed && hasMoreThan(MOST_VALUES, text))
    return `it has more than ${grouped(MOST_VALUES)} values or lines`;
  // As JSON a control character takes six bytes, and a line some beside its text.
  const stored = Buffer.byteLength(JSON.stringify(text)) * (isParsed ? 2 : 1);
  return stored > 0.75 * MOST_STORED_BYTES ? `as JSON it takes ${grouped(stored)} bytes` : null;
}

/** Whether a text has more commas, colons and line ends than that: at least as many as it has values or lines. */
function hasMoreThan(most: number, text: string): boolean {
  let found = 0;
  for (let at = 0; at < text.length && found <= most; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x2c || unit === 0x3a || unit === 0x0a) found += 1;
  }
  return found > most;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
