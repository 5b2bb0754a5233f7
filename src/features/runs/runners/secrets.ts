import { isExactNumber, isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';

/** What stands where a secret was. */
const BLOT = '[secret]';

/** A shorter value is part of any text, and guards nothing. */
const LEAST_LENGTH = 4;

/** The secrets of one call: read when it is made, and blotted out of all that comes of it. */
export interface Secrets {
  /** The value of a variable, which is a secret from now on; undefined where it is not set. */
  readonly read: (name: string) => string | undefined;
  /** Without the secrets that were read, in whatever usual encoding. */
  readonly blotText: (text: string) => string;
  readonly blot: (value: JsonValue) => JsonValue;
  /** The length of the longest form of any of them. */
  readonly longest: () => number;
}

/** @param variables the environment that they are read from */
export function createSecrets(variables: Readonly<Record<string, string | undefined>>): Secrets {
  const forms = new Set<string>();
  const ordered = () => [...forms].toSorted((a, b) => b.length - a.length);
  const blotText = (text: string) => ordered().reduce((rest, form) => rest.replaceAll(form, BLOT), text);
  const blot = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return blotText(value);
    if (typeof value === 'number' || isExactNumber(value)) return forms.has(String(value)) ? BLOT : value;
    if (isJsonList(value)) return value.map(blot);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [blotText(key), blot(member)]));
  };
  return {
    read(name) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      for (const form of formsOf(value ?? '')) forms.add(form);
      return value;
    },
    blotText,
    blot: (value) => (forms.size === 0 ? value : blot(value)),
    longest: () => [...forms].reduce((longest, form) => Math.max(longest, form.length), 0),
  };
}

/** A secret as it may be said again: as it is, within JSON, percent-encoded, in base64, in hexadecimal digits. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = bytes.toString('base64');
  const percent = percentEncoded(secret);
  // What is quoted line by line is each line's own.
  const lines = secret.split(/\r?\n/);
  return [
    secret,
    ...(lines.length > 1 ? lines : []),
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll('%20', '+'),
    base64,
    base64.replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ].filter(({ length }) => length >= LEAST_LENGTH);
}

function percentEncoded(text: string): string {
  // A lone surrogate has no encoding.
  return encodeURIComponent(wellFormed(text));
}
