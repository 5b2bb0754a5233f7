// What the bundle of the commands has instead of whole packages, because each costs a short command milliseconds.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as zod from 'zod';

const DEFERRED = resolve(dirname(fileURLToPath(import.meta.url)), 'deferred.js');
/** What of zod makes a schema and does nothing besides. */
const MAKERS = (
  'string number int boolean null unknown any never literal enum custom json ' +
  'array tuple record partialRecord object strictObject looseObject union discriminatedUnion lazy'
).split(' ');

/** The names of zod that the sources use. */
export function namesOfZod(folder = 'src') {
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  ))
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/\bz\s*\.(\w+)/g))
      // What stands below `core` are types.
      if (name in zod && name !== 'core') names.add(name);
  return [...names];
}

/** Zod that is loaded, and whose schemas are made, when one is first used; the file `zod.js` stands beside the bundle. */
export function deferredZod() {
  return {
    name: 'deferred-zod',
    resolveId(source) {
      if (source === 'zod') return '\0deferred-zod';
      return source === './zod.js' ? { id: './zod.js', external: true } : null;
    },
    load(id) {
      if (id !== '\0deferred-zod') return null;
      const members = namesOfZod().map((name) => {
        if (MAKERS.includes(name)) return `deferredMaker(() => zod().${name}) as ${name}`;
        if (name === 'iso')
          return `{ date: deferredMaker(() => zod().iso.date), datetime: deferredMaker(() => zod().iso.datetime) } as iso`;
        return `deferred(() => zod().${name}) as ${name}`;
      });
      const lines = members.map((member, index) => {
        const [value, name] = member.split(' as ');
        return [`const member${index} = ${value};`, `member${index} as ${name}`];
      });
      return [
        `import { deferred, deferredMaker } from ${JSON.stringify(DEFERRED)};`,
        `const zod = () => require('./zod.js');`,
        ...lines.map(([line]) => line),
        `export { ${lines.map(([, name]) => name).join(', ')} };`,
      ].join('\n');
    },
  };
}

/**
 * What is derived now instead of whenever a command is run, because deriving it needs zod and many schemas.
 * @param {Readonly<Record<string, Readonly<Record<string, unknown>>>>} tables by the source file of each, which exports
 *   one constant
 */
export function derivedTables(tables) {
  return {
    name: 'derived-tables',
    transform(code, id) {
      const found = Object.entries(tables).find(([file]) => id.replaceAll('\\', '/').endsWith(`/${file}`));
      if (found === undefined) return null;
      const [file, table] = found;
      const name = /export const (\w+)\b/.exec(code)?.[1];
      if (name === undefined) throw new Error(`${file} has no table`);
      return {
        code: sourceOf(name, table),
        moduleType: 'js',
      };
    },
  };
}

/**
 * A table as source text, in which what occurs more than once stands once.
 * @param {string} name
 * @param {Readonly<Record<string, unknown>>} table
 */
function sourceOf(name, table) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const lines = [];
  const textOf = (/** @type {any} */ value) => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const isList = Array.isArray(value);
    const parts = Object.entries(value).map(([key, each]) => {
      // Else it would set what the object inherits from.
      if (key === '__proto__') throw new Error(`${name} has a member that cannot be written as source`);
      return isList ? textOf(each) : `${JSON.stringify(key)}:${textOf(each)}`;
    });
    const text = isList ? `[${parts.join()}]` : `{${parts.join()}}`;
    const known = names.get(text);
    if (known !== undefined) return known;
    const part = `part${names.size}`;
    names.set(text, part);
    lines.push(`const ${part} = ${text};`);
    return part;
  };
  const whole = textOf(table);
  return [...lines, `export const ${name} = ${whole};`].join('\n');
}

/** Packages without the modules of Node that commands do without: starting processes, and all of its cryptography. */
export function lighterPackages() {
  return {
    name: 'lighter-packages',
    // Its build over the `crypto` that every process has, which Node loads when it is first used.
    resolveId: (source) => (source === 'nanoid' ? resolve('node_modules/nanoid/index.browser.js') : null),
    transform(code, id) {
      if (!id.replaceAll('\\', '/').endsWith('/commander/lib/command.js')) return null;
      const needed = `const childProcess = require('node:child_process');`;
      if (!code.includes(needed))
        throw new Error('commander imports node:child_process in another way than before');
      return code
        .replace(needed, '')
        .replaceAll('childProcess.', `process.getBuiltinModule('node:child_process').`);
    },
  };
}

/** The process that is there without an import, whose hundred members a file of CommonJS would copy one by one. */
export function globalProcess() {
  return {
    name: 'global-process',
    transform: (code) => {
      const own = code.replace(/^import process from ['"]node:process['"];$/m, '');
      return own === code ? null : { code: own };
    },
  };
}

/** Has the bundle read prompts and methods where the library has them, so that the package holds them once. */
export function dataOfLibrary() {
  const folders = {
    'src/llm/prompts.ts': ['./prompts/', '../llm/prompts/'],
    'src/features/rules/methods.ts': ['./methods/', '../features/rules/methods/'],
  };
  return {
    name: 'data-of-the-library',
    transform(code, id) {
      const found = Object.entries(folders).find(([file]) => id.replaceAll('\\', '/').endsWith(`/${file}`));
      if (found === undefined) return null;
      const [file, [from, to]] = found;
      if (!code.includes(from)) throw new Error(`${file} does not read ${from}`);
      return code.replaceAll(from, to);
    },
  };
}

/**
 * Writes the bundle in ASCII: a text in which one character takes two bytes takes two for each, and longer to read.
 */
export function inAscii() {
  return {
    name: 'in-ascii',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue;
        // Where a character is not to be read as the escape of itself, the file stays as it is.
        if (/\\[^\0-\x7f]/.test(part.code) || part.code.includes('String.raw')) continue;
        part.code = part.code.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
      }
    },
  };
}
