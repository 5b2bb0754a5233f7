import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Builds dist/ before the tests when a source file is newer: tests of the command run what a user runs. */
export default function setup(): void {
  const built = 'dist/cli/plan.js';
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => join('src', name));
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return;
  execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
}
