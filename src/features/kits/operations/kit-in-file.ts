import { isMap, isNode, isScalar, stringify } from 'yaml';
import type { Document, YAMLMap } from 'yaml';

import { PlanError } from '../../../kernel/errors.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { readYaml } from '../../../kernel/yaml.js';

/**
 * Returns the text of a tools file with a kit in it: all else stays as it stands there, comments included.
 * @param name of the file, for messages
 * @throws PlanError INVALID_INPUT for a file that is no map of YAML
 */
export function withKitInText(text: string, kit: string, options: JsonObject, name: string): string {
  const read = readYaml(text);
  if ('problem' in read) throw invalid(`${name}:${read.line}: ${read.problem}`);
  if (read.value !== null && read.value !== undefined && !isJsonObject(read.value))
    throw invalid(`${name} is a list of tools alone, which no kit can be added to`);
  const value = isJsonObject(read.value) ? read.value : {};
  const kits = isJsonObject(value.kits) ? value.kits : {};
  if (Object.hasOwn(kits, kit) && canonicalJson(kits[kit] ?? {}) === canonicalJson(options)) return text;
  const wanted = { ...value, kits: { ...kits, [kit]: options } };
  const spliced = splice(text, read.document, kit, options);
  if (spliced !== null && holds(spliced, wanted)) return spliced;
  const { document } = read;
  if (document.contents === null) return withEnd(text) + stringify({ kits: wanted.kits });
  if (!isMap(document.get('kits'))) document.set('kits', document.createNode({}));
  document.setIn(['kits', kit], document.createNode(options));
  return document.toString({ lineWidth: 0 });
}

function holds(text: string, wanted: JsonObject): boolean {
  const read = readYaml(text);
  return 'value' in read && isJsonObject(read.value) && canonicalJson(read.value) === canonicalJson(wanted);
}

/** Puts a kit in the text alone, where the file is written in blocks; null where it is not. */
function splice(text: string, document: Document, kit: string, options: JsonObject): string | null {
  const { contents } = document;
  if (contents !== null && (!isMap(contents) || contents.flow === true)) return null;
  const line = `${kit}: ${JSON.stringify(options)}`;
  const kits: unknown = contents === null ? undefined : contents.get('kits', true);
  if (kits === undefined) return `${withEnd(text)}kits:\n  ${line}\n`;
  if (!isMap(kits) || kits.flow === true) return null;
  return spliceKit(text, kits, kit, line);
}

function spliceKit(text: string, kits: YAMLMap, kit: string, line: string): string | null {
  const [first] = kits.items;
  const [start] = (isScalar(first?.key) ? first.key.range : null) ?? [];
  if (start === undefined) return null;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (indent.trim() !== '') return null;
  const known = kits.items.find(({ key }) => isScalar(key) && key.value === kit);
  if (known === undefined) return `${text.slice(0, start)}${line}\n${indent}${text.slice(start)}`;
  const key = isScalar(known.key) ? known.key.range : null;
  const value = isNode(known.value) ? known.value.range : null;
  if (key == null || value == null) return null;
  const end = text.slice(0, value[1]).trimEnd().length;
  return text.slice(0, key[0]) + line + text.slice(Math.max(end, key[1] + 1));
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function invalid(message: string): PlanError {
  return new PlanError('INVALID_INPUT', message, {
    hint: ['docs/kits.md shows a tools file with kits.'],
  });
}
