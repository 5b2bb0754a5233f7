import { keysOfPointer, pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';

/**
 * Where in a document each part of a model comes from. Both sides are JSON Pointers; a part that has no entry
 * of its own lies below the nearest one that has, by the same keys.
 */
export interface SourceMap {
  /** `/steps/0/args/query` of the model may be `/plan/steps/0/parameters/query` of the document. */
  pointerOf(model: JsonPointer): JsonPointer;
}

/** A source map from pairs of pointers; the empty pointer must be among the model's. */
export function createSourceMap(entries: ReadonlyMap<JsonPointer, JsonPointer>): SourceMap {
  return {
    pointerOf(model) {
      const keys = keysOfPointer(model);
      for (let length = keys.length; length >= 0; length -= 1) {
        const known = entries.get(pointerTo('', ...keys.slice(0, length)));
        if (known !== undefined) return pointerTo(known, ...keys.slice(length));
      }
      return model;
    },
  };
}
