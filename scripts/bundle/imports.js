// Node 20 cannot import from code that V8 compiled in another process: what the bundle imports when it needs it, a file
// beside it imports, which is never compiled beforehand.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAst } from 'rolldown/parseAst';

const FILE = 'import.cjs';

/** Has a file beside the bundle import what the bundle imports when it needs it. */
export function importsElsewhere() {
  return {
    name: 'imports-elsewhere',
    renderChunk(code) {
      // To parse all of them takes seconds.
      if (!/\bimport\s*\(/.test(code)) return null;
      const places = importsIn(parseAst(code));
      return places.length === 0
        ? null
        : places.reduceRight(
            (text, start) =>
              `${text.slice(0, start)}require("./${FILE}")${text.slice(start + 'import'.length)}`,
            code,
          );
    },
  };
}

/** Writes that file. */
export function writeImporter(folder) {
  writeFileSync(join(folder, FILE), 'module.exports = (name) => import(name);\n');
}

/** Where the expressions that import begin, the first first. */
function importsIn(node) {
  if (Array.isArray(node)) return node.flatMap(importsIn);
  if (typeof node !== 'object' || node === null) return [];
  const within = Object.values(node).flatMap(importsIn);
  return node.type === 'ImportExpression' ? [node.start, ...within] : within;
}
