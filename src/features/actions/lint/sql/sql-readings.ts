/** How one product, in one of its modes, tells strings, names and comments from code. */
export interface SqlReading {
  /** What a quotation can begin with. */
  readonly quotes: string;
  /** The quotation marks within which a backslash hides the mark after it. */
  readonly backslash: string;
  /** Whether `]]` stands for a bracket within `[…]`. */
  readonly doubledBrackets: boolean;
  /** `$$…$$` and `$tag$…$tag$`. */
  readonly dollarQuotes: boolean;
  /** `E'…'`, in which a backslash escapes, also in what continues it on the next line. */
  readonly escapeStrings: boolean;
  /** `q'[…]'`. */
  readonly chosenQuotes: boolean;
  readonly lineComment: RegExp;
  /** Whether block comments nest. */
  readonly nestedComments: boolean;
  /** Whether the text of a comment that begins `/*!` or `/*M!` is carried out; null for an ordinary comment. */
  readonly carriesOut: (mark: string, version: number | null) => boolean | null;
  /** What a host puts a value for, where that is more than a mark and a name. */
  readonly variable: RegExp | null;
  readonly word: RegExp;
  /** Whether a procedure at the beginning is run by its name alone, and `GO` ends a batch. */
  readonly batches: boolean;
}

const LETTERS_AND_MORE = /[\p{L}_@#][\p{L}\p{N}_$@#]*/uy;
/** Names of Oracle begin with a letter; what is before it is no part of the `q` of `q'[…]'`. */
const ORACLE_WORD = /\p{L}[\p{L}\p{N}_$#]*/uy;
/** `#` begins and continues no word: `#q'[…]'` and `a#q'[…]'` are a mark and a quotation. */
const WITHOUT_NUMBER_SIGN = /[\p{L}_@][\p{L}\p{N}_@$]*/uy;
/** Every character beyond ASCII counts as a letter, spaces included; `#` does not. */
const ANY_BEYOND_ASCII = /[A-Za-z_\u0080-\u{10FFFF}][\w$\u0080-\u{10FFFF}]*/uy;
const MYSQL_WORD = /[A-Za-z_@$\u0080-\u{10FFFF}][\w$\u0080-\u{10FFFF}]*/uy;
/** SQLite takes `$name(…)` as one, whatever marks are in the parentheses. */
const SQLITE_VARIABLE = /[$@#:](?:[\w$\u0080-\u{10FFFF}]|::)+(?:\([^\s)]*\)?)?/uy;
/** The same where a parenthesis that is not closed before a space is no part of it. */
const SQLITE_CLOSED_VARIABLE = /[$@#:](?:[\w$\u0080-\u{10FFFF}]|::)+(?:\([^\s)]{0,1000}\))?/uy;
const TO_LINE_FEED = /--[^\n]*/y;
const TO_LINE_END = /--[^\n\r]*/y;
const TO_ANY_LINE_END = /--[^\n\r\u0085\u2028\u2029]*/y;
const OF_MYSQL = /(?:#|--(?![!-~\u0080-\uFFFF]))[^\n]*/y;

const PLAIN: SqlReading = {
  quotes: `'"`,
  backslash: '',
  doubledBrackets: false,
  dollarQuotes: false,
  escapeStrings: false,
  chosenQuotes: false,
  lineComment: TO_LINE_FEED,
  nestedComments: false,
  carriesOut: () => null,
  variable: null,
  word: LETTERS_AND_MORE,
  batches: false,
};

const SQL_SERVER: SqlReading = {
  ...PLAIN,
  quotes: `'"[`,
  doubledBrackets: true,
  nestedComments: true,
  lineComment: TO_ANY_LINE_END,
  batches: true,
};
const POSTGRES: SqlReading = {
  ...PLAIN,
  dollarQuotes: true,
  escapeStrings: true,
  nestedComments: true,
  lineComment: TO_LINE_END,
  word: ANY_BEYOND_ASCII,
};
const SQLITE: SqlReading = {
  ...PLAIN,
  quotes: `'"\`[`,
  variable: SQLITE_VARIABLE,
  word: ANY_BEYOND_ASCII,
};
/** What a word is decides where `q'[…]'` begins; versions and tools differ, hence each counts. */
const ORACLE: readonly SqlReading[] = [LETTERS_AND_MORE, ORACLE_WORD, WITHOUT_NUMBER_SIGN].map((word) => ({
  ...PLAIN,
  chosenQuotes: true,
  word,
}));

/** Those of one kind alone: where a line ends, and PostgreSQL with standard_conforming_strings off. */
const OTHERS: readonly SqlReading[] = [
  { ...SQL_SERVER, lineComment: TO_LINE_FEED },
  POSTGRES,
  { ...POSTGRES, backslash: "'" },
  SQLITE,
  { ...SQLITE, variable: SQLITE_CLOSED_VARIABLE },
  ...ORACLE,
  ...ORACLE.map((reading) => ({ ...reading, lineComment: TO_LINE_END })),
];

/** MySQL and MariaDB: as they come, with ANSI_QUOTES, and with NO_BACKSLASH_ESCAPES. */
const MYSQL: readonly SqlReading[] = [`'"`, `'`, ''].map((backslash) => ({
  ...PLAIN,
  quotes: `'"\``,
  backslash,
  lineComment: OF_MYSQL,
  word: MYSQL_WORD,
}));

/** Where every product reads alike: none of these but as they are in most queries. */
const DIFFERS = /[^\t\n -~]|[\\#[`]|\$(?!\d)|--(?!\s|$)|\/\*|[qQ]'|[@:$]\w+\(/;
const CARRIED_OUT = /\/\*(M?!)(\d{5,6})?/g;
/** With more versions than this in one text, nobody can want to read it. */
const MOST_VERSIONS = 4;

/**
 * The readings under which a text may be carried out: PostgreSQL, MySQL and MariaDB, SQL Server, SQLite and
 * Oracle, in the modes that change what is quoted. One is enough for a text that all of them read alike. Null
 * for a text whose comments name so many versions of MySQL that nobody can say what is carried out.
 */
export function sqlReadings(text: string): readonly SqlReading[] | null {
  if (!DIFFERS.test(text)) return [SQL_SERVER];
  const conditional = conditions(text);
  if (conditional === null) return null;
  return [SQL_SERVER, ...OTHERS, ...MYSQL.flatMap((reading) => conditional(reading))];
}

/** Which of the comments that name a version are carried out, for every version there may be. */
function conditions(text: string): ((reading: SqlReading) => readonly SqlReading[]) | null {
  const found = [...text.matchAll(CARRIED_OUT)];
  if (found.length === 0) return (reading) => [reading];
  const versions = [...new Set(found.flatMap(([, , digits]) => (digits === undefined ? [] : digits)))];
  if (versions.length > MOST_VERSIONS) return null;
  const limits = [0, ...versions.map(Number)];
  return (reading) => [
    // MySQL, to which `M!` is nothing; then MariaDB, which passes over what is meant for MySQL 5.7 and later.
    ...limits.map((limit) =>
      carrying(reading, (mark, version) => (mark === '!' ? (version ?? 0) <= limit : null)),
    ),
    ...limits.map((limit) =>
      carrying(
        reading,
        (_, version) => version === null || (version <= limit && (version < 50_700 || version > 99_999)),
      ),
    ),
  ];
}

function carrying(reading: SqlReading, carriesOut: SqlReading['carriesOut']): SqlReading {
  return { ...reading, carriesOut };
}
