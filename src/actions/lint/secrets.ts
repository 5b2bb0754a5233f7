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

interface Detector {
  readonly kind: string;
  readonly name: string;
  /** Has no two ways to match the same text, so that it takes time linear in it. Its first group, if any, is the secret. */
  readonly pattern: RegExp;
}

/**
 * What keys and tokens look like by the word of who issues them. Each begins with a fixed mark, so that hashes,
 * ids and text do not look like one.
 */
const DETECTORS: readonly Detector[] = [
  {
    kind: 'PEM private key',
    name: 'PRIVATE_KEY',
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]+-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/dg,
  },
  {
    kind: 'AWS access key id',
    name: 'AWS_ACCESS_KEY_ID',
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/dg,
  },
  {
    kind: 'AWS secret access key',
    name: 'AWS_SECRET_ACCESS_KEY',
    pattern: /aws_?secret(?:_?access)?_?key["' ]{0,3}[=:]["' ]{0,3}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
  },
  {
    kind: 'GitHub token',
    name: 'GITHUB_TOKEN',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/dg,
  },
  { kind: 'GitLab token', name: 'GITLAB_TOKEN', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|agent)-[\w-]{20,255}/dg },
  {
    kind: 'Slack token',
    name: 'SLACK_TOKEN',
    pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}|\bxapp-\d-[A-Za-z0-9-]{10,250}/dg,
  },
  {
    kind: 'Slack webhook',
    name: 'SLACK_WEBHOOK',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,200}/dg,
  },
  { kind: 'Anthropic key', name: 'ANTHROPIC_API_KEY', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,250}/dg },
  {
    kind: 'OpenAI key',
    name: 'OPENAI_API_KEY',
    pattern: /\bsk-(?!ant-)(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,250}/dg,
  },
  {
    kind: 'Stripe key',
    name: 'STRIPE_KEY',
    pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}|\bwhsec_[A-Za-z0-9+/=]{24,250}/dg,
  },
  { kind: 'Google API key', name: 'GOOGLE_API_KEY', pattern: /\bAIza[A-Za-z0-9_-]{35}/dg },
  {
    kind: 'Google OAuth secret',
    name: 'GOOGLE_CLIENT_SECRET',
    pattern: /\bGOCSPX-[A-Za-z0-9_-]{20,60}|\bya29\.[A-Za-z0-9_-]{20,500}/dg,
  },
  { kind: 'npm token', name: 'NPM_TOKEN', pattern: /\bnpm_[A-Za-z0-9]{36}\b/dg },
  { kind: 'PyPI token', name: 'PYPI_TOKEN', pattern: /\bpypi-AgE[A-Za-z0-9_-]{40,500}/dg },
  {
    kind: 'SendGrid key',
    name: 'SENDGRID_API_KEY',
    pattern: /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/dg,
  },
  { kind: 'Twilio key', name: 'TWILIO_API_KEY', pattern: /\bSK[0-9a-f]{32}\b/dg },
  {
    kind: 'Azure storage key',
    name: 'AZURE_STORAGE_KEY',
    pattern: /AccountKey=([A-Za-z0-9+/]{60,100}={0,2})/dg,
  },
  { kind: 'Hugging Face token', name: 'HF_TOKEN', pattern: /\bhf_[A-Za-z0-9]{30,60}\b/dg },
  {
    kind: 'JSON Web Token',
    name: 'JWT',
    pattern: /(?<![\w-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}/dg,
  },
  { kind: 'bearer token', name: 'BEARER_TOKEN', pattern: /\bbearer +([A-Za-z0-9._~+/=-]{16,4000})/dgi },
  {
    kind: 'basic credentials',
    name: 'BASIC_CREDENTIALS',
    pattern: /\bbasic +([A-Za-z0-9+/]{16,400}={0,2})(?![\w-])/dgi,
  },
  {
    kind: 'password in a URL',
    name: 'URL_PASSWORD',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@?#"'<>]{0,100}:([^\s/:@"'<>{}$]{1,200})@/dgi,
  },
  {
    kind: 'password',
    name: 'PASSWORD',
    pattern:
      /(?:pass(?:word|wd|phrase)|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token)=["']?([^\s"'`&;,(){}<>$%?:@*]{6,500})/dgi,
  },
];

/** Something of every detector's, so that most strings are looked at once. */
const HINT =
  /-----BEGIN|AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\.slack|sk-|[sr]k_|whsec_|AIza|GOCSPX|ya29|npm_|pypi-|SG\.|SK[0-9a-f]|AccountKey|hf_|eyJ|bearer|basic|:\/\/|pass|pwd|secret|api[_-]?key|(?:access|auth)[_-]?(?:key|token)/i;

/** Keys whose value is a secret, in lower-case words joined by `_`. */
const SECRET_KEY =
  /(?:^|_)(?:password|passwd|pwd|passphrase|passcode|secret|(?:client|app|consumer|webhook|signing|shared|jwt)_secret|api_?key|api_(?:token|secret)|secret_(?:key|token)|access_(?:key|token)|refresh_token|auth_token|bearer_token|id_token|session_token|private_key|encryption_key)$/;
/** A key that may be about a secret and may be about a page; its value must look like a token too. */
const TOKEN_KEY = /(?:^|_)(?:token|auth|authorization)$/;
/** Something of every such key, so that most are looked at once. */
const KEY_HINT = /pass|pwd|secret|key|token|auth/i;
const PASSWORD_KEY = /pass|pwd/;

const PLACEHOLDER =
  /^(?:$|<[^>]*>|\[[^\]]*\]|\*+|x+|\.{3,}|…|your[-_ ].*|(?:redacted|masked|hidden|removed|none|null|true|false|undefined|todo|tbd|placeholder|example|prompt|ask|env|vault|keychain)|(?:env|vault|secret|file|op|ssm|arn|aws-sm|keyring|keychain|kms|sops):.*)$/i;
