import type { Dialect } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import type { ReferenceSyntax } from '../model/references.js';
import { readObsidian } from './obsidian-reader.js';
import { writeObsidian } from './obsidian-writer.js';

const REFERENCES: ReferenceSyntax = {
  // Its executor takes a string that begins with `$` for a path as a whole, and any other for text.
  dollar: 'whole',
  dollarBraces: true,
  doubleBraces: false,
  loopBraces: true,
  // A template such as `${title}` is text of a note.
  bareNames: false,
};

/** Plans of the agent in Obsidian, strict by a JSON Schema: control flow with `foreach`, `dependsOn`, `onError`. */
export const obsidian: Dialect = {
  name: 'obsidian',
  title: 'Obsidian',
  references: REFERENCES,
  slot: 'sidecar',
  find(root) {
    if (memberOf(root, 'steps')?.kind !== 'array') return null;
    const known = memberOf(root, 'riskLevel') !== null || memberOf(root, 'version')?.kind === 'string';
    return known ? '' : null;
  },
  allowsId: (id) => /^[A-Za-z][\w-]*$/.test(id),
  usualVariant: () => null,
  spell({ kind, name, path }, whole) {
    if (kind === 'loop') return `\${${[name, ...path].join('.')}}`;
    if (kind !== 'step' && kind !== 'variable') return null;
    const bare = `$${[kind === 'step' ? 'steps' : 'vars', name, ...path].join('.')}`;
    return whole ? bare : `\${${bare}}`;
  },
  read: readObsidian,
  write: writeObsidian,
};
