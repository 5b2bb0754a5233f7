import { isFetched, standsForSecret } from './secret-placeholders.js';

/** What a key says of its value, it says at its end. */
const LONGEST_KEY = 200;

/** The name of a value, as lower-case words joined by `_`. */
export function wordsOfKey(key: string): string {
  return key
    .slice(-LONGEST_KEY)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1_')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** Names whose value is a secret. */
const SECRET_KEY =
  /(?:^|_)(?:passwords?|passwds?|pwds?|pw|pass|passphrases?|passcodes?|userpass|passwort|kennwort|senha|contrasena|mot_de_passe|secrets?|api_?keys?|(?:api|secret|access|refresh|auth|bearer|id|session)_tokens?|(?:secret|access|private|encryption|signing|master)_keys?)_?\d*$/;
/** `pass` means something else there. */
const OTHER_PASS =
  /(?:^|_)(?:boarding|bus|season|hall|render|one|first|second|third|multi|final|next|by|com|test)_pass$/;
/** Names whose value may be a secret, or about a page; it must look like a token too. */
const TOKEN_KEY = /(?:^|_)(?:tokens?|auth|authorization|credentials?|cookies?)$/;
const OTHER_TOKEN =
  /(?:^|_)(?:page|next|prev|previous|continuation|cursor|sync|resume|start|end|stop|eos|bos|pad|unk|cancel|cancellation|max|min|num|total|input|output|count)_tokens?$/;
/** Something of every such name, so that most are looked at once. */
const KEY_HINT =
  /pass|pwd|pw|secret|key|token|auth|credential|kennwort|senha|contrasena|cookie|signature|mot.?de/i;
const PASSWORD_KEY = /pass|pwd|(?:^|_)pw(?:_|$)|kennwort|senha|contrasena|mot_?de/;

/** Where a key lies is no key. */
const PATH = /^(?:(?:~|\.{1,2})?(?:\/[\w.@+-]+)+|[A-Z]:\\[^\s]*)$|\.(?:pem|key|p12|pfx|crt|cer|jks)$/;
const HASH =
  /^(?:(?:md5|sha\d{1,3})[:-])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;

/** Whether a name says for certain that its value is a secret. */
export function isSecretKey(key: string): boolean {
  if (!KEY_HINT.test(key)) return false;
  const words = wordsOfKey(key);
  return SECRET_KEY.test(words) && !OTHER_PASS.test(words);
}

/** Whether the value of a name is a secret. References, placeholders, paths and plain hashes are none. */
export function isSecretOf(key: string, value: string): boolean {
  if (!KEY_HINT.test(key)) return false;
  const words = wordsOfKey(key);
  const named = SECRET_KEY.test(words) && !OTHER_PASS.test(words);
  // A token on its own must be long; one of something (`x_token`) less so.
  if (!named && !(isTokenKey(words) && looksLikeToken(value, /_tokens?$/.test(words) ? 8 : 16))) return false;
  if (standsForSecret(value) || isFetchedName(value)) return false;
  const isPassword = PASSWORD_KEY.test(words);
  if (PATH.test(value) && !(isPassword && !/\/.*\/|\.\w+$/.test(value))) return false;
  // A hash is none: of a password it is what one stores. A key that calls itself one may well be hexadecimal.
  return !(HASH.test(value) && (!named || isPassword));
}

/** Whether a number is the secret of a name: a password of digits, and no count of them. */
export function isSecretNumber(key: string, digits: string): boolean {
  return (
    /^\d{4,}$/.test(digits) && isSecretKey(key) && /pass|pwd|secret|api_?key|_pw$|^pw$/.test(wordsOfKey(key))
  );
}

/**
 * Whether what is assigned to a name within a text is a secret.
 * @param sign what is between them
 */
export function isAssignedSecret(key: string, sign: string, value: string): boolean {
  const words = wordsOfKey(key);
  const named = SECRET_KEY.test(words) && !OTHER_PASS.test(words);
  if (value.length < 4 || isFetched(value)) return false;
  const isStatement = sign.trim() !== ':';
  if (!named && !(isTokenKey(words) && looksLikeToken(value, isStatement ? 8 : 16))) return false;
  // "Password: see below" is a sentence, `password: "hunter2"` is not.
  if (named && !isStatement && !(value.length >= 6 && isNoWord(value))) return false;
  return isSecretOf(named ? key : 'access_token', value);
}

function isTokenKey(words: string): boolean {
  return TOKEN_KEY.test(words) && !OTHER_TOKEN.test(words);
}

function looksLikeToken(value: string, least: number): boolean {
  return value.length >= least && /^[\w.~+/=:-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** Whether a text has what words do not. */
function isNoWord(value: string): boolean {
  return /[\d@#$%^&*+=~|\\]/.test(value) || value.length > 20;
}

/** A name such as `DB_PASSWORD`, of where the secret is. */
function isFetchedName(value: string): boolean {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value);
}
