import { sqlStatements } from './sql-tokens.js';
import type { SqlToken } from './sql-tokens.js';

/** Words that a statement begins with which changes data, structure or rights, or runs code that may. */
const WRITING = new Set(
  `INSERT UPDATE DELETE REPLACE MERGE UPSERT TRUNCATE DROP ALTER CREATE RENAME GRANT REVOKE LOAD CALL EXEC EXECUTE DO
   VACUUM REINDEX CLUSTER ATTACH DETACH COMMENT IMPORT BULK REFRESH SECURITY REASSIGN OPTIMIZE REPAIR PURGE UNDROP`
    .trim()
    .split(/\s+/),
);
/** Words that begin what a query may hold within. */
const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE', 'UPSERT']);
/** Two words that begin a writing statement where no semicolon parts it from the one before. */
const PAIRS: Readonly<Record<string, ReadonlySet<string>>> = {
  INSERT: new Set(['INTO', 'OVERWRITE']),
  DELETE: new Set(['FROM']),
  MERGE: new Set(['INTO']),
  DROP: new Set([
    'TABLE',
    'VIEW',
    'INDEX',
    'DATABASE',
    'SCHEMA',
    'USER',
    'ROLE',
    'FUNCTION',
    'PROCEDURE',
    'TRIGGER',
  ]),
  TRUNCATE: new Set(['TABLE']),
  ALTER: new Set(['TABLE', 'DATABASE', 'USER', 'ROLE', 'VIEW', 'INDEX', 'SCHEMA']),
  CREATE: new Set([
    'TABLE',
    'VIEW',
    'INDEX',
    'DATABASE',
    'SCHEMA',
    'USER',
    'ROLE',
    'OR',
    'TEMP',
    'TEMPORARY',
    'UNIQUE',
  ]),
};

/**
 * The first word of SQL that writes, in upper case, or null where it only reads. It is read by statements: what
 * stands in strings, quoted names and comments does not count, nor does `created_at`; an `INSERT`, `UPDATE` or
 * `DELETE` within a `WITH`, `SELECT … INTO` a table, and `EXPLAIN ANALYZE` of a change do.
 */
export function sqlWrite(text: string): string | null {
  // Whether a backslash hides a quote depends on the product: a change under either reading is one.
  const readings = text.includes('\\') ? [false, true] : [false];
  for (const backslash of readings) {
    for (const statement of sqlStatements(text, backslash)) {
      const write = writeOf(statement);
      if (write !== null) return write;
    }
  }
  return null;
}

/** Like {@link sqlWrite}, for a string that may be no SQL at all: it must have the form of a writing statement. */
export function sqlWriteForm(text: string): string | null {
  for (const statement of sqlStatements(text)) {
    const [first, second] = statement;
    if (first?.kind !== 'word') continue;
    if (first.text === 'UPDATE' && statement.some((token) => isWord(token, 'SET'))) return 'UPDATE';
    if (second !== undefined && PAIRS[first.text]?.has(second.text) === true) return first.text;
  }
  return null;
}

function writeOf(statement: readonly SqlToken[]): string | null {
  const tokens = statement.slice(
    statement.findIndex(({ text }) => text !== '(' && text !== '{' && text !== '}'),
  );
  const first = tokens[0]?.kind === 'word' ? tokens[0].text : '';
  if (first === 'EXPLAIN' || first === 'DESCRIBE' || first === 'DESC') return explained(tokens.slice(1));
  if (first === 'COPY') return copies(tokens) ? 'COPY' : null;
  if (first === 'PRAGMA') return tokens.some(({ text }) => text === '=') ? 'PRAGMA' : null;
  if (WRITING.has(first) && tokens[1]?.text !== '(') return first;
  return within(tokens) ?? selectInto(tokens) ?? unparted(tokens);
}

/** Only with ANALYZE is what is explained also carried out. */
function explained(tokens: readonly SqlToken[]): string | null {
  const start = tokens.findIndex(
    ({ kind, text }) => kind === 'word' && (WRITING.has(text) || text === 'SELECT' || text === 'WITH'),
  );
  if (start === -1 || !tokens.slice(0, start).some((token) => isWord(token, 'ANALYZE', 'ANALYSE')))
    return null;
  return writeOf(tokens.slice(start));
}

/** Only `COPY … TO STDOUT` reads, unless what it copies is a change. */
function copies(tokens: readonly SqlToken[]): boolean {
  const to = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'TO'));
  return to === -1 || !isWord(tokens[to + 1], 'STDOUT') || within(tokens) !== null;
}

/** A changing statement at the beginning of parentheses, or after the last of a WITH. */
function within(tokens: readonly SqlToken[]): string | null {
  const found = tokens.find(({ kind, text }, index) => {
    const before = tokens[index - 1]?.text;
    return (
      kind === 'word' &&
      CHANGING.has(text) &&
      (before === '(' || before === ')') &&
      tokens[index + 1]?.text !== '('
    );
  });
  return found?.text ?? null;
}

/** `SELECT … INTO t` makes a table, `INTO OUTFILE` a file; `INTO @x` and `INTO :x` fill a variable. */
function selectInto(tokens: readonly SqlToken[]): string | null {
  const into = tokens.findIndex(
    (token, index) => isWord(token, 'INTO') && !['.', 'AS'].includes(tokens[index - 1]?.text ?? ''),
  );
  const target = tokens[into + 1];
  if (into === -1 || target === undefined || /^[@:?$]/.test(target.text)) return null;
  return 'SELECT INTO';
}

/** Transact-SQL needs no semicolons between statements. */
function unparted(tokens: readonly SqlToken[]): string | null {
  const found = tokens.find(({ kind, text, depth }, index) => {
    const before = tokens[index - 1]?.text ?? '';
    return (
      index > 0 &&
      kind === 'word' &&
      depth === 0 &&
      PAIRS[text]?.has(tokens[index + 1]?.text ?? '') === true &&
      !['.', ',', 'AS', 'ON', 'FOR', 'SELECT'].includes(before)
    );
  });
  return found?.text ?? null;
}

function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}