const STANDS_FOR =
  /^\s*(?:\$\{[^}]*\}|\{\{[^}]*\}\}|\{[\w.]+\}|\$[A-Za-z_][\w.]*|\$\d+|%\w+%|%s|\?|[:@]\w+)\s*$/;
/** Where a key lies is no key. */
const PATH = /^(?:~|\.{1,2})?\/[^\s]*$|\.(?:pem|key|p12|pfx|crt)$/;
const HASH =
  /^(?:(?:md5|sha\d{1,3})[:-])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const PASSWORD_HASH = /^\$(?:2[abxy]?|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$/;

/**
 * The secrets in a string: what looks like a key, a token, a PEM block or a password by its form, and, where the
 * key says that its value is a secret, the whole value. References, placeholders and hashes are none.
 * @param key the key whose value the string is, or in whose list it stands; null where there is none
 */
export function secretsIn(value: string, key: string | null): readonly FoundSecret[] {
  const found = HINT.test(value) ? DETECTORS.flatMap((detector) => foundBy(detector, value)) : [];
  const kept = withoutOverlaps(found);
  return kept.length > 0 || key === null ? kept : secretOfKey(value, key);
}

function foundBy({ kind, name, pattern }: Detector, value: string): readonly FoundSecret[] {
  return Array.from(value.matchAll(pattern), (match) => {
    const [start, end] = match.indices?.[match[1] === undefined ? 0 : 1] ?? [match.index, match.index];
    return { kind, name, start, end };
  }).filter(({ start, end }) => !isHarmless(value.slice(start, end)));
}

/** The first of those that share text; the table is in the order of what says more. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const kept: FoundSecret[] = [];
  for (const one of found)
    if (kept.every(({ start, end }) => one.end <= start || end <= one.start)) kept.push(one);
  return kept.toSorted((a, b) => a.start - b.start);
}

function secretOfKey(value: string, key: string): readonly FoundSecret[] {
  if (!KEY_HINT.test(key)) return [];
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_');
  const named = SECRET_KEY.test(words);
  if (!named && !(TOKEN_KEY.test(words) && looksLikeToken(value))) return [];
  if (isHarmless(value) || PATH.test(value)) return [];
  // A hash is none: of a password it is what one stores. A key that calls itself one may well be hexadecimal.
  if (HASH.test(value) && (!named || PASSWORD_KEY.test(words))) return [];
  const kind = `value of ${JSON.stringify(key.slice(0, 60))}`;
  return [{ kind, name: words.replace(/^_|_$/g, '').toUpperCase(), start: 0, end: value.length }];
}

function looksLikeToken(value: string): boolean {
  return /^[\w.~+/=-]{16,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

function isHarmless(value: string): boolean {
  return PLACEHOLDER.test(value) || STANDS_FOR.test(value) || PASSWORD_HASH.test(value);
}
