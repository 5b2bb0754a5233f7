import { isWord } from './sql-statements.js';
import type { SqlToken } from './sql-tokens.js';
import { NO_NAMES, OBJECTS, QUERY_WORDS, SELDOM_ENGLISH } from './sql-words.js';

type Statement = readonly SqlToken[];

/** How the first word of a text is written: as a statement may be, or as a sentence begins. */
export type Casing = 'upper' | 'lower' | 'sentence';

/** A string that may be SQL or a sentence. */
export interface Doubtful {
  readonly tokens: Statement;
  readonly casing: Casing;
  /** Whether there is no small letter in it. */
  readonly isShouted: boolean;
}

/** How the first word of a text is written. */
export function casingOf(text: string): Casing {
  const word = /[A-Za-z]+/.exec(text)?.[0] ?? '';
  if (/^[A-Z][a-z]+$/.test(word)) return 'sentence';
  return word === word.toLowerCase() ? 'lower' : 'upper';
}

/**
 * What of a statement writes that hardly is a sentence, by its first word; null for what may well be one. A sentence
 * such as `Truncate logs` is told from a statement by its capital letter alone.
 */
export function formedWrite({ tokens: all, casing, isShouted }: Doubtful): string | null {
  const [first] = all;
  if (first?.kind !== 'word') return null;
  // Without what closes parentheses that were opened before it.
  const tokens = all.filter(({ depth }) => depth >= first.depth);
  const form = Object.hasOwn(FORMS, first.text) ? FORMS[first.text] : undefined;
  const isFormed = form?.(tokens) === true || /^[SX]P_[A-Z]/.test(first.text);
  if (isFormed) return first.text;
  const isShort = casing !== 'sentence' && SHORT[first.text]?.(tokens) === true;
  const isAlone = casing === 'upper' && tokens.length === 1 && ALONE.has(first.text);
  const isLoud = casing === 'upper' && !isShouted && SELDOM_ENGLISH.has(first.text) && goesOn(tokens);
  return isShort || isAlone || isLoud ? first.text : null;
}

/** Words that are a statement by themselves; others are the name of a method as well. */
const ALONE: ReadonlySet<string> = new Set(['SHUTDOWN', 'VACUUM', 'RECONFIGURE']);

type Form = (tokens: Statement) => boolean;

