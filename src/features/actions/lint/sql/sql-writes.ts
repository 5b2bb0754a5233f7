import { casingOf, formedWrite } from './sql-forms.js';
import { sqlReadings } from './sql-readings.js';
import type { SqlReading } from './sql-readings.js';
import {
  calledInBlock,
  innerWrite,
  isWord,
  namedProcedure,
  opensBlock,
  selectInto,
  writingFunction,
} from './sql-statements.js';
import { sqlStatements } from './sql-tokens.js';
import type { SqlToken } from './sql-tokens.js';
import { CLIENT_COMMANDS, READING_PRAGMAS, SETTING_MORE, WRITING, WRITING_PRAGMAS } from './sql-words.js';

type Statement = readonly SqlToken[];

/**
 * What of SQL writes, in upper case, or null where it only reads. It is read by statements, as PostgreSQL, MySQL and
 * MariaDB, SQL Server, SQLite and Oracle each tell code from strings, names and comments; what writes for one of
 * them writes.
 */
export function sqlWrite(text: string): string | null {
  return firstOfReadings(text, writeOfStatements);
}

/**
 * Like {@link sqlWrite}, for a string that may be no SQL at all: it must have the form of a writing statement.
 * @param isProse whether its name says that it is read by people, so that a short sentence is one
 */
