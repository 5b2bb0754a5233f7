import { pointerTo } from '../../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';

/** A value as one line of JSON, and which part of it comes from where. */
export interface FlatJson {
  readonly text: string;
  /** The value that is at an offset, or whose key is. */
  pointerAt(offset: number): JsonPointer;
}

/**
 * The JSON text of a value on one line, exact numbers as they were written.
 * @param pointer the value's own place
 * @param spaced whether a space is behind each colon and comma
 */
export function flatJson(value: JsonValue, pointer: JsonPointer, spaced = false): FlatJson {
  const [colon, comma] = spaced ? [': ', ', '] : [':', ','];
  const pieces: string[] = [];
  const starts: number[] = [];
  const pointers: JsonPointer[] = [];
  let length = 0;
  const push = (text: string) => {
    pieces.push(text);
    length += text.length;
  };
  const mark = (at: JsonPointer) => {
    starts.push(length);
    pointers.push(at);
  };
  const write = (part: JsonValue, at: JsonPointer) => {
    if (isJsonList(part)) {
      push('[');
      for (const [index, item] of part.entries()) {
        if (index > 0) push(comma);
        mark(pointerTo(at, index));
        write(item, pointerTo(at, index));
      }
      push(']');
    } else if (isJsonObject(part)) {
      push('{');
      for (const [index, [key, member]] of Object.entries(part).entries()) {
        const below = pointerTo(at, key);
        if (index > 0) push(comma);
        mark(below);
        push(`${JSON.stringify(key)}${colon}`);
        write(member, below);
      }
      push('}');
    } else push(isExactNumber(part) ? String(part) : JSON.stringify(part));
  };
  mark(pointer);
  write(value, pointer);
  return {
    text: pieces.join(''),
    pointerAt(offset) {
      const after = starts.findIndex((start) => start > offset);
      return pointers[after === -1 ? pointers.length - 1 : after - 1] ?? pointer;
    },
  };
}
