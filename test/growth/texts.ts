/** Texts that strangers may send, each of about so many characters. */
export type Texts = Readonly<Record<string, (length: number) => string>>;

const many = (length: number, item: (index: number) => string, between = '') => {
  const size = item(1000).length + between.length;
  return Array.from({ length: Math.ceil(length / size) }, (_, index) => item(index)).join(between);
};

/** Texts of JSON, which is YAML as well, and what only begins like it. */
export const JSON_TEXTS: Texts = {
  'a deep list': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'a deep map': (length) => '{"a":'.repeat(length / 6) + '1' + '}'.repeat(length / 6),
  'lists that do not end': (length) => '['.repeat(length),
  'a text that does not end': (length) => `{"a":"${'\\"'.repeat(length / 2)}`,
  'a long text': (length) => `{"a":"${'x'.repeat(length)}"}`,
  'a long name': (length) => `{"${'x'.repeat(length)}":1}`,
  'many items': (length) => `[${'1,'.repeat(length / 2)}1]`,
  'many names': (length) => `{${many(length, (index) => `"k${index}":1`, ',')}}`,
  'one name many times': (length) => `{${many(length, () => '"a":1', ',')}}`,
  'many objects in a list': (length) => `[${many(length, (index) => `{"id":"${index}"}`, ',')}]`,
  'line ends': (length) => `{${'\n'.repeat(length)}}`,
  blanks: (length) => `{${' '.repeat(length)}x`,
  quotes: (length) => '"'.repeat(length),
  backslashes: (length) => `"${'\\'.repeat(length)}`,
  'a long number': (length) => `[${'9'.repeat(length)}]`,
};

export const YAML_TEXTS: Texts = {
  ...JSON_TEXTS,
  'lists on one line': (length) => '- '.repeat(length / 2),
  'keys on one line': (length) => '? '.repeat(length / 2),
  'many keys': (length) => many(length, (index) => `k${index}: 1\n`),
  'one key many times': (length) => many(length, () => 'a: 1\n'),
  'a map with ordered keys': (length) => `!!omap\n${many(length, (index) => `- k${index}: 1\n`)}`,
  'a set': (length) => `!!set\n${many(length, (index) => `? k${index}\n`)}`,
  'old YAML': (length) => `%YAML 1.1\n---\n!!omap\n${many(length, (index) => `- k${index}: 1\n`)}`,
  'anchors and aliases': (length) => many(length, (index) => `- &a${index} x\n- *a${index}\n`),
  'one anchor many times': (length) => many(length, () => '- &a [x]\n'),
  'aliases of aliases': (length) =>
    `a0: &a0 [x]\n${many(length, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`)}`,
  comments: (length) => many(length, () => '# a\n'),
  'many documents': (length) => many(length, () => '--- a\n'),
  'lines of a text': (length) => `a: |\n${many(length, () => ' x\n')}`,
  'lines of a quoted text': (length) => `a: "${many(length, () => ' x\n')}`,
  tabs: (length) => `a:\n${'\t'.repeat(length)}`,
};

export const MARKDOWN_TEXTS: Texts = {
  'brackets within each other': (length) => `- ${'['.repeat(length / 2)}x${']'.repeat(length / 2)}\n`,
  'links that do not end': (length) => `- ${'[a]('.repeat(length / 4)}\n`,
  'references to nothing': (length) => `- ${'[a][b]'.repeat(length / 6)}\n`,
  'emphasis that does not end': (length) => `- ${'*_'.repeat(length / 2)}x\n`,
  'comments that do not end': (length) => `a ${'<!--'.repeat(length / 4)}`,
  'instructions that do not end': (length) => `a ${'<?'.repeat(length / 2)}`,
  'code that does not end': (length) =>
    `a ${Array.from({ length: Math.floor(Math.sqrt(2 * length)) }, (_, index) => '`'.repeat(index)).join(' ')}`,
  'lines of one paragraph': (length) => `# A\n${'b\n'.repeat(length / 2)}`,
  'lines of a fence': (length) => `- a\n  \`\`\`\n${'  b\n'.repeat(length / 4)}`,
  items: (length) => many(length, () => '- [ ] a\n'),
  headings: (length) => many(length, (index) => `## A${index}\n- b\n`),
  'rows of a table': (length) => `|a|b|\n|-|-|\n${many(length, (index) => `|x${index}|y|\n`)}`,
  quotes: (length) => '> x\n'.repeat(length / 4),
  footnotes: (length) => many(length, (index) => `[^${index}]: x\n\n`),
  'addresses of links': (length) => many(length, (index) => `[a${index}]: x\n`),
  'line ends': (length) => `- a\n${'\n'.repeat(length)}- b`,
  'carriage returns': (length) => '\r'.repeat(length),
  blanks: (length) => `- a${' '.repeat(length)}b`,
};

/** Goals and requests in English. */
export const ENGLISH_TEXTS: Texts = {
  'times after times': (length) => `Do ${'it after running it, '.repeat(length / 21)}`,
  'times before anything': (length) => `After ${'running it, '.repeat(length / 12)}`,
  tools: (length) => `Build a bot ${'in Go '.repeat(length / 6)}`,
  deadlines: (length) => `Build a bot ${'by Monday '.repeat(length / 10)}`,
  commas: (length) => `Add ${'a, '.repeat(length / 3)}and b`,
  'steps one after the other': (length) => 'do it then '.repeat(length / 11),
  clicks: (length) => `open https://a.b ${'; click "x"'.repeat(length / 11)}`,
  quotes: (length) => `click ${'"'.repeat(length)}`,
  brackets: (length) => `Build ${'('.repeat(length / 2)}${')'.repeat(length / 2)}`,
  'line ends': (length) => `Build a bot${'\n'.repeat(length)}x`,
  blanks: (length) => `Build a bot${' '.repeat(length)}x`,
};
