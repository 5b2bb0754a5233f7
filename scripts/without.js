// Tries that features can be dropped (docs/architecture.md): node scripts/without.js [FEATURE…]
// Without names: each in turn, whose rest is type-checked, and all together, whose rest is built and tested as well.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { dropFeatures } from './without/drop-features.js';

/** What of the project is not copied: it is made, or not the project's own. */
const LEFT_OUT = new Set(['.git', '.plans', 'dist', 'node_modules']);

const run = (folder, ...args) => execFileSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });

/** Tries what is left without some features. @param {readonly string[]} names @param {boolean} isTested */
function tryWithout(names, isTested) {
  const folder = mkdtempSync(join(tmpdir(), 'frctl-without-'));
  try {
    for (const name of readdirSync('.').filter((each) => !LEFT_OUT.has(each)))
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const gone = dropFeatures(folder, names);
    console.log(`without ${gone.join(', ')}`);
    run(folder, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmit');
    if (existsSync(join(folder, 'src/features/page/web')))
      run(folder, 'node_modules/typescript/bin/tsc', '-p', 'src/features/page/web');
    if (!isTested) return;
    run(folder, 'scripts/build.js');
    run(folder, 'dist/cli/plan.js', '--help');
    run(folder, 'node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.core.config.ts');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

process.chdir(dirname(import.meta.dirname));
const named = process.argv.slice(2);
const all = readdirSync('src/features');
if (named.length > 0) tryWithout(named, named.length === all.length);
else {
  for (const name of all) tryWithout([name], false);
  tryWithout(all, true);
}
