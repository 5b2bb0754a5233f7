import type { SqlReading } from './sql-readings.js';

/** A token of SQL: a word, a mark, or something whose content does not count. */
export interface SqlToken {
  readonly kind: 'word' | 'mark' | 'quoted';
  /** A word in upper case; a mark as it is; of a quoted name its content in upper case; else empty. */
  readonly text: string;
  /** What a quotation begins with; empty for the others. */
  readonly quote: string;
  /** How many parentheses are open around it. */
  readonly depth: number;
}

const SPACE = /\s+/y;
/** Letters behind a number are words of their own, as SQL Server has it. */
const NUMBER = /0[xX][\dA-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/y;
const PARAMETER = /\$\d+/y;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\u{10FFFF}][\w\u0080-\u{10FFFF}]*)?\$/uy;
const VERSION_COMMENT = /\/\*(M?!)(\d{5,6})?/y;
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

/** The statements of SQL: its tokens between semicolons, without empty ones. */
export function sqlStatements(text: string, reading: SqlReading): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [[]];
  for (const token of sqlTokens(text, reading)) {
    if (token.kind === 'mark' && token.text === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter(({ length }) => length > 0);
}

/** Where the lexer is. */
interface Lexer {
  readonly text: string;
  readonly reading: SqlReading;
  readonly tokens: SqlToken[];
  offset: number;
  depth: number;
  /** Within a comment whose text is carried out. */
  carriedOut: boolean;
  /** Where a string ended that one on a later line continues; -1 where the last token is none such. */
  continues: 'no' | 'after a line break' | 'yes';
}

/** The tokens of SQL as one product reads it. Takes time linear in the text. */
function sqlTokens(text: string, reading: SqlReading): readonly SqlToken[] {
  const lexer: Lexer = {
    text,
    reading,
    tokens: [],
    offset: 0,
    depth: 0,
    carriedOut: false,
    continues: 'no',
  };
  while (lexer.offset < text.length) {
    if (skipBlank(lexer)) continue;
    const continues = lexer.continues === 'yes';
    lexer.continues = 'no';
    if (!(skipComment(lexer) || takeQuoted(lexer, continues) || takeWord(lexer))) takeMark(lexer);
  }
  return lexer.tokens;
}

function take(lexer: Lexer, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = lexer.offset;
  const found = pattern.exec(lexer.text);
  if (found !== null) lexer.offset += found[0].length;
  return found;
}

function push(lexer: Lexer, kind: SqlToken['kind'], text: string, quote = ''): void {
  lexer.tokens.push({ kind, text, quote, depth: lexer.depth });
}

/** Passes over space and line comments, between which PostgreSQL lets a string go on. */
function skipBlank(lexer: Lexer): boolean {
  const { reading, text, offset } = lexer;
  const word = text.charCodeAt(offset) > 0x7f && matchesAt(reading.word, text, offset);
  const found = word ? null : (take(lexer, SPACE) ?? take(lexer, reading.lineComment));
  if (found === null) return false;
  if (lexer.continues === 'after a line break' && /[\n\r]/.test(found[0])) lexer.continues = 'yes';
  return true;
}

function matchesAt(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}

function skipComment(lexer: Lexer): boolean {
  const { text, offset, reading } = lexer;
  const two = text.slice(offset, offset + 2);
  if (lexer.carriedOut && two === '*/') {
    lexer.offset += 2;
    lexer.carriedOut = false;
    return true;
  }
  if (two !== '/*') return false;
  VERSION_COMMENT.lastIndex = offset;
  const [all = '', mark = '', version] = VERSION_COMMENT.exec(text) ?? [];
  const isCarriedOut =
    mark === '' ? null : reading.carriesOut(mark, version === undefined ? null : Number(version));
  if (isCarriedOut === true) {
    lexer.offset += all.length;
    lexer.carriedOut = true;
    return true;
  }
  // A comment for other versions may have one within it.
  const deepest = reading.nestedComments ? Infinity : isCarriedOut === null ? 1 : 2;
  lexer.offset = endOfComment(text, offset, deepest);
  return true;
}

/** @param deepest how deep comments nest */
function endOfComment(text: string, start: number, deepest: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let open = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '*/') open -= 1;
    // The star of a mark that opens nothing may close: `/*/` within a comment.
    else if (open < deepest) open += 1;
    else marks.lastIndex -= 1;
    if (open === 0) return marks.lastIndex;
  }
  return text.length;
}

function takeQuoted(lexer: Lexer, continues: boolean): boolean {
  const { text, reading, offset } = lexer;
  if (reading.dollarQuotes && text[offset] === '$') {
    if (take(lexer, PARAMETER) !== null) {
      push(lexer, 'mark', '$');
      return true;
    }
    const mark = take(lexer, DOLLAR_QUOTE)?.[0];
    if (mark !== undefined) {
      const end = text.indexOf(mark, lexer.offset);
      lexer.offset = end === -1 ? text.length : end + mark.length;
      push(lexer, 'quoted', '', '$');
      return true;
    }
  }
  const open = text.charAt(offset);
  if (!reading.quotes.includes(open)) return false;
  const prefix = lexer.tokens.at(-1);
  const adjacent = /\w/.test(text.charAt(offset - 1)) && prefix?.kind === 'word' ? prefix.text : '';
  if (reading.chosenQuotes && open === "'" && (adjacent === 'Q' || adjacent === 'NQ')) {
    lexer.offset = endOfChosen(text, offset);
    push(lexer, 'quoted', '', open);
    return true;
  }
  const escapes = reading.escapeStrings && open === "'" && (continues || adjacent === 'E');
  lexer.offset = endOfQuoted(text, offset, escapes || reading.backslash.includes(open), reading);
  const name = open === "'" ? '' : text.slice(offset + 1, lexer.offset - 1).toUpperCase();
  push(lexer, 'quoted', name, open);
  lexer.continues = escapes ? 'after a line break' : 'no';
  return true;
}

/** `q'[it's]'`: any mark may be chosen, and of brackets the closing one ends it. */
function endOfChosen(text: string, start: number): number {
  const open = text.charAt(start + 1);
  const end = text.indexOf(`${CLOSING[open] ?? open}'`, start + 2);
  return end === -1 ? text.length : end + 2;
}

/** A quotation mark is doubled to stand for itself. */
function endOfQuoted(text: string, start: number, escapes: boolean, reading: SqlReading): number {
  const open = text.charAt(start);
  const close = open === '[' ? ']' : open;
  const doubles = open !== '[' || reading.doubledBrackets;
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (escapes && text[offset] === '\\') offset += 1;
    else if (text[offset] === close) {
      if (!doubles || text[offset + 1] !== close) return offset + 1;
      offset += 1;
    }
  }
  return text.length;
}

function takeWord(lexer: Lexer): boolean {
  const { variable } = lexer.reading;
  if (variable !== null && take(lexer, variable) !== null) {
    push(lexer, 'mark', '@');
    return true;
  }
  if (take(lexer, NUMBER) !== null) {
    push(lexer, 'quoted', '', '0');
    return true;
  }
  const word = take(lexer, lexer.reading.word);
  if (word === null) return false;
  push(lexer, 'word', word[0].toUpperCase());
  return true;
}

function takeMark(lexer: Lexer): void {
  const character = lexer.text.charAt(lexer.offset);
  lexer.offset += 1;
  if (character === ')') lexer.depth = Math.max(0, lexer.depth - 1);
  push(lexer, 'mark', character);
  if (character === '(') lexer.depth += 1;
}