/** Statements that no sentence looks like. */
const FORMS: Readonly<Record<string, Form>> = {
  INSERT: inserts,
  UPSERT: inserts,
  REPLACE: inserts,
  MERGE: (tokens) => inserts(tokens) || (has(tokens, 'USING') && has(tokens, 'WHEN')),
  UPDATE: (tokens) => {
    const set = indexOf(tokens, 'SET');
    if (set < 2) return false;
    return hasMark(tokens.slice(set), '=') || endOfOperand(tokens, 1) > 0;
  },
  DELETE: deletes,
  TRUNCATE: (tokens) => isWord(tokens[1], 'TABLE') && isTruncated(tokens, isWord(tokens[2], 'IF') ? 4 : 2),
  CREATE: makes,
  ALTER: (tokens) =>
    makes(tokens) || (isWord(tokens[1], 'SYSTEM', 'SESSION') && isWord(tokens[2], ...SYSTEM)),
  DROP: makes,
  EXEC: carriesOut,
  EXECUTE: carriesOut,
  CALL: (tokens) => isCall(tokens, 1),
  GRANT: (tokens) => isInOrder(tokens, 'ON', 'TO'),
  REVOKE: (tokens) => isInOrder(tokens, 'ON', 'FROM'),
  COPY: copies,
  BULK: (tokens) => isWord(tokens[1], 'INSERT') && endOfOperand(tokens, 2) > 0 && has(tokens, 'FROM'),
  LOAD: (tokens) => isWord(tokens[1], 'DATA', 'XML') && has(tokens.slice(0, 5), 'INFILE', 'INPATH'),
  DO: (tokens) => {
    const at = isWord(tokens[1], 'LANGUAGE') ? 3 : 1;
    return tokens[at]?.quote === '$' || (tokens[at]?.quote === "'" && tokens.length === at + 1);
  },
  PREPARE: (tokens) => {
    const as = indexOf(tokens, 'AS');
    const isNamed = as > 1 && endOfOperand(tokens, 1) > 0;
    // Nothing prepares what prepares.
    if (!isNamed || isWord(tokens[as + 1], 'PREPARE')) return false;
    return formedWrite({ tokens: tokens.slice(as + 1), casing: 'lower', isShouted: false }) !== null;
  },
  SHUTDOWN: (tokens) =>
    isWord(tokens[1], 'IMMEDIATE', 'ABORT', 'NORMAL', 'TRANSACTIONAL') || isWord(tokens[2], 'NOWAIT'),
  SET: sets,
  ATTACH: (tokens) => {
    const at = isWord(tokens[1], 'DATABASE') ? 2 : 1;
    const isFile = tokens[at]?.quote === "'" && (tokens.length === at + 1 || isWord(tokens[at + 1], 'AS'));
    return isFile || (at === 2 && endOfOperand(tokens, 2) > 0 && isWord(tokens[3], 'AS'));
  },
  VACUUM: (tokens) =>
    isWord(tokens[1], 'FULL', 'FREEZE', 'VERBOSE', 'ANALYZE') ||
    tokens[1]?.text === '(' ||
    isFileBehind(tokens, 'INTO'),
  COMMENT: (tokens) => isWord(tokens[1], 'ON') && isObject(tokens[2]) && has(tokens, 'IS'),
  REFRESH: (tokens) => isWord(tokens[1], 'MATERIALIZED') && isWord(tokens[2], 'VIEW'),
  RENAME: (tokens) => isWord(tokens[1], 'TABLE', 'USER') && endOfOperand(tokens, 2) > 0 && has(tokens, 'TO'),
  BACKUP: (tokens) =>
    isWord(tokens[1], 'DATABASE', 'LOG') && endOfOperand(tokens, 2) > 0 && isFileBehind(tokens, 'TO'),
  RESTORE: (tokens) =>
    isWord(tokens[1], 'DATABASE', 'LOG') && endOfOperand(tokens, 2) > 0 && isFileBehind(tokens, 'FROM'),
  PURGE: (tokens) => isWord(tokens[1], 'BINARY', 'MASTER') && isWord(tokens[2], 'LOGS'),
  IMPORT: (tokens) => isWord(tokens[1], 'FOREIGN') && isWord(tokens[2], 'SCHEMA'),
  REASSIGN: (tokens) => isWord(tokens[1], 'OWNED') && isWord(tokens[2], 'BY'),
  DBCC: (tokens) => endOfOperand(tokens, 1) > 0,
};

/** What ALTER SYSTEM and ALTER SESSION do. */
const SYSTEM = 'SET RESET FLUSH KILL SWITCH CHECKPOINT ARCHIVE REGISTER SUSPEND RESUME ENABLE DISABLE'.split(
  ' ',
);

/** Statements so short that a sentence may look like them, but for its capital letter. */
const SHORT: Readonly<Record<string, Form | undefined>> = {
  TRUNCATE: (tokens) => isTruncated(tokens, 1),
  DETACH: (tokens) => isWord(tokens[1], 'DATABASE') && isAtEnd(tokens, endOfOperand(tokens, 2)),
  REINDEX: ofObject,
  OPTIMIZE: ofObject,
  REPAIR: ofObject,
  CLUSTER: (tokens) => isWord(tokens[endOfOperand(tokens, 1)], 'USING'),
  KILL: (tokens) =>
    tokens.at(-1)?.quote === '0' && (tokens.length === 2 || isWord(tokens[1], 'QUERY', 'CONNECTION')),
  FLUSH: (tokens) =>
    isWord(tokens[1], 'TABLES', 'PRIVILEGES', 'LOGS', 'HOSTS', 'STATUS') && tokens.length === 2,
  LOAD: (tokens) => tokens[1]?.quote === "'" && tokens.length === 2,
};

function inserts(tokens: Statement): boolean {
  const into = tokens.slice(0, 4).findIndex((token) => isWord(token, 'INTO', 'OVERWRITE'));
  const from = into > 0 ? into + 1 : 1;
  const end = endOfOperand(tokens, isWord(tokens[from], 'TABLE') ? from + 1 : from);
  if (end < 0) return false;
  const isBehind = (at: number) => tokens[at]?.kind === 'mark' || isWord(tokens[at], ...BEHIND_INSERT);
  if (into > 0) return isBehind(end) || (tokens[end]?.kind === 'word' && isBehind(end + 1));
  const values = indexOf(tokens, 'VALUES', 'VALUE');
  return (
    isWord(tokens[end], 'SELECT') || (values > 1 && tokens[values + 1]?.kind === 'mark') || hasSetting(tokens)
  );
}

