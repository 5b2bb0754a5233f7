/** What a text calls by a name of its own: files and addresses, identifiers, proper names. */
export interface Mention {
  readonly kind: 'artifact' | 'identifier' | 'name';
  /** As it is written. */
  readonly text: string;
  /** In lower case, without the marks that do not belong to it. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

const EXTENSIONS =
  'avro bash bat bin c cc cfg cjs conf cpp cs css csv db dockerfile env exe gif go gql gradle graphql gz h hcl hpp html ini ipynb ' +
  'java jar jpg js json jsonl jsx kt lock log lua md mdx mjs mmd mts parquet pdf php png proto ps1 py rb rs sass scala scss sh ' +
  'sql sqlite svg swift tar tf tfvars toml ts tsv tsx txt vue wasm xml yaml yml zip zsh';
/** Products that are called like a file. */
const NO_FILE =
  '(?!(?:[Nn]ode|[Nn]ext|[Vv]ue|[Nn]uxt|[Ee]xpress|[Tt]hree|[Rr]eact|[Ee]mber|[Cc]hart|D3)\\.js\\b)';
const FILE_NAME = String.raw`${NO_FILE}[\w@][\w@-]*(?:\.[\w-]+)*\.(?:${EXTENSIONS.replaceAll(' ', '|')})\b(?![\w/])`;
const SEGMENT = String.raw`[\w@.*\[\]{}:-]`;

/** What is looked for, in this order; what one has found the next does not see. */
const PATTERNS: readonly (readonly [kind: Mention['kind'] | 'code' | 'none', pattern: RegExp])[] = [
  ['artifact', /\bhttps?:\/\/[^\s<>()"'`]*[^\s<>()"'`.,;:!?]/gi],
  ['code', /`([^`]{1,200})`/g],
  [
    'artifact',
    new RegExp(
      [
        String.raw`(?<![\w./<-])(?:~|\.{1,2})?(?:/${SEGMENT}+)+/?(?<![.,;:])`,
        String.raw`(?<![\w./<@*-])(?:[\w@.*-]+/)+${FILE_NAME}`,
        String.raw`(?<![\w./<@-])[a-z_@.][\w@.-]*/[\w@.-]+/(?:[\w@.*-]+(?:/[\w@.*-]+)*/?)?(?<![.,;:])`,
        String.raw`(?<![\w./<@-])[a-z_@.][\w@.-]*/(?![\w])`,
        `(?<![\\w./@-])${FILE_NAME}`,
      ].join('|'),
      'g',
    ),
  ],
  ['artifact', /\b(?:Dockerfile|Makefile|Procfile|Jenkinsfile|CHANGELOG|LICENSE)\b/g],
  ['none', /\b\d{4}-\d{2}-\d{2}\b/g],
  ['identifier', /\b[vV]\d+(?:\.\d+)*(?:-[a-z][\w.]*)?\b|(?<![\w.])\d+\.\d+\.\d+(?:[-.+][\w.]*\w)?/g],
  ['identifier', /\b[A-Z][A-Z0-9]*-\d[\d-]*\b|(?<![\w&/])#\d+\b|(?<![\w-])--[a-z][\w-]*/g],
  ['identifier', /(?<![\w.])[a-z_]\w*(?:\.[a-z_]\w+)+(?:\(\))?|\b\w+\(\)/g],
  ['identifier', /\b(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z]+[a-z0-9]+[A-Z]\w*|[A-Za-z](?=\w*_)\w*(?<!_))\b/g],
  ['identifier', /\b[A-Za-z]+\d[A-Za-z0-9]*\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b/g],
  [
    'name',
    /(?<![\p{L}\p{N}_'’-])\p{Lu}[\p{L}\p{N}]*(?:[&+'’.-]\p{L}+)*(?: \p{Lu}[\p{L}\p{N}]*(?:[&+-]\p{L}+)*)*/gu,
  ],
];

/** Capital letters that make no name. */
const NO_NAME = new Set(
  `a all also an and any as at both but by each even every for from he her his how if in is it its may more most must no
  none nor not now of on only or our own shall should since so some such than that the their them then there these they
  this those though to too under until up was we what when where which while who why will with yes yet you your i ok
  todo note warning`.split(/\s+/),
);

/**
 * What a sentence names, in order: files and addresses, identifiers, proper names. A single capital at its beginning, or after a
 * colon, is a plain word's.
 */
export function mentionsOf(sentence: string): readonly Mention[] {
  const found: Mention[] = [];
  let rest = sentence;
  for (const [kind, pattern] of PATTERNS) {
    for (const { 0: whole, index } of rest.matchAll(pattern)) {
      if (kind === 'name') for (const name of namesIn(whole, index, sentence)) found.push(name);
      else if (kind !== 'none') found.push(mentionOf(kind, whole, index));
    }
    rest = rest.replaceAll(pattern, (whole) => ' '.repeat(whole.length));
  }
  return found
    .filter((mention) => mention.key !== '' && standsAlone(sentence, mention))
    .sort((a, b) => a.start - b.start);
}

/**
 * Whether a character can be part of a name or a word in any script; the patterns' `\b` and `\w` know Latin
 * letters alone.
 */
export function isWordPart(character: string): boolean {
  return /^[\p{L}\p{N}_]$/u.test(character);
}

/** Whether a text, as a whole, is the name of a file, a folder or an address. */
export function isPath(text: string): boolean {
  return (
    /^\S+$/.test(text) && mentionsOf(text).some(({ kind, end }) => kind === 'artifact' && end === text.length)
  );
}

/** The key by which names of an artifact are compared. */
export function artifactKey(text: string): string {
  return text
    .trim()
    .replaceAll(/^`|`$/g, '')
    .replace(/^\.\//, '')
    .replace(/(?<=.)\/$/, '')
    .toLowerCase();
}

/** The last part of the name of a path. */
export function baseName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Whether no word of another script runs into a mention: in `Àa/` nothing is called `a/`. */
function standsAlone(sentence: string, { start, end }: Mention): boolean {
  const opens = !isWordPart(sentence.charAt(start)) || !isWordPart(sentence.charAt(start - 1));
  return opens && (!isWordPart(sentence.charAt(end - 1)) || !isWordPart(sentence.charAt(end)));
}

function mentionOf(kind: 'artifact' | 'identifier' | 'code', whole: string, start: number): Mention {
  const span = { start, end: start + whole.length };
  if (kind === 'artifact') return { kind, text: whole, key: artifactKey(whole), ...span };
  const inner = kind === 'code' ? whole.slice(1, -1).trim() : whole;
  if (kind === 'code' && isPath(inner))
    return { kind: 'artifact', text: inner, key: artifactKey(inner), ...span };
  const key = inner
    .replace(/\(\)$/, '')
    .replace(/^v(?=\d)/i, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
  return { kind: 'identifier', text: inner, key, ...span };
}

// Words of a run of capitals that make no name end it. The first word of a sentence is left out, unless another name
// follows that it seems to belong to: "Ada Lovelace wrote", but "Added Redis".
function namesIn(run: string, at: number, sentence: string): readonly Mention[] {
  const names: Mention[] = [];
  let words: { text: string; start: number }[] = [];
  const close = (): void => {
    const [first] = words;
    const text = words.map((word) => word.text).join(' ');
    words = [];
    if (first === undefined || !/\p{L}/u.test(text)) return;
    names.push({
      kind: 'name',
      text,
      key: text.toLowerCase(),
      start: first.start,
      end: first.start + text.length,
    });
  };
  const several = /^\p{Lu}[\p{L}\p{N}]*(?<!ed|ing|s) \p{Lu}/u.test(run);
  for (const { 0: text, index } of run.matchAll(/[^ ]+/g)) {
    const start = at + index;
    const plain = !several && !isAcronym(text) && beginsSentence(sentence, start);
    if (plain || NO_NAME.has(text.toLowerCase())) close();
    else words.push({ text: text.replace(/['’]s$/, ''), start });
    if (/['’]s$/.test(text)) close();
  }
  close();
  return names;
}

function beginsSentence(sentence: string, at: number): boolean {
  return /(?:^|[.!?:;]\s|\s[–—-]\s)[\s"'“‘(*]*$/.test(sentence.slice(Math.max(0, at - 8), at));
}

function isAcronym(word: string): boolean {
  return /^\p{Lu}[\p{Lu}\p{N}&]+s?$/u.test(word);
}
