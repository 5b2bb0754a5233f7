import { isMap } from 'yaml';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { readYaml } from '../../../kernel/yaml.js';

const FRONT_MATTER = /^---[ \t]*(?:\r\n|\n|\r)([\s\S]{0,65536}?)(?:\r\n|\n|\r)---[ \t]*(?=\r|\n|$)/;

/**
 * The front matter of a document. It counts only if it is a YAML mapping, or its lines look like one that YAML refuses: two rules
 * with goals between them are no front matter.
 */
export function readFrontMatter(text: string): string {
  const match = FRONT_MATTER.exec(text);
  if (match === null) return '';
  const yaml = readYaml(match[1] ?? '');
  const isFront = 'document' in yaml ? isMap(yaml.document.contents) : looksLikeMembers(match[1] ?? '');
  return isFront ? match[0] : '';
}

const KEY = /^["'\w][^:\s][^:\r\n]{0,100}:(?:[ \t]|$)|^\w:(?:[ \t]|$)/;
/** What may stand below a key: items without a box, comments, more of a text. */
const BELOW_KEY = /^(?:[ \t]*-(?:[ \t]+(?!\[.?\])|$)|[ \t]*#|[ \t]+(?![-*+] \[)\S)/;

/** Whether lines are keys with values, and what may stand below them; behind an empty line a `#` heads a section. */
function looksLikeMembers(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trimEnd());
  const first = lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
  return (
    KEY.test(first) &&
    lines.every(
      (line, index) =>
        line === '' ||
        KEY.test(line) ||
        (BELOW_KEY.test(line) && !(line.startsWith('#') && lines[index - 1] === '')),
    )
  );
}

/** What front matter calls a document; null where it does not. */
export function titleIn(frontMatter: string, members: readonly string[] = ['title']): string | null {
  const text = FRONT_MATTER.exec(frontMatter)?.[1] ?? '';
  const read = readYaml(text);
  const value: Readonly<Record<string, unknown>> = 'value' in read ? Object(read.value) : membersIn(text);
  const title = members
    .map((member) => value[member])
    .find((each) => typeof each === 'string' && each.trim() !== '');
  return typeof title === 'string' ? oneLine(title) : null;
}

/** The members of front matter that YAML refuses, each the text behind its name; the first of a name counts. */
function membersIn(text: string): Readonly<Record<string, unknown>> {
  const pairs = text.split(/\r\n|\n|\r/).flatMap((line): readonly (readonly [string, string])[] => {
    const end = line.indexOf(':');
    const said = line.slice(end + 1).trim();
    return end < 0 ? [] : [[line.slice(0, end), said.replace(/^(["'])(.*)\1$/, '$2')]];
  });
  return Object.fromEntries(pairs.toReversed());
}