const BEHIND_INSERT =
  'VALUES VALUE SELECT SET DEFAULT WITH TABLE USING AS PARTITION KEY OVERRIDING EXEC EXECUTE RETURNING'.split(
    ' ',
  );

function hasSetting(tokens: Statement): boolean {
  const set = indexOf(tokens, 'SET');
  return set > 1 && hasMark(tokens.slice(set), '=');
}

function deletes(tokens: Statement): boolean {
  if (isWord(tokens[1], 'TOP') && tokens[2]?.text === '(') return true;
  const where = indexOf(tokens, 'WHERE');
  if (!isWord(tokens[1], 'FROM'))
    return endOfOperand(tokens, 1) > 0 && where > 1 && hasMark(tokens.slice(where), '=<>');
  if (where > 2 && hasMark(tokens.slice(where), '=<>')) return true;
  const end = endOfOperand(tokens, isWord(tokens[2], 'ONLY') ? 3 : 2);
  const isBehind = (at: number) => mayFollow(tokens[at]);
  return end > 0 && (isBehind(end) || isBehind(end + 1));
}

function isTruncated(tokens: Statement, from: number): boolean {
  const end = endOfOperand(tokens, isWord(tokens[from], 'ONLY') ? from + 1 : from);
  const behind = tokens[end];
  if (end < 0) return false;
  return behind === undefined || behind.kind === 'mark' || isWord(behind, ...BEHIND_TRUNCATE);
}

const BEHIND_TRUNCATE = 'CASCADE RESTRICT RESTART CONTINUE REUSE DROP PARTITION WITH ON IMMEDIATE'.split(' ');

/** `CREATE OR REPLACE VIEW v`, `DROP TABLE IF EXISTS t`; but not `Create table of contents`. */
function makes(tokens: Statement): boolean {
  if (!isObject(tokens[1])) return false;
  if (isWord(tokens[1], 'OR') && !isWord(tokens[2], 'REPLACE', 'ALTER')) return false;
  let at = 1;
  while (isObject(tokens[at]) || isWord(tokens[at], 'REPLACE', 'ALTER', 'IF', 'NOT', 'EXISTS')) at += 1;
  const next = tokens[at];
  if (next === undefined) return false;
  return next.kind !== 'word' || !(NO_NAMES.has(next.text) || isWord(next, 'OF', 'FOR', 'FROM', 'AND', 'IN'));
}

function carriesOut(tokens: Statement): boolean {
  return tokens[1]?.text === '(' || isWord(tokens[1], 'IMMEDIATE') || isCall(tokens, 1);
}

