// Runs the `main` that a TypeScript file exports: node scripts/run.js FILE.ts [ARGUMENT…]
import process from 'node:process';

import { importTypeScript } from './import-typescript.js';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) throw new Error('which file? node scripts/run.js FILE.ts [ARGUMENT…]');

const { module, close } = await importTypeScript(file);
try {
  await module.main(args);
} finally {
  await close();
}
