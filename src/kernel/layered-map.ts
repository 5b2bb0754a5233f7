/** So many changes are copied for each of them: while there are few, that is cheapest to make and to read. */
const FEW = 32;
/** A layer is so many times as large as the one above it, at the least. */
const GROWTH = 4;

/**
 * A map that stays as it is: a change gives another one. Newer changes lie above older ones in layers that grow
 * geometrically, so that of `n` changes one is found in `log n` steps, and each has been copied `log n` times.
 * (A package for this takes as long to load as a short command may take.)
 */
export interface LayeredMap<Value> {
  readonly size: number;
  get(key: string): Value | undefined;
  /** The map with a value for a key. */
  with(key: string, value: Value): LayeredMap<Value>;
  /** Keys in the order in which they were first set. */
  [Symbol.iterator](): IterableIterator<[string, Value]>;
}

interface Layer<Value> {
  readonly entries: ReadonlyMap<string, Value>;
  readonly below: Layer<Value> | null;
}

/** A map without any key, or with these. Its values are never undefined. */
export function layeredMap<Value extends object | string | number | boolean | null>(
  begun: Iterable<readonly [string, Value]> = [],
): LayeredMap<Value> {
  const entries = new Map(begun);
  const below = entries.size === 0 ? null : { entries, below: null };
  return mapOf<Value>({ entries: new Map(), below }, entries.size);
}

function mapOf<Value>(top: Layer<Value>, size: number): LayeredMap<Value> {
  const get = (key: string): Value | undefined => {
    for (let layer: Layer<Value> | null = top; layer !== null; layer = layer.below) {
      const value = layer.entries.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    size,
    get,
    with: (key, value) => mapOf(withEntry(top, key, value), get(key) === undefined ? size + 1 : size),
    [Symbol.iterator]: () => inOne(top).entries(),
  };
}

function withEntry<Value>(top: Layer<Value>, key: string, value: Value): Layer<Value> {
  if (top.entries.size < FEW || top.entries.has(key))
    return { entries: new Map(top.entries).set(key, value), below: top.below };
  return { entries: new Map([[key, value]]), below: compacted(top) };
}

/** A layer with those below that are not yet large enough beside it. */
function compacted<Value>(layer: Layer<Value>): Layer<Value> {
  const { entries, below } = layer;
  if (below === null || below.entries.size >= GROWTH * entries.size) return layer;
  return compacted({ entries: new Map([...below.entries, ...entries]), below: below.below });
}

function inOne<Value>(layer: Layer<Value>): Map<string, Value> {
  const one = layer.below === null ? new Map<string, Value>() : inOne(layer.below);
  for (const [key, value] of layer.entries) one.set(key, value);
  return one;
}
