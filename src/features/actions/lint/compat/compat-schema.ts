import { memberOf } from '../../../../kernel/json/json-document.js';
import type { JsonNode } from '../../../../kernel/json/json-scanner.js';
import { valueOfTree } from '../../../../kernel/json/json-tree.js';
import { pythonText } from './python-text.js';

type Kind = 'object' | 'array' | 'string';

/**
 * What the JSON Schema of the original Plan-Lint refuses first in a document, as its validator words it, or null. Of several
 * mistakes the one nearest to the top is named.
 */
export function schemaRefusal(root: JsonNode): string | null {
  const steps = memberOf(root, 'steps');
  const elements = steps?.kind === 'array' ? steps.elements : [];
  const meta = memberOf(root, 'meta');
  return (
    firstOf(
      wrongKind(root, 'object'),
      ...missing(root, 'goal', 'steps'),
      wrongMember(root, 'goal', 'string'),
      wrongMember(root, 'context', 'object'),
      wrongMember(root, 'steps', 'array'),
      wrongMember(root, 'meta', 'object'),
      ...elements.map((step) => wrongKind(step, 'object')),
      ...elements.flatMap((step) => missing(step, 'id', 'tool', 'args')),
      wrongMember(meta, 'planner', 'string'),
      wrongMember(meta, 'created_at', 'string'),
      ...elements.flatMap(wrongInStep),
    ) ?? null
  );
}

function wrongInStep(step: JsonNode): readonly (string | null)[] {
  const word = memberOf(step, 'on_fail');
  const isKnown = word === null || (word.kind === 'string' && ['abort', 'continue'].includes(word.value));
  return [
    wrongMember(step, 'id', 'string'),
    wrongMember(step, 'tool', 'string'),
    wrongMember(step, 'args', 'object'),
    wrongMember(step, 'on_fail', 'string'),
    isKnown ? null : `${shown(word)} is not one of ['abort', 'continue']`,
  ];
}

function missing(node: JsonNode, ...keys: readonly string[]): readonly string[] {
  if (node.kind !== 'object') return [];
  return keys.filter((key) => memberOf(node, key) === null).map((key) => `'${key}' is a required property`);
}

function wrongMember(node: JsonNode | null, key: string, kind: Kind): string | null {
  const member = node === null ? null : memberOf(node, key);
  return member === null ? null : wrongKind(member, kind);
}

function wrongKind(node: JsonNode, kind: Kind): string | null {
  return node.kind === kind ? null : `${shown(node)} is not of type '${kind}'`;
}

function shown(node: JsonNode): string {
  return pythonText(valueOfTree(node));
}

function firstOf(...found: readonly (string | null)[]): string | undefined {
  return found.find((one) => one !== null) ?? undefined;
}
