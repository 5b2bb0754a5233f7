/**
 * What of a text a product sees as code, written from the products' manuals and apart from the product under test: strings
 * and quoted names become `Q`, comments a space. Each takes what begins at a place, or nothing.
 */
export interface ReferenceLexer {
  readonly product: string;
  readonly code: (text: string) => string;
}

type Taking = (text: string, at: number) => { readonly end: number; readonly as: string } | null;

const matching =
  (pattern: RegExp, as: string): Taking =>
  (text, at) => {
    const sticky = new RegExp(pattern.source, `${pattern.flags}y`);
    sticky.lastIndex = at;
    const found = sticky.exec(text);
    return found === null || found[0] === '' ? null : { end: at + found[0].length, as };
  };

const nested: Taking = (text, at) => {
  if (!text.startsWith('/*', at)) return null;
  let [depth, end] = [0, at];
  do {
    if (text.startsWith('/*', end)) [depth, end] = [depth + 1, end + 2];
    else if (text.startsWith('*/', end)) [depth, end] = [depth - 1, end + 2];
    else end += 1;
  } while (depth > 0 && end < text.length);
  return { end, as: ' ' };
};

const PLAIN_COMMENT = matching(/\/\*(?!\/?$)[^]*?(?:\*\/|$)/, ' ');
const SINGLE = matching(/'(?:[^']|'')*(?:'|$)/, 'Q');
const SINGLE_ESCAPED = matching(/'(?:[^'\\]|\\[^]|'')*(?:'|\\?$)/, 'Q');
const DOUBLE = matching(/"(?:[^"]|"")*(?:"|$)/, 'Q');
const DOUBLE_ESCAPED = matching(/"(?:[^"\\]|\\[^]|"")*(?:"|\\?$)/, 'Q');
const BACKTICKS = matching(/`(?:[^`]|``)*(?:`|$)/, 'Q');
const DASHES = matching(/--[^\n]*/, ' ');
const WORD = matching(/[\p{L}_@][\p{L}\p{N}_@$]*/u, 'word');
const WIDE_WORD = matching(/[A-Za-z_\u0080-\uFFFF][\w$\u0080-\uFFFF]*/, 'word');

const POSTGRES: readonly Taking[] = [
  nested,
  matching(/--[^\n\r]*/, ' '),
  matching(/\$([A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*)?\$[^]*?(?:\$\1\$|$)/, 'Q'),
  matching(/\$\d+/, 'P'),
  matching(
    /[eE]'(?:[^'\\]|\\[^]|'')*(?:\\?$|'(?:(?:[ \t\f]|--[^\n\r]*)*[\n\r](?:\s|--[^\n\r]*[\n\r])*'(?:[^'\\]|\\[^]|'')*(?:'|\\?$))*)/,
    'Q',
  ),
];
const MYSQL: readonly Taking[] = [
  matching(/#[^\n]*/, ' '),
  matching(/--(?![!-~\u0080-\uFFFF])[^\n]*/, ' '),
  PLAIN_COMMENT,
];
const MYSQL_WORD = matching(/[A-Za-z_$@\u0080-\uFFFF][\w$\u0080-\uFFFF]*/, 'word');

function lexer(product: string, ...makers: readonly (Taking | (() => readonly Taking[]))[]): ReferenceLexer {
  return {
    product,
    code(text) {
      const takings = makers.flatMap((one) =>
        one.length === 0 ? (one as () => readonly Taking[])() : [one as Taking],
      );
      const pieces: string[] = [];
      for (let at = 0; at < text.length;) {
        const taken = takings.reduce<ReturnType<Taking>>((found, taking) => found ?? taking(text, at), null);
        if (taken?.as === 'word') pieces.push(text.slice(at, taken.end));
        else pieces.push(taken?.as ?? text.charAt(at));
        at = taken?.end ?? at + 1;
      }
      return pieces.join('');
    },
  };
}

/** Text in comments that MySQL of one version carries out is code; the marks around it are not. */
function carriedOut(limit: number): () => readonly Taking[] {
  return () => {
    let isOpen = false;
    return [
      (text, at) => {
        if (!isOpen || !text.startsWith('*/', at)) return null;
        isOpen = false;
        return { end: at + 2, as: ' ' };
      },
      (text, at) => {
        const [all, digits] = /^\/\*!(\d{5,6})?/.exec(text.slice(at, at + 9)) ?? [];
        if (all === undefined) return null;
        if (digits === undefined || Number(digits) <= limit) {
          isOpen = true;
          return { end: at + all.length, as: ' ' };
        }
        const skipped = /^\/\*(?:\/\*[^]*?(?:\*\/|$)|(?!\*\/)[^])*(?:\*\/|$)/.exec(text.slice(at));
        return { end: at + (skipped?.[0].length ?? 2), as: ' ' };
      },
    ];
  };
}

/** The products, in the modes that change what is quoted. */
export const REFERENCE_LEXERS: readonly ReferenceLexer[] = [
  lexer('PostgreSQL', ...POSTGRES, SINGLE, DOUBLE, WIDE_WORD),
  lexer('PostgreSQL, standard_conforming_strings off', ...POSTGRES, SINGLE_ESCAPED, DOUBLE, WIDE_WORD),
  ...[0, 50_000, 99_999].flatMap((limit) => {
    const first = [carriedOut(limit), ...MYSQL];
    return [
      lexer(`MySQL ${limit}`, ...first, SINGLE_ESCAPED, DOUBLE_ESCAPED, BACKTICKS, MYSQL_WORD),
      lexer(`MySQL ${limit}, ANSI_QUOTES`, ...first, SINGLE_ESCAPED, DOUBLE, BACKTICKS, MYSQL_WORD),
      lexer(`MySQL ${limit}, NO_BACKSLASH_ESCAPES`, ...first, SINGLE, DOUBLE, BACKTICKS, MYSQL_WORD),
    ];
  }),
  lexer('SQL Server', nested, DASHES, SINGLE, DOUBLE, matching(/\[(?:[^\]]|\]\])*(?:\]|$)/, 'Q'), WORD),
  lexer(
    'SQL Server, lines that end with CR',
    nested,
    matching(/--[^\n\r]*/, ' '),
    SINGLE,
    DOUBLE,
    matching(/\[(?:[^\]]|\]\])*(?:\]|$)/, 'Q'),
    WORD,
  ),
  lexer(
    'SQLite',
    PLAIN_COMMENT,
    DASHES,
    SINGLE,
    DOUBLE,
    BACKTICKS,
    matching(/\[[^\]]*(?:\]|$)/, 'Q'),
    matching(/[$@#:](?:[\w$\u0080-\uFFFF]|::)+\([^\s)]*\)/, 'P'),
    WIDE_WORD,
  ),
  lexer(
    'Oracle',
    matching(
      /n?q'(?:\[[^]*?(?:\]'|$)|\{[^]*?(?:\}'|$)|\([^]*?(?:\)'|$)|<[^]*?(?:>'|$)|([^\s[({<])[^]*?(?:\1'|$))/i,
      'Q',
    ),
    PLAIN_COMMENT,
    DASHES,
    SINGLE,
    DOUBLE,
    WORD,
  ),
];

/** Whether a product carries out a statement that begins with `DELETE FROM t`. */
export function deletes({ code }: ReferenceLexer, text: string): boolean {
  return code(text)
    .split(';')
    .some((statement) => /^\s*DELETE\s+FROM\s+t\b/i.test(statement));
}
