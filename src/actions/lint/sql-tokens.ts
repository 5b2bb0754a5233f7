/** A token of SQL: a word (upper case), a mark, or something whose content does not count. */
export interface SqlToken {
  readonly kind: 'word' | 'mark' | 'quoted';
  /** A word in upper case; a mark as it is; empty for what is quoted. */
  readonly text: string;
  /** How many parentheses are open around it. */
  readonly depth: number;
}

const SPACE = /\s+/y;
const LINE_COMMENT = /--[^\n]*/y;
const WORD = /[\p{L}_@#][\p{L}\p{N}_$@#]*/uy;
const NUMBER = /\d[\w.]*/y;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_]\w*)?\$/y;

/** The statements of SQL: its tokens between semicolons, without empty ones. */
export function sqlStatements(text: string, backslash = false): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [[]];
  for (const token of sqlTokens(text, backslash)) {
    if (token.kind === 'mark' && token.text === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter(({ length }) => length > 0);
}

/**
 * The tokens of SQL, of whatever product: strings, quoted names and comments are told from words. What MySQL
 * carries out although it looks like a comment is read as code. Takes time linear in the text.
 * @param backslash whether a backslash in a string hides the quote after it, as MySQL has it
 */
function sqlTokens(text: string, backslash: boolean): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let [offset, depth, inExecutedComment] = [0, 0, false];
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) offset += found.length;
    return found;
  };
  while (offset < text.length) {
    if (take(SPACE) !== null || take(LINE_COMMENT) !== null) continue;
    const two = text.slice(offset, offset + 2);
    if (two === '/*') {
      const executed = /^\/\*M?!\d*/.exec(text.slice(offset, offset + 12));
      if (executed === null) offset = endOfComment(text, offset);
      else {
        offset += executed[0].length;
        inExecutedComment = true;
      }
      continue;
    }
    if (inExecutedComment && two === '*/') {
      offset += 2;
      inExecutedComment = false;
      continue;
    }
    const quote = take(DOLLAR_QUOTE);
    if (quote !== null) {
      const end = text.indexOf(quote, offset);
      offset = end === -1 ? text.length : end + quote.length;
      tokens.push({ kind: 'quoted', text: '', depth });
      continue;
    }
    const character = text.charAt(offset);
    if (`'"\`[`.includes(character) && !isSubscript(character, tokens)) {
      offset = endOfQuoted(text, offset, backslash);
      tokens.push({ kind: 'quoted', text: '', depth });
      continue;
    }
    const word = take(WORD);
    if (word !== null) {
      tokens.push({ kind: 'word', text: word.toUpperCase(), depth });
      continue;
    }
    if (take(NUMBER) !== null) {
      tokens.push({ kind: 'quoted', text: '', depth });
      continue;
    }
    if (character === ')') depth = Math.max(0, depth - 1);
    tokens.push({ kind: 'mark', text: character, depth });
    if (character === '(') depth += 1;
    offset += 1;
  }
  return tokens;
}

/** `a[1]` and `ARRAY[…]` open no quoted name, as `[a]` does in Transact-SQL. */
function isSubscript(character: string, tokens: readonly SqlToken[]): boolean {
  const last = tokens.at(-1);
  return character === '[' && (last?.text === 'ARRAY' || last?.text === ']');
}

/** Comments nest in the standard and in most products. */
function endOfComment(text: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let open = 0;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    open += found[0] === '/*' ? 1 : -1;
    if (open === 0) return marks.lastIndex;
  }
  return text.length;
}

/** A quote is doubled to stand for itself; in `E'…'` of PostgreSQL a backslash hides one always. */
function endOfQuoted(text: string, start: number, backslash: boolean): number {
  const open = text.charAt(start);
  const close = open === '[' ? ']' : open;
  const marked = open === "'" && /[eE]/.test(text.charAt(start - 1)) && !/\w/.test(text.charAt(start - 2));
  const escapes = marked || (backslash && open !== '[' && open !== '`');
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (escapes && text[offset] === '\\') offset += 1;
    else if (text[offset] === close) {
      if (text[offset + 1] !== close) return offset + 1;
      offset += 1;
    }
  }
  return text.length;
}
