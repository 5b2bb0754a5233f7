// Keeps the patterns of secretlint's recommended rules (MIT) as data, from an unpacked package of them:
//   npm pack @secretlint/secretlint-rule-preset-recommend && tar xzf secretlint-*.tgz
//   node scripts/record-secretlint.js package
// The rules hold their patterns in code, some put together from parts. So each rule is run over a text, and what it
// asks of the text is written down. `node scripts/run.js scripts/secret-patterns.ts` makes the program's table of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const TEXT = 'a text to be asked about\n';
const folder = resolve(process.argv[2] ?? '.');
const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const { rules } = await import(pathToFileURL(join(folder, 'module', 'index.js')).href);

/** @type {Map<string, { rule: string, pattern: string, flags: string }>} */
const found = new Map();
let rule = '';
for (const method of [Symbol.matchAll, Symbol.match, /** @type {const} */ ('exec')]) {
  const original = /** @type {any} */ (RegExp.prototype)[method];
  // eslint-disable-next-line no-extend-native -- for the few milliseconds of this script
  /** @type {any} */ (RegExp.prototype)[method] = function record(
    /** @type {unknown} */ text,
    /** @type {unknown[]} */ ...more
  ) {
    if (text === TEXT && rule !== '')
      found.set(`${rule} ${this.source}`, { rule, pattern: this.source, flags: this.flags });
    return original.call(this, text, ...more);
  };
}
const context = { createTranslator: () => () => ({ message: '' }), report() {}, ignore() {} };
for (const { meta, create } of rules) {
  rule = String(meta.id).replace('@secretlint/secretlint-rule-', '');
  const handlers = create(context, {});
  for (const handle of Object.values(handlers))
    await handle({ content: TEXT, filePath: '/.npmrc', ext: '.npmrc', contentType: 'text', hasBOM: false });
}
rule = '';
const data = { source: `${name}@${version}`, license, patterns: [...found.values()] };
writeFileSync('scripts/secret-rules/secretlint.json', `${JSON.stringify(data, null, 2)}\n`);
