import { isSecretKey, wordsOfKey } from './secret-keys.js';

/** As what a value is judged: under which key, and how that is said where it is not its own. */
export interface JudgedAs {
  readonly key: string | null;
  /** For people: `text for a password field`. */
  readonly kind?: string;
}

/** A member of an object, or an item of a list. */
export interface Sibling {
  readonly key: string;
  /** What it is, where that is text; else null. */
  readonly string: string | null;
  /** Its text, or its JSON. */
  readonly text: () => string;
}

const PAIR_NAME = /^(?:name|key|header|header_?name|field|variable|param|parameter|property|k|id|label)$/i;
/** What the value of a pair, or what is typed, is called; most objects have none of these. */
const VALUE_KEYS = new Set(
  'value values val v text content data default string input keys characters chars header_value headervalue'.split(
    ' ',
  ),
);
const PAIR_VALUE = /^(?:values?|val|v|content|data|default|text|string|header_?value)$/i;
const TYPED = /^(?:text|value|val|input|content|keys|characters|chars|string|data)$/i;
const WHERE =
  /^(?:locator|selectors?|element|elements|field|target|label|name|css|xpath|id|placeholder|aria|role|input|to|into|ref|description|where|query)$/i;
const PASSWORD_FIELD =
  /pass(?:word|wd|code|phrase|wort)|(?:^|[^a-z])(?:pass|pwd|pin|cv[vc]|otp)(?:[^a-z]|$)|kennwort|contrase|senha|mot de passe|security code|(?:^|[^a-z])secret(?:[^a-z]|$)|api[ _-]?key|access[ _-]?token/i;

/** A value that is typed where a password is asked for. */
const TYPED_PASSWORD: JudgedAs = { key: 'password', kind: 'text for a password field' };

/**
 * Tells which members of an object are judged as secrets by a sibling: each is by its own key, but the value of a
 * pair such as `{"name": "X-Api-Key", "value": …}` by the name, and a text beside a locator that says password as
 * a password.
 * @param key of the object, by which texts without a word of their own are judged
 */
export function judgedMembers(members: readonly Sibling[]): (member: Sibling) => JudgedAs {
  if (!mayBeJudgedOtherwise(members)) return ownKey;
  const named = members.find(
    ({ key, string }) => string !== null && PAIR_NAME.test(key) && isNameOfSecret(string),
  );
  const typed = members.some(({ key }) => TYPED.test(key));
  const where = typed
    ? members.find(({ key, text }) => WHERE.test(key) && PASSWORD_FIELD.test(text()))
    : undefined;
  if (named === undefined && where === undefined) return ownKey;
  return (member) => {
    if (named?.string != null && member !== named && PAIR_VALUE.test(member.key))
      return { key: named.string };
    // What the page says of itself is nothing that is typed: a link "Forgot password?".
    const isTyped =
      where !== undefined &&
      member !== where &&
      TYPED.test(member.key) &&
      !PASSWORD_FIELD.test(member.string ?? '');
    return isTyped ? TYPED_PASSWORD : ownKey(member);
  };
}

/**
 * Tells which items of a list are judged as secrets by the item before: each is by the key of the list, but behind
 * `"--password"`, and as the second of two such as `["X-Api-Key", …]`, by what comes before.
 */
export function judgedItem(before: string | null, length: number, key: string | null): JudgedAs {
  if (before === null || before.length > 200) return { key };
  const option = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1];
  const name = option ?? (length === 2 ? before.replace(/:$/, '') : undefined);
  return name !== undefined && isNameOfSecret(name) ? { key: name } : { key };
}

/** Whether a member of an object may be judged as a secret by a sibling's key rather than its own. */
export function mayBeJudgedOtherwise(members: readonly { readonly key: string }[]): boolean {
  return members.length > 1 && members.some(({ key }) => VALUE_KEYS.has(key.toLowerCase()));
}

function ownKey({ key }: Sibling): JudgedAs {
  return { key };
}

/** Whether a text is the name of something secret, as `X-Api-Key` and `Authorization` are. */
function isNameOfSecret(text: string): boolean {
  if (text.length > 200 || /\s/.test(text.trim())) return false;
  return (
    isSecretKey(text) || /(?:^|_)(?:tokens?|auth|authorization|credentials?|cookies?)$/.test(wordsOfKey(text))
  );
}
