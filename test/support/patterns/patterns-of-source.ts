import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import ts from 'typescript';

/** A regular expression of `src/`, and where it stands or is made. */
export interface SourcePattern {
  readonly place: string;
  readonly pattern: RegExp;
}

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
  .toSorted();

/** Every literal of `src/`, each once, and the files that make others with `RegExp`. */
export function patternsInSource(): {
  readonly literals: readonly SourcePattern[];
  readonly makers: readonly string[];
} {
  const literals = new Map<string, SourcePattern>();
  const makers = new Set<string>();
  for (const name of SOURCES) {
    const file = ts.createSourceFile(
      name,
      readFileSync(join('src', name), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) && !literals.has(node.text)) {
        const end = node.text.lastIndexOf('/');
        const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        literals.set(node.text, { place: `${name}:${line + 1}`, pattern });
      }
      if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText(file) === 'RegExp'
      )
        makers.add(name);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals: [...literals.values()], makers: [...makers] };
}

/** Tells what is made with `RegExp` while modules are loaded, and by which file. */
const RECORDER = `
  const made = [];
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, args, self) {
      const pattern = Reflect.construct(target, args, self);
      made.push([new Error().stack.split('\\n')[2], pattern.source, pattern.flags]);
      return pattern;
    },
  });
  await Promise.all(process.argv.slice(1).map((module) => import(module)));
  process.stdout.write(JSON.stringify(made));
`;

/** What the modules of the library make with `RegExp` when they are loaded, each once. Needs `dist/`. */
export function patternsMade(): readonly SourcePattern[] {
  const modules = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !/^(?:cli|web)\b/.test(name))
    .map((name) => pathToFileURL(join('dist', name)).href);
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', RECORDER, ...modules], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const made = new Map<string, SourcePattern>();
  for (const [frame = '', source = '', flags = ''] of JSON.parse(out) as string[][]) {
    const file = /\/dist\/([^:]+)\.js:/.exec(frame)?.[1];
    if (file !== undefined)
      made.set(`${source}/${flags}`, { place: `${file}.ts`, pattern: new RegExp(source, flags) });
  }
  return [...made.values()];
}
