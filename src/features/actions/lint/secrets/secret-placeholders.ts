import { sha256 } from '../../../../kernel/sha256.js';

/** Words that stand where a secret would, or say something of one. */
const WORDS = new Set(
  `redacted masked hidden removed none null nil undefined true false yes no on off any all auto todo tbd placeholder example
  changeme change-me change_me changeit prompt ask stdin env file vault keychain required optional string text str number
  int integer bool boolean empty blank missing unset unknown default disabled enabled encrypted hashed hash bcrypt md5 argon2
  scrypt sha1 sha256 plain plaintext password passwd pass pwd passphrase secret token key value input output field reset
  forgot forgotten wrong invalid incorrect expired correct valid success ok fail failed first second last next type length
  min max not is was are must should the a an your my our their this that these from with and or to in of for`.split(
    /\s+/,
  ),
);
const PLACEHOLDER =
  /^(?:$|<[^>]*>|\[[^\]]*\]|\*+|\.{3}.*|.{0,12}(?:\.{3,}|…)|your[-_ ].*|my[-_](?:secret|password|token|key|api[-_]?key)|(?:env|vault|secret|file|op|ssm|arn|aws-sm|keyring|keychain|kms|sops):.*)$/i;
/** `ghp_xxxxxxxx`, `AKIAXXXXXXXXXXXXXXXX`, `sk-...`: nothing but a prefix and one character again and again. */
const FILLED_UP =
  /^(?:[A-Za-z0-9]{2,8}[-_]){0,3}[A-Za-z]{0,5}(?:([xX0*.•_-])\1{4,}|[xX]{3,}(?:[-_.][xX]{3,})*)$/;
const MOSTLY_X = /x{6,}|X{6,}|\*{4,}|•{4,}|\.\.\.|…/;

/** The beginnings of hashes of keys that manuals show, so that the keys themselves are nowhere here. */
const DOCUMENTED = new Set(
  `1a5d44a2dca19669 c6ea27c534f993d3 cb20d34a7adda2f5 78314b11be2e5815 647f7143af147062 e21b597ba6b9cafa 2cafc0970149a84f
  f2d6ca16515033e5 7e8de44ea9ecf6d5 7f75367e78812551 da816f9f2c16e6c5 c794fa6d20c64efb cf4d418ed3de92d7 73f71af093fdf154
  0e9d220616f08345 e4da07ad200089ce bdfeaef44475711c 0011cc25eb432071 731fa294d036e54f 0b5dd075ccdd03c4 02f7ce3c263f85c0
  ac9265e56c79b234 b8e148545b13c78b f7860a3af2a475db`.split(/\s+/),
);

/** What is put in by whoever runs it: `${…}`, `{{…}}`, `{name}`, `$NAME`, `$1`, `%NAME%`, `:name`, `?`. */
const STANDS_FOR =
  /^\s*(?:\$\{[^}]*\}|\{\{[^}]*\}\}|\{[\w.]+\}|<%.*%>|\$[A-Z_][A-Z0-9_]*|\$[a-z][A-Za-z_]*|\$(?:steps|vars|env|process|secrets)[.:][\w.]+|\$\d+|%\w+%|%s|\?|[:@][A-Za-z_]+|@[\w-]*[./][\w./-]*)\s*$/;
/** `process.env.X`, `getenv("X")`, `os.environ['X']`, `$(pass show x)`: code that fetches it. */
const FETCHED = /^(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z_][\w.]*[([].*|\$\(.*|`.*)$/;
/** The name of a variable of the environment. */
const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const REFERENCE = /\$\{[^{}]*\}|\{\{[^{}]*\}\}|\$(?:steps|vars)\.[\w.-]+/g;
/** As much text beside references is a secret of its own, and no `Bearer ` or `key-`. */
const LEAST_BESIDE = 6;

const PASSWORD_HASH = /^\$(?:2[abxy]?|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$/;

/** Whether a text stands where a secret would be, or for one: a placeholder, a reference, a hash of a password. */
export function standsForSecret(text: string): boolean {
  return (
    PLACEHOLDER.test(text) ||
    WORDS.has(text.toLowerCase()) ||
    FILLED_UP.test(text) ||
    STANDS_FOR.test(text) ||
    PASSWORD_HASH.test(text) ||
    isReferences(text)
  );
}

/**
 * Whether what has the form of a key or a token is a placeholder that is filled up: no random text is like that.
 */
export function isFilledUp(text: string): boolean {
  return MOSTLY_X.test(text) || /EXAMPLE(?:KEY)?$/.test(text);
}

/** Whether a key is a placeholder that a manual shows. */
export function isDocumented(text: string): boolean {
  return text.length < 1000 && DOCUMENTED.has(sha256(text).slice(0, 16));
}

/**
 * Whether a value in code or settings is a placeholder for one that is fetched from elsewhere, or names where it
 * is.
 */
export function isFetched(text: string): boolean {
  return FETCHED.test(text) || VARIABLE.test(text);
}

/** Whether little but references is in a text. */
function isReferences(text: string): boolean {
  if (!/[{$]/.test(text)) return false;
  const beside = text.replaceAll(REFERENCE, '');
  return beside.length < text.length && beside.trim().length < LEAST_BESIDE;
}