export function sqlWriteForm(text: string, isProse = false): string | null {
  if (/^[\s(]*(?:SELECT|WITH|EXPLAIN|BEGIN|DECLARE)\b|^\s*(?:\/\*|--|#)/i.test(text)) return sqlWrite(text);
  const isShouted = !/[a-z]/.test(text);
  const casing = isProse ? 'sentence' : casingOf(text);
  return firstOfReadings(text, (statements) => {
    for (const [index, statement] of statements.entries()) {
      const tokens = withoutMarks(statement);
      // Behind a semicolon nothing begins as a sentence does.
      const found =
        clientCommandForm(tokens) ??
        formedWrite({ tokens, isShouted, casing: index === 0 || isProse ? casing : 'lower' });
      if (found !== null) return found;
    }
    return null;
  });
}

function clientCommandForm(tokens: Statement): string | null {
  if (isWord(tokens[0], 'PRAGMA')) return pragma(tokens);
  return tokens[0]?.text === '\\' ? clientCommand(tokens) : null;
}

function firstOfReadings(
  text: string,
  find: (statements: readonly Statement[], reading: SqlReading) => string | null,
): string | null {
  const readings = sqlReadings(text);
  if (readings === null) return 'comments for too many versions of MySQL';
  return firstOf(readings, (reading) => find(sqlStatements(text, reading), reading));
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | null): string | null {
  for (const one of all) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

function writeOfStatements(statements: readonly Statement[], { batches }: SqlReading): string | null {
  let [inBlock, isFirst] = [false, true];
  for (const statement of statements) {
    inBlock ||= opensBlock(statement);
    for (const [index, part] of (batches ? byBatch(statement) : [statement]).entries()) {
      const found =
        writeOf(part) ??
        (batches && (isFirst || index > 0) ? namedProcedure(part) : null) ??
        (inBlock ? calledInBlock(part) : null);
      if (found !== null) return found;
    }
    isFirst = false;
  }
  return null;
}

/** The parts of a statement between the words GO. */
function byBatch(statement: Statement): readonly Statement[] {
  if (!statement.some((token) => isWord(token, 'GO'))) return [statement];
  const parts: SqlToken[][] = [[]];
  for (const token of statement) {
    if (isWord(token, 'GO')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter(({ length }) => length > 0);
}

/** A statement without the marks before its first word that are none of it. */
function withoutMarks(statement: Statement): Statement {
  const start = statement.findIndex(
    ({ text, kind }) => kind !== 'mark' || !/[(){}?=\u0080-\uFFFF]/.test(text),
  );
  return start === -1 ? [] : start > 0 ? statement.slice(start) : statement;
}

function writeOf(statement: Statement): string | null {
  const tokens = withoutMarks(statement);
  const [first] = tokens;
  if (first === undefined) return null;
  if (first.kind === 'mark') return clientCommand(tokens) ?? generalWrite(tokens);
  if (first.kind === 'word') {
    const own = Object.hasOwn(SPECIAL, first.text) ? SPECIAL[first.text] : undefined;
    if (own !== undefined) return own(tokens);
    if (WRITING.has(first.text)) return first.text;
  }
  return generalWrite(tokens);
}

function generalWrite(tokens: Statement, from = 1): string | null {
  return innerWrite(tokens, from) ?? selectInto(tokens) ?? writingFunction(tokens) ?? pipedCommand(tokens);
}

/** Statements that write only sometimes. */
const SPECIAL: Readonly<Record<string, (tokens: Statement) => string | null>> = {
  EXPLAIN: explained,
  DESCRIBE: explained,
  DESC: explained,
  // MariaDB's ANALYZE SELECT; every other one stores statistics.
  ANALYZE: analyzed,
  ANALYSE: analyzed,
  // What SHOW CREATE names is shown.
  SHOW: (tokens) => generalWrite(tokens, 2),
  COPY: (tokens) => (copies(tokens) ? 'COPY' : generalWrite(tokens)),
  PRAGMA: pragma,
  SET: (tokens) =>
    tokens.slice(1, 4).some(({ text }) => SETTING_MORE.has(text) || text.startsWith('@@GLOBAL'))
      ? 'SET GLOBAL'
      : generalWrite(tokens),
  RESET: (tokens) =>
    isWord(tokens[1], 'MASTER', 'SLAVE', 'REPLICA', 'BINARY', 'QUERY', 'PERSIST')
      ? 'RESET'
      : generalWrite(tokens),
  START: (tokens) => replication(tokens),
  STOP: (tokens) => replication(tokens),
  DO: (tokens) =>
    tokens[isWord(tokens[1], 'LANGUAGE') ? 3 : 1]?.kind === 'quoted' || isCall(tokens[1], tokens[2])
      ? 'DO'
      : generalWrite(tokens),
  PREPARE: (tokens) => {
    const as = tokens.findIndex((token) => isWord(token, 'AS'));
    return isWord(tokens[1], 'TRANSACTION') ? 'PREPARE TRANSACTION' : writeOf(tokens.slice(as + 1 || 1));
  },
  TABLE: (tokens) => generalWrite(tokens, 2),
};

/** Only with ANALYZE is what is explained also carried out. */
function explained(tokens: Statement): string | null {
  const start = tokens.findIndex(
    ({ kind, text }, index) => index > 0 && kind === 'word' && isExplained(text),
  );
  if (start === -1) return null;
  const carriedOut = tokens.slice(0, start).some((token) => isWord(token, 'ANALYZE', 'ANALYSE'));
  return carriedOut ? writeOf(tokens.slice(start)) : innerWrite(tokens, start + 1);
}

function analyzed(tokens: Statement): string | null {
  const start = tokens.findIndex(
    ({ kind, text }, index) => index > 0 && kind === 'word' && isExplained(text),
  );
  return start === -1 ? 'ANALYZE' : writeOf(tokens.slice(start));
}

function isExplained(word: string): boolean {
  return WRITING.has(word) || ['SELECT', 'WITH', 'VALUES', 'TABLE'].includes(word);
}

/** Only `COPY … TO STDOUT` reads, unless what it copies is a change. */
function copies(tokens: Statement): boolean {
  const to = tokens.findIndex((token) => token.depth === 0 && isWord(token, 'TO'));
  return to === -1 || !isWord(tokens[to + 1], 'STDOUT');
}

function pragma(tokens: Statement): string | null {
  const name = tokens[tokens[2]?.text === '.' ? 3 : 1]?.text ?? '';
  const isSet = tokens.some(({ text }) => text === '=' || text === '(') && !READING_PRAGMAS.has(name);
  return isSet || WRITING_PRAGMAS.has(name) ? 'PRAGMA' : null;
}

function replication(tokens: Statement): string | null {
  return isWord(tokens[1], 'REPLICA', 'SLAVE', 'ALL', 'GROUP_REPLICATION')
    ? `${tokens[0]?.text ?? ''} REPLICA`
    : generalWrite(tokens);
}

/** `.import` of sqlite3, `\copy` of psql, `!!` of sqlcmd. */
function clientCommand([mark, word, more]: Statement): string | null {
  if (mark?.text === '!' || mark?.text === '\\' || mark?.text === '.') {
    const name = word?.text ?? '';
    if (CLIENT_COMMANDS.has(name)) return `the command ${mark.text}${name}`;
  }
  return mark?.text === ':' && isWord(word, 'R', 'OUT') && more !== undefined
    ? `the command :${word?.text ?? ''}`
    : null;
}

/** psql ends a statement with a command that writes its result or carries it out: `SELECT … \gexec`. */
function pipedCommand(tokens: Statement): string | null {
  const at = tokens.findIndex(
    ({ text, kind }, index) =>
      kind === 'mark' && text === '\\' && CLIENT_COMMANDS.has(tokens[index + 1]?.text ?? ''),
  );
  return at === -1 ? null : clientCommand(tokens.slice(at));
}

function isCall(name: SqlToken | undefined, next: SqlToken | undefined): boolean {
  return (
    name?.kind === 'word' &&
    (next === undefined ? /_/.test(name.text) : /^[(.@]/.test(next.text) || next.quote === "'")
  );
}