/** A call by a name with arguments behind it, or by one that no sentence has. */
function isCall(tokens: Statement, at: number): boolean {
  const [name, next] = [tokens[at], tokens[at + 1]];
  if (name?.kind !== 'word' || NO_NAMES.has(name.text)) return false;
  if (next === undefined) return name.text.includes('_');
  return /^[(.@]/.test(next.text) || next.quote === "'";
}

/** `COPY t TO PROGRAM 'x'`, `COPY (SELECT …) TO '/x'`, `COPY INTO t FROM @stage`; but not what goes to STDOUT. */
function copies(tokens: Statement): boolean {
  const from = isWord(tokens[1], 'INTO', 'BINARY') ? 2 : 1;
  if (tokens[from]?.text !== '(' && tokens[from]?.quote !== "'" && endOfOperand(tokens, from) < 0)
    return false;
  if (from === 1 && tokens[from]?.quote === "'") return false;
  const at = tokens.findIndex(
    (token, index) => index > from && token.depth === tokens[0]?.depth && isWord(token, 'TO', 'FROM'),
  );
  const target = tokens[at + 1];
  if (at === -1 || target === undefined) return false;
  if (isWord(target, 'STDIN', 'PROGRAM')) return true;
  return target.quote === "'" || (from === 2 && !NO_NAMES.has(target.text)) || /^[@:$?{]/.test(target.text);
}

function sets(tokens: Statement): boolean {
  const [, second, third] = tokens;
  if (isWord(second, 'GLOBAL', 'PERSIST', 'PERSIST_ONLY'))
    return isWord(third, 'TRANSACTION') || hasMark(tokens, '=');
  if (isWord(second, 'PASSWORD')) return hasMark(tokens, '=') || isFileBehind(tokens, 'TO');
  if (isWord(second, 'SESSION')) return isWord(third, 'AUTHORIZATION') && tokens.length > 3;
  return tokens.slice(1, 4).some(({ text }) => /^(?:@@)?GLOBAL$/.test(text)) && hasMark(tokens, '=');
}

/** Whether a name stands behind what it is the name of: `REINDEX TABLE t`. */
function ofObject(tokens: Statement): boolean {
  return isObject(tokens[1]) && isAtEnd(tokens, endOfOperand(tokens, 2));
}

/** Whether behind a name a statement goes on, or ends, as SQL does. */
function goesOn(tokens: Statement): boolean {
  const from = isObject(tokens[1]) && tokens.length > 2 ? 2 : 1;
  const end = endOfOperand(tokens, from);
  return end > 0 && (mayFollow(tokens[end]) || isWord(tokens[end], 'TO', 'SET', 'VALUES', 'SELECT'));
}

/** Behind a name: the end, a mark, or a word of a query. */
function mayFollow(token: SqlToken | undefined): boolean {
  if (token === undefined) return true;
  if (token.kind === 'mark') return !/[!?,:/-]/.test(token.text);
  return (
    token.kind === 'word' &&
    (QUERY_WORDS.has(token.text) || isWord(token, 'RETURNING', 'OUTPUT', 'WITH', 'PARTITION'))
  );
}

/** Behind the name, or what a value is put in for, that stands at a place; -1 where there is none. */
function endOfOperand(tokens: Statement, from: number): number {
  let at = from;
  if (isPlaceholder(tokens[at])) {
    while (isPlaceholder(tokens[at])) at += 1;
    if (tokens[at]?.kind === 'word') at += 1;
    while (tokens[at]?.text === '.' || tokens[at]?.text === '}') at += tokens[at]?.text === '.' ? 2 : 1;
    return at;
  }
  for (;;) {
    const part = tokens[at];
    const isDotted = tokens[at + 1]?.text === '.' && tokens[at + 2] !== undefined;
    if (at === from && isArticle(tokens, at)) return -1;
    if (
      !(part?.kind === 'word'
        ? isDotted || isPlainName(part)
        : part?.kind === 'quoted' && '"[`'.includes(part.quote))
    )
      return -1;
    if (!isDotted) return at + 1;
    at += 2;
  }
}

/** Whether a word is an article, and no table that is called `a`: a word stands behind it that goes on with no statement. */
function isArticle(tokens: Statement, at: number): boolean {
  const next = tokens[at + 1];
  if (!isWord(tokens[at], 'A', 'AN') || next?.kind !== 'word') return false;
  return !(QUERY_WORDS.has(next.text) || isWord(next, ...BEHIND_INSERT, ...BEHIND_TRUNCATE, 'TO', 'OUTPUT'));
}

function isPlainName({ text }: SqlToken): boolean {
  return !QUERY_WORDS.has(text) && !NO_NAMES.has(text);
}

function isPlaceholder(token: SqlToken | undefined): boolean {
  return token?.kind === 'mark' && /[$@:?#{]/.test(token.text);
}

function isObject(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && OBJECTS.has(token.text);
}

function isAtEnd(tokens: Statement, end: number): boolean {
  return end > 0 && end >= tokens.length;
}

/** Whether a text in quotes, or what a value is put in for, stands behind a word: `TO DISK = 'x'` too. */
function isFileBehind(tokens: Statement, word: string): boolean {
  const at = indexOf(tokens, word);
  return at > 0 && tokens.slice(at + 1, at + 4).some((token) => token.quote === "'" || isPlaceholder(token));
}

function isInOrder(tokens: Statement, first: string, second: string): boolean {
  const at = indexOf(tokens, first);
  return at > 1 && tokens.some((token, index) => index > at && isWord(token, second));
}

function indexOf(tokens: Statement, ...words: readonly string[]): number {
  return tokens.findIndex((token, index) => index > 0 && isWord(token, ...words));
}

function has(tokens: Statement, ...words: readonly string[]): boolean {
  return indexOf(tokens, ...words) > 0;
}

function hasMark(tokens: Statement, marks: string): boolean {
  return tokens.some(({ kind, text }) => kind === 'mark' && marks.includes(text));
}
