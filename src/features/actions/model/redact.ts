import { textOfJson } from '../../../kernel/json/json-text.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { ExactNumber, JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { judgedItem, judgedMembers } from '../lint/secrets/secret-siblings.js';
import type { JudgedAs } from '../lint/secrets/secret-siblings.js';
import { secretNumber, secretsIn } from '../lint/secrets/secrets.js';

/** What stands where a secret was. */
const REDACTED = '[secret]';

/** Keys whose value is what somebody typed to prove who he is; a code that is used up is one still. */
const CODE_KEY = /^approval_code$/;

/** A shorter secret may be a word of any text. */
const LEAST_LENGTH = 6;

/**
 * A document without its secrets: what looks like a key, a token or a password, what is under a key such as
 * `password`, what is typed into a password field, and each of these wherever else it is said. Keys stay.
 */
export function redactedDocument(document: JsonObject): JsonObject {
  const texts = secretTexts(document);
  return withoutTexts(redactedMembers(document), texts);
}

/**
 * The secrets to redact that a value holds as a whole, to find them again in texts that say nothing of them;
 * longest first.
 */
export function secretTexts(value: JsonValue): readonly string[] {
  const found = new Set<string>();
  collect(value, { key: null }, found);
  return [...found].filter(({ length }) => length >= LEAST_LENGTH).toSorted((a, b) => b.length - a.length);
}

/** Redacts some secrets in a text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
}

function collect(value: JsonValue, as: JudgedAs, found: Set<string>): void {
  if (typeof value === 'string') {
    for (const { start, end } of secretsIn(value, as)) found.add(value.slice(start, end));
  } else if (isNumber(value)) {
    if (secretNumber(String(value), as) !== null) found.add(String(value));
  } else if (isJsonList(value))
    for (const [index, item] of value.entries()) collect(item, itemOf(value, index, as), found);
  else if (isJsonObject(value))
    for (const { value: member, as: own } of membersOf(value)) collect(member, own, found);
}

function withoutTexts(value: JsonObject, texts: readonly string[]): JsonObject {
  if (texts.length === 0) return value;
  const clean = (part: JsonValue): JsonValue => {
    if (typeof part === 'string') return withoutSecrets(part, texts);
    if (isJsonList(part)) return part.map(clean);
    return isJsonObject(part) ? withoutTexts(part, texts) : part;
  };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]));
}

function redacted(value: JsonValue, as: JudgedAs): JsonValue {
  if (typeof value === 'string') return redactedText(value, as);
  if (isNumber(value)) return secretNumber(String(value), as) === null ? value : REDACTED;
  if (isJsonList(value)) return value.map((item, index) => redacted(item, itemOf(value, index, as)));
  return isJsonObject(value) ? redactedMembers(value) : value;
}

/** The members of an object, redacted. */
export function redactedMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(membersOf(members).map(({ key, value, as }) => [key, redacted(value, as)]));
}

/** The members of an object, each with as what it is judged. */
function membersOf(members: JsonObject) {
  const siblings = Object.entries(members).map(([key, value]) => ({
    key,
    value,
    string: typeof value === 'string' ? value : null,
    text: () => (typeof value === 'string' ? value : textOfJson(value)),
  }));
  const judged = judgedMembers(siblings);
  return siblings.map((one) => ({ ...one, as: judged(one) }));
}

function itemOf(list: readonly JsonValue[], index: number, as: JudgedAs): JudgedAs {
  const before = list[index - 1];
  return judgedItem(typeof before === 'string' ? before : null, list.length, as.key);
}

function isNumber(value: JsonValue): value is number | ExactNumber {
  return typeof value === 'number' || isExactNumber(value);
}

/** A text with its secrets replaced. */
export function redactedText(text: string, as: JudgedAs = { key: null }): string {
  if (as.key !== null && CODE_KEY.test(as.key)) return REDACTED;
  let result = '';
  let from = 0;
  for (const { start, end } of secretsIn(text, as)) {
    result += text.slice(from, start) + REDACTED;
    from = end;
  }
  return result + text.slice(from);
}
