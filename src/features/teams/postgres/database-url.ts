import { PlanError } from '../../../kernel/errors.js';

/**
 * Where a database is, without user, password and options, for messages.
 * @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL; nothing of it is repeated, for it may hold a password
 */
export function locationOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url)) throw noUrl();
  try {
    const { host, pathname, search, searchParams, hash } = new URL(url);
    // The rest of a password ends up here, with a slash, question mark or number sign in it that is not escaped.
    if (!/^\/?[^/@]*$/.test(pathname) || hash !== '' || (pathname === '' && search.includes('@')))
      throw noUrl();
    return `postgres://${host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`;
  } catch {
    throw noUrl();
  }
}

function noUrl(): PlanError {
  return new PlanError('INVALID_CONFIG', 'the URL of the database is not a PostgreSQL URL', {
    hint: {
      commandLine:
        'It looks like postgres://user:password@host:5432/database, with /, @, ? and # in a password as %2F, %40, %3F and %23. FRCTL_DATABASE_URL gives it, or `database_url` in your own config.',
    },
  });
}

/**
 * A text without the URL and without its password, should they be in there. The password counts as a whole word only,
 * and not where it is also the user or the database, which are no secret: else what was refused could not be read.
 */
export function withoutPassword(text: string, url: string): string {
  const known = partsOf(url);
  if (known === null) return text.replaceAll(url, '***');
  const { passwords, names } = known;
  return passwords
    .filter((one) => !names.includes(one))
    .reduce(
      (shown, password) => shown.replaceAll(wholeWord(password), '***'),
      passwords.reduce((shown, one) => shown.replaceAll(`:${one}@`, ':***@'), text.replaceAll(url, '***')),
    );
}

/** What finds a text that is no part of a longer word. */
function wholeWord(text: string): RegExp {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const before = /^[\p{L}\p{N}_]/u.test(text) ? String.raw`(?<![\p{L}\p{N}_])` : '';
  const after = /[\p{L}\p{N}_]$/u.test(text) ? String.raw`(?![\p{L}\p{N}_])` : '';
  return new RegExp(`${before}${literal}${after}`, 'gu');
}

/** The passwords of a URL as they stand there and as they are meant, and its names that are no secret. */
function partsOf(
  url: string,
): { readonly passwords: readonly string[]; readonly names: readonly string[] } | null {
  try {
    const { username, password, pathname, searchParams } = new URL(url);
    const secrets = [...searchParams].flatMap(([name, value]) => (SECRET.test(name) ? [value] : []));
    const passwords = [password, decoded(password), ...secrets];
    return {
      passwords: passwords.filter((one) => one !== ''),
      names: [decoded(username), searchParams.get('user') ?? '', decoded(pathname.slice(1))],
    };
  } catch {
    return null;
  }
}

/** Options of a URL that are no less secret than its password. */
const SECRET = /pass(?:word|phrase|wd)?$|secret|token/i;

/** A percent sign that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
