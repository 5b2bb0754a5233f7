import { PlanError } from '../../kernel/errors.js';

/**
 * Where a database is, without user, password and options, for messages.
 * @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL; nothing of it is repeated, for it may hold a password
 */
export function locationOf(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url)) throw noUrl();
  try {
    const { host, pathname, searchParams } = new URL(url);
    // A password with a slash that is not escaped ends up here.
    if (!/^\/?[^/@]*$/.test(pathname)) throw noUrl();
    return `postgres://${host === '' ? (searchParams.get('host') ?? '') : host}${pathname}`;
  } catch {
    throw noUrl();
  }
}

function noUrl(): PlanError {
  return new PlanError('INVALID_CONFIG', 'the URL of the database is none of PostgreSQL', {
    hint: 'It looks like postgres://user:password@host:5432/database, with / and @ in a password as %2F and %40. FRCTL_DATABASE_URL gives it, or `database_url` in your own config.',
  });
}

/** A text without the password of a URL, should it be in there. */
export function withoutPassword(text: string, url: string): string {
  return passwordsIn(url).reduce((shown, password) => shown.replaceAll(password, '***'), text);
}

function passwordsIn(url: string): readonly string[] {
  try {
    const { password, searchParams } = new URL(url);
    return [password, decodeURIComponent(password), searchParams.get('password') ?? ''].filter(
      (one) => one !== '',
    );
  } catch {
    return [];
  }
}
