// A file that runs as V8 compiled it beforehand cannot import a module while it runs: what V8 keeps of a file says nothing
// of where it stands. So such imports are all made by one small file, which is compiled as ever.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that imports modules for the others. */
export const IMPORTER = 'import-module.js';
const DYNAMIC_IMPORT = /\bimport\((["'`])([^"'`\n]+)\1\)/g;

/**
 * Has the files of the commands import modules by that file, beside which they stand.
 * @param {string} folder
 */
export function moveDynamicImports(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const code = readFileSync(join(folder, name), 'utf8');
    const moved = code.replaceAll(DYNAMIC_IMPORT, (_, __, module) => {
      const path = JSON.stringify(module);
      // Node's own modules need no importing.
      return module.startsWith('node:')
        ? `Promise.resolve().then(()=>process.getBuiltinModule(${path}))`
        : `require("./${IMPORTER}")(${path})`;
    });
    if (moved !== code) writeFileSync(join(folder, name), moved);
  }
  writeFileSync(join(folder, IMPORTER), 'module.exports = (name) => import(name);\n');
}
