import { memberOf } from '../../../kernel/json/json-document.js';
import type { JsonDocument } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { ReadingProblem } from './reading.js';

/** A problem and the offset in the text at which it stands. */
export interface Ambiguity extends ReadingProblem {
  readonly offset: number;
}

/**
 * What makes a document two plans at once, so that whoever judges it may read one and whoever runs it another: a key that
 * an object holds twice, anywhere, of which some readers take the first and some the last; and a step with both `args` and
 * `parameters`, of which each system reads one.
 * @param body where the plan is in the document
 */
export function ambiguitiesOf(document: JsonDocument, body: JsonPointer): readonly Ambiguity[] {
  const steps = document.at(pointerTo(body, 'steps'));
  const elements = steps?.kind === 'array' ? steps.elements : [];
  return [
    ...repeatedKeys(document.root),
    ...elements.flatMap((step, index) => twoPayloads(step, pointerTo(body, 'steps', index))),
  ];
}

/** Finds the ambiguities of an object that holds a key twice, at whatever depth. */
export function* repeatedKeys(node: JsonNode, pointer: JsonPointer = ''): Generator<Ambiguity> {
  if (node.kind === 'array') {
    for (const [index, element] of node.elements.entries())
      if (isContainer(element)) yield* repeatedKeys(element, pointerTo(pointer, index));
    return;
  }
  if (node.kind !== 'object') return;
  const seen = new Set<string>();
  for (const { key, keyStart, value } of node.members) {
    const below = pointerTo(pointer, key);
    if (seen.has(key)) yield { pointer: below, offset: keyStart, message: repeated(key) };
    seen.add(key);
    if (isContainer(value)) yield* repeatedKeys(value, below);
  }
}

function repeated(key: string): string {
  return `the key ${JSON.stringify(truncate(key, 40))} is here twice, and which one counts differs from reader to reader`;
}

function twoPayloads(step: JsonNode, pointer: JsonPointer): readonly Ambiguity[] {
  if (memberOf(step, 'args') === null || memberOf(step, 'parameters') === null) return [];
  const message = 'a step has either args or parameters; this one has both, of which each system reads one';
  return [{ pointer, offset: step.start, message }];
}

function isContainer({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array';
}
