import { pointerTo } from './json-pointer.js';
import { readJsonDocument } from './json-document.js';

/**
 * Returns what finds the lines, from 1, on which a value of a JSON text stands with its key and with nothing else; none where
 * it shares its lines with others, or is not there. The text is read when a value is first asked for.
 * @param text what JSON.parse takes
 */
export function linesOfValue(text: string): (keys: readonly PropertyKey[]) => readonly number[] {
  let read: ReturnType<typeof readJsonDocument> | undefined;
  return (keys) => {
    read ??= readJsonDocument(text);
    const node = read.at(pointerOf(keys));
    if (node === null) return [];
    const [first, last] = [read.positionOf(node.start).line, read.positionOf(node.end).line];
    const before = text.slice(text.lastIndexOf('\n', node.start) + 1, node.start);
    const end = text.indexOf('\n', node.end);
    const after = text.slice(node.end, end < 0 ? text.length : end);
    const isAlone = /^\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*)?$/.test(before) && ['', ','].includes(after.trim());
    return isAlone ? Array.from({ length: last - first + 1 }, (_each, index) => first + index) : [];
  };
}

/** Returns what finds the line, from 1, on which a value of a JSON text begins, or the nearest above it that is there. */
export function lineOfValue(text: string): (keys: readonly PropertyKey[]) => number {
  let read: ReturnType<typeof readJsonDocument> | undefined;
  return (keys) => (read ??= readJsonDocument(text)).positionAt(pointerOf(keys)).line;
}

function pointerOf(keys: readonly PropertyKey[]): string {
  return pointerTo('', ...keys.map(String));
}
