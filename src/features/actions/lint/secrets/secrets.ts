import { RE2JS } from 're2js';

import { truncate } from '../../../../kernel/text/truncate.js';
import { isAssignedSecret, isSecretKey, isSecretNumber, isSecretOf, wordsOfKey } from './secret-keys.js';
import { SECRET_HINT, SECRET_PATTERNS } from './secret-patterns.js';
import type { SecretPattern } from './secret-patterns.js';
import { isDocumented, isFilledUp, standsForSecret } from './secret-placeholders.js';
import type { JudgedAs } from './secret-siblings.js';

/** A secret in a string: what kind it is and where. Its text goes nowhere. */
export interface FoundSecret {
  /** What it looks like, for people: `GitHub token`. */
  readonly kind: string;
  /** A name for the value in the context: `GITHUB_TOKEN`. */
  readonly name: string;
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * The secrets in a string: what looks like a key, a token, a PEM block or a password by its form or by what it is
 * assigned to, and, where the key says that its value is a secret, the whole value. References, placeholders,
 * keys that manuals show, and hashes are none. Takes time linear in the text.
 * @param as the key whose value the string is, or in whose list it stands; null where there is none
 */
export function secretsIn(value: string, as: string | JudgedAs | null): readonly FoundSecret[] {
  const { key, kind: said } = typeof as === 'string' || as === null ? { key: as } : as;
  const found = SECRET_HINT.test(value) ? SECRET_PATTERNS.flatMap((pattern) => foundBy(pattern, value)) : [];
  const kept = withoutOverlaps(found);
  if (key === null || !isSecretOf(key, value) || isDocumented(value)) return kept;
  const [first] = kept;
  if (first !== undefined && !isSecretKey(key)) return kept;
  const kind = first?.kind ?? said ?? `value of ${JSON.stringify(truncate(key, 60))}`;
  return [{ kind, name: first?.name ?? nameOfKey(key), start: 0, end: value.length }];
}

/** What is said of a number that is the secret of a key, or null where it is none. @param digits its text */
export function secretNumber(digits: string, as: JudgedAs): Omit<FoundSecret, 'start' | 'end'> | null {
  const { key, kind } = as;
  if (key === null || !isSecretNumber(key, digits)) return null;
  return { kind: kind ?? `value of ${JSON.stringify(truncate(key, 60))}`, name: nameOfKey(key) };
}

/** A name in the context for the value of a key. */
function nameOfKey(key: string): string {
  return wordsOfKey(key).toUpperCase() || 'SECRET';
}

const compiled = new Map<string, RE2JS>();

function expressionOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
}

function foundBy(pattern: SecretPattern, value: string): readonly FoundSecret[] {
  if (!pattern.hint.test(value)) return [];
  const expression = expressionOf(pattern.pattern);
  // The yes or no of `test` is many times as fast as a match with its place.
  if (!expression.test(value)) return [];
  const matcher = expression.matcher(value);
  const group = 'secret' in expression.namedGroups() ? 'secret' : Math.min(1, matcher.groupCount());
  const found: FoundSecret[] = [];
  for (let from = 0; from <= value.length && matcher.find(from);) {
    let [start, end] = [matcher.start(group), matcher.end(group)];
    // A mark behind a secret may be the one before the next.
    from = Math.max(end, from + 1);
    if (pattern.check === 'assignment') [start, end] = withoutMarks(value, start, end);
    const part = (name: string) => matcher.group(name) ?? '';
    if (isSecret(pattern, value.slice(start, end), part))
      found.push({ kind: pattern.kind, name: pattern.name, start, end });
  }
  return found;
}

function isSecret({ check }: SecretPattern, secret: string, part: (name: 'key' | 'sign') => string): boolean {
  if (standsForSecret(secret) || isDocumented(secret)) return false;
  switch (check) {
    case 'basic':
      return isCredentials(secret);
    case 'assignment':
      return isAssignedSecret(part('key'), part('sign'), secret);
    case 'url':
      // A port and what follows it.
      return !/^\d{1,5}(?:[/#,].*)?$/.test(secret) || /^\d{6,}$/.test(secret);
    default:
      return !isFilledUp(secret);
  }
}

/** Whether Base64 stands for a name and a password, which no word does. */
function isCredentials(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return /^[^\s:\p{Cc}\uFFFD]*:[^\p{Cc}\uFFFD]+$/u.test(decoded);
}

/** Without quotation marks around it, and without a bracket behind that belongs to the text. */
function withoutMarks(value: string, start: number, end: number): readonly [number, number] {
  const text = value.slice(start, end);
  const [before = ''] = /^\\*["']/.exec(text) ?? [];
  const behind = /(?<!\\)\\*["']$/.exec(text.slice(before.length));
  if (before !== '' && behind !== null) return [start + before.length, start + before.length + behind.index];
  return [start, /[([{]/.test(text) ? end : endWithout(value, end, ')]}.,\\')];
}

/** Where a text ends without some marks behind it. */
function endWithout(value: string, end: number, marks: string): number {
  let at = end;
  while (at > 0 && marks.includes(value.charAt(at - 1))) at -= 1;
  return at;
}

/** Of those that share text the one that comes first in the table, which is in the order of what says more. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const rank = new Map(found.map((one, index) => [one, index]));
  const kept: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= one.start) kept.push(one);
    else if ((rank.get(one) ?? 0) < (rank.get(last) ?? 0)) kept.splice(-1, 1, one);
  }
  return kept;
}
