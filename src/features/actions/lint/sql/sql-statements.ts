import type { SqlToken } from './sql-tokens.js';
import {
  BEFORE_OPERAND,
  BEFORE_STATEMENT,
  CHANGING,
  QUERY_WORDS,
  OBJECTS,
  STATEMENTS,
  WRITING,
  WRITING_FUNCTIONS,
} from './sql-words.js';

/** Whether a token of an SQL statement is one of some words. */
export function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}

/** The parts of a statement from which on none is of it: what may be behind the first words of one. */
type Follows = (tokens: readonly SqlToken[], index: number) => boolean;

/** A name, or the start of one; no word that goes on with a query, and no mark. */
const aName: Follows = (tokens, index) => isName(tokens[index]);
const anObject: Follows = (tokens, index) => {
  const token = tokens[index];
  return token?.kind === 'word' && OBJECTS.has(token.text);
};
const oneOf =
  (...words: readonly string[]): Follows =>
  (tokens, index) =>
    isWord(tokens[index], ...words);
const theEnd: Follows = (tokens, index) => index >= tokens.length || isWord(tokens[index], 'WITH');

/**
 * What must follow a word for a statement to begin with it in the middle of another: SQL Server needs no
 * semicolon between them, and there these words are no names.
 */
const BEGINNINGS: Readonly<Record<string, Follows>> = {
  INSERT: aName,
  UPDATE: (tokens, index) =>
    isName(tokens[index]) &&
    (isWord(tokens[index], 'STATISTICS') || tokens.slice(index).some((token) => isWord(token, 'SET'))),
  DELETE: (tokens, index) => isWord(tokens[index], 'FROM') || isName(tokens[index]),
  MERGE: aName,
  REPLACE: aName,
  UPSERT: aName,
  CREATE: anObject,
  ALTER: anObject,
  DROP: anObject,
  TRUNCATE: oneOf('TABLE', 'PARTITION'),
  EXEC: (tokens, index) => tokens[index]?.text === '(' || isName(tokens[index]),
  EXECUTE: (tokens, index) => tokens[index]?.text === '(' || isName(tokens[index]),
  CALL: aName,
  GRANT: aName,
  REVOKE: aName,
  DENY: aName,
  BACKUP: oneOf('DATABASE', 'LOG', 'CERTIFICATE', 'MASTER', 'SERVICE'),
  RESTORE: oneOf('DATABASE', 'LOG', 'MASTER', 'SERVICE'),
  BULK: oneOf('INSERT'),
  KILL: (tokens, index) => tokens[index]?.kind === 'quoted' || isWord(tokens[index], 'QUERY', 'STATS'),
  SHUTDOWN: theEnd,
  RECONFIGURE: theEnd,
  DBCC: aName,
  WRITETEXT: aName,
  UPDATETEXT: aName,
};

/**
 * The first word within a statement at which another begins that writes: behind what needs no semicolon, within
 * parentheses, after `WITH … AS (…)`, and in the blocks of procedures.
 * @param from where to begin looking
 */
export function innerWrite(tokens: readonly SqlToken[], from: number): string | null {
  const found = tokens.find((token, index) => index >= from && beginsWrite(tokens, index, token));
  return found?.text ?? null;
}

function beginsWrite(tokens: readonly SqlToken[], index: number, { kind, text }: SqlToken): boolean {
  if (kind !== 'word' || !WRITING.has(text)) return false;
  const before = tokens[index - 1];
  if (before?.kind === 'word') {
    if (BEFORE_STATEMENT.has(before.text)) return isStatement(tokens, index + 1);
    if (BEFORE_OPERAND.has(before.text) || (before.text === 'FOR' && CHANGING.has(text))) return false;
  } else if (before?.kind === 'mark' && /[.,=<>+\-/%|&^~]/.test(before.text)) return false;
  return BEGINNINGS[text]?.(tokens, index + 1) === true;
}

/** Behind THEN and ELSE a column may stand, or a function such as `replace(…)`. */
function isStatement(tokens: readonly SqlToken[], index: number): boolean {
  const next = tokens[index];
  if (next === undefined) return false;
  return next.kind === 'word' ? next.text === 'FROM' || isName(next) : next.kind === 'quoted';
}

