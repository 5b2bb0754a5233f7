/** Where a line stands in the file, in bytes. */
interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** An index from the id of an event to its line, in few bytes a line. */
export interface LineSpans {
  set(event: string, place: LineSpan): void;
  get(event: string): LineSpan | undefined;
}

/** Makes an index that knows no line yet. Whoever asks for an id that was never set may be given another’s line. */
export function createLineSpans(): LineSpans {
  const numbers = new Map<number, number>();
  const starts: number[] = [];
  const ends: number[] = [];
  /** The few whose hash another has. */
  const others = new Map<string, LineSpan>();
  return {
    set(event, place) {
      const hash = hashOf(event);
      if (numbers.has(hash)) {
        others.set(event, place);
        return;
      }
      numbers.set(hash, starts.push(place.start) - 1);
      ends.push(place.end);
    },
    get(event) {
      const known = others.get(event);
      const number = numbers.get(hashOf(event));
      if (known !== undefined || number === undefined) return known;
      return { start: starts[number] ?? 0, end: ends[number] ?? 0 };
    },
  };
}

/** FNV-1a in 30 bits, which a map holds without an object for each. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash & 0x3fffffff;
}
