import { isProgramName } from './held-file.js';

/** A part of a word of a command line, of an argument or of a variable that may be the name of a file. */
export interface NamedPart {
  readonly text: string;
  /**
   * Whether it is the word, or stands in it behind or before a separator; else it stands in a text of several words, such
   * as a script, where names of files that are no programs are mere mentions.
   */
  readonly isWhole: boolean;
  /** Whether it stands behind `=`: a folder may then be one that programs are looked for in. */
  readonly isAssigned: boolean;
}

/** No file has a longer path. */
const LONGEST = 4096;
/** No system starts a program with a longer word; Linux takes 128 kB. */
const LONGEST_WORD = process.platform === 'linux' ? 128 * 1024 : 1024 * 1024;
/** What is between the words of a script, of JSON and of other texts. A NUL stands for what is not known yet. */
const BETWEEN_WORDS = /[\s"'`;&|<>()$*{}[\]\\^\0]+/;
const SEPARATORS = ['=', ':', ',', '!', '@'];
const BETWEEN_PARTS = /[=:,!@?#]+/;
/** How many letters options may stand together in front of a value, as in `-vvr./before.js`. */
const MOST_LETTERS = 16;

/**
 * Returns the parts of a word that may be names of files, each once; a file of a URL is found by its path. The work, and what is
 * returned, grow with the length of the word alone.
 */
export function partsOfWord(word: string): readonly NamedPart[] {
  const found = new Map<string, NamedPart>();
  if (word.length > LONGEST_WORD) return [];
  const add = (text: string, isWhole: boolean, isAssigned: boolean) => {
    if (text === '' || text.length > LONGEST || text.includes('\0')) return;
    const known = found.get(text);
    found.set(text, {
      text,
      isWhole: isWhole || known?.isWhole === true,
      isAssigned: isAssigned || known?.isAssigned === true,
    });
  };
  for (const form of new Set([word, asInUrl(word)])) {
    const words = form.split(BETWEEN_WORDS);
    for (const [text, isAssigned] of piecesOf(form)) add(text, true, isAssigned);
    if (words.length > 1)
      for (const one of [...words, ...quotedIn(form), ...unquotedIn(form)])
        for (const [text, isAssigned] of piecesOf(one)) add(text, false, isAssigned);
  }
  return [...found.values()];
}

/** What of a text makes a pattern of it; a list of JSON and a question are none. */
const PATTERN = /\*|\?(?=\.?\w)|\[(?=[^\]])/;

/**
 * Returns the folders in which a script finds files by a pattern, such as `scripts/` of `sh scripts/*.sh`; `.` for its own, where
 * the pattern is one of scripts by its ending.
 */
export function globbedFolders(word: string): readonly string[] {
  if (word.length > LONGEST_WORD || !/\s/.test(word)) return [];
  const folders = word.split(/[\s"'`;&|<>()]+/).flatMap((one) => {
    const at = one.search(PATTERN);
    const folder = one.slice(0, one.lastIndexOf('/', at) + 1);
    if (at === -1 || (folder === '' && !isProgramName(one))) return [];
    return [folder === '' ? '.' : folder];
  });
  return [...new Set(folders)];
}

/** What stands between quotation marks: names with blanks in them. */
function quotedIn(text: string): readonly string[] {
  return text.split(/["'`]/).filter((one) => /\s/.test(one));
}

/** The words of a text as a shell reads them that are quoted in part, or with backslashes: `./x\.sh`, `./my\ x.sh`, `./x.s"h"`. */
function unquotedIn(text: string): readonly string[] {
  return text
    .split(/(?<!\\)[\s;&|<>()]+/)
    .filter((one) => /["'\\]/.test(one))
    .map((one) => one.replaceAll(/["'\\]/g, ''));
}

/** What a URL, or the name of a module, means: `file:///a/%73.js` is /a/s.js, and white space and backslashes count for nothing there. */
function asInUrl(word: string): string {
  return word
    .replaceAll(/file:\/\/[^/\s"']+\//gi, 'file:/')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, decoded)
    .replaceAll(/[\t\r\n]/g, '')
    .replaceAll('\\', '/');
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** A text, what is before and behind the separators in it, and what is glued to an option; with each whether it is behind `=`. */
function* piecesOf(text: string): Generator<readonly [string, boolean]> {
  yield [text, false];
  yield* gluedIn(text, false);
  for (const separator of SEPARATORS) {
    const [first, last] = [text.indexOf(separator), text.lastIndexOf(separator)];
    if (first === -1) continue;
    for (const at of new Set([first, last])) yield [text.slice(at + 1), separator === '='];
  }
  const isAssigned = text.includes('=');
  const pieces = text.split(BETWEEN_PARTS);
  for (const [index, piece] of pieces.entries()) {
    yield [piece, isAssigned && index > 0];
    yield* gluedIn(piece, isAssigned && index > 0);
  }
}

/** What an option, or a word in front of it, has glued to it: `-r./before.js`, `-Ilib`, `exec./x`. */
function* gluedIn(text: string, isAssigned: boolean): Generator<readonly [string, boolean]> {
  const path = text.search(/\.{0,2}\//);
  if (path > 0) yield [text.slice(path), isAssigned];
  if (!text.startsWith('-')) return;
  for (let letters = 2; letters < Math.min(text.length, MOST_LETTERS + 1); letters += 1)
    yield [text.slice(letters), isAssigned];
}