function isName(token: SqlToken | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'word') return !QUERY_WORDS.has(token.text);
  return token.kind === 'quoted' ? token.quote !== '0' : '@#'.includes(token.text);
}

/**
 * Finds an SQL statement that stores what it selects: `SELECT … INTO t` makes a table, `INTO OUTFILE` a file. But
 * `INTO @x` and `INTO :x` fill a variable.
 */
export function selectInto(tokens: readonly SqlToken[]): string | null {
  if (isWord(tokens[0], 'FETCH')) return null;
  const found = tokens.some((token, index) => {
    const target = tokens[index + 1];
    return (
      isWord(token, 'INTO') &&
      !['.', 'AS'].includes(tokens[index - 1]?.text ?? '') &&
      target !== undefined &&
      !/^[@:?$]/.test(target.text)
    );
  });
  return found ? 'SELECT INTO' : null;
}

/**
 * Finds in an SQL statement a function that writes or carries out a text, by its name; the list is not complete
 * and cannot be.
 */
export function writingFunction(tokens: readonly SqlToken[]): string | null {
  const found = tokens.find(
    ({ text, kind }, index) =>
      kind !== 'mark' && WRITING_FUNCTIONS.has(text) && tokens[index + 1]?.text === '(',
  );
  return found?.text ?? null;
}

/** In SQL Server the first statement of a batch may run a procedure by its name alone: `sp_rename 'a', 'b'`. */
export function namedProcedure(tokens: readonly SqlToken[]): string | null {
  const end = endOfName(tokens, 0);
  const last = tokens[end - 1];
  if (last === undefined) return null;
  if (/^[SX]P_/.test(last.text)) return last.text;
  if (end === 1 && last.kind === 'word' && STATEMENTS.has(last.text)) return null;
  const argument = tokens[end];
  const isArgument =
    argument?.kind === 'quoted'
      ? argument.quote === "'" || (argument.quote === '0' && isEndOf(tokens[end + 1]))
      : argument?.text.startsWith('@') === true;
  return isArgument ? `the procedure ${last.text}` : null;
}

/** Finds in a block of Oracle's SQL a procedure that is called by its name: `BEGIN billing.close_year; END;`. */
export function calledInBlock(tokens: readonly SqlToken[]): string | null {
  const starts = [0, ...tokens.flatMap((token, index) => (isBlockWord(token) ? [index + 1] : []))];
  for (const start of starts) {
    const end = endOfName(tokens, start);
    const first = tokens[start];
    if (end === start || first?.kind !== 'word' || STATEMENTS.has(first.text)) continue;
    if (isBlockWord(first) || !endsAt(tokens, end)) continue;
    return `the procedure ${tokens[end - 1]?.text ?? ''}`;
  }
  return null;
}

/** Whether a statement opens a block, and not a transaction. */
export function opensBlock(tokens: readonly SqlToken[]): boolean {
  return tokens.some(
    (token, index) =>
      isWord(token, 'BEGIN') &&
      tokens[index + 1] !== undefined &&
      !isWord(
        tokens[index + 1],
        ...'WORK TRAN TRANSACTION DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT ISOLATION READ NOT'.split(' '),
      ),
  );
}

function isBlockWord(token: SqlToken): boolean {
  return token.kind === 'word' && BEFORE_STATEMENT.has(token.text);
}

/** Behind `a.b.c`, or `start` where there is no name. */
function endOfName(tokens: readonly SqlToken[], start: number): number {
  let end = start;
  while (isPart(tokens[end])) {
    end += 1;
    if (tokens[end]?.text !== '.') return end;
    while (tokens[end]?.text === '.') end += 1;
  }
  return end;
}

function isPart(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || (token?.kind === 'quoted' && '"[`'.includes(token.quote));
}

/** Whether a statement is over, or is after one pair of parentheses. */
function endsAt(tokens: readonly SqlToken[], index: number): boolean {
  if (index >= tokens.length) return true;
  const open = tokens[index];
  if (open?.text !== '(') return false;
  const close = tokens.findIndex(({ text, depth }, at) => at > index && text === ')' && depth === open.depth);
  return close === tokens.length - 1;
}

function isEndOf(token: SqlToken | undefined): boolean {
  return token === undefined || token.text === ',';
}
