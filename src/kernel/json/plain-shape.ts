/**
 * What a value of JSON must be to be accepted without its schema: the schema would accept it too, and read the same of
 * it. It is data, so that it can be derived once of the schema and kept; see `plainShapeOf`.
 */
export type PlainShape =
  | {
      readonly kind: 'text';
      readonly least: number;
      readonly most: number | null;
      readonly patterns: readonly string[];
    }
  | {
      readonly kind: 'number';
      readonly isInteger: boolean;
      readonly least: number | null;
      readonly above: number | null;
      readonly most: number | null;
    }
  | { readonly kind: 'choice'; readonly values: readonly (string | boolean)[] }
  | { readonly kind: 'nullable'; readonly shape: PlainShape }
  | { readonly kind: 'list'; readonly shape: PlainShape; readonly least: number }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, PlainMember>> };

interface PlainMember {
  readonly shape: PlainShape;
  readonly isOptional: boolean;
}

/** What {@link readPlain} says of a value that is not plain: the schema decides about it. */
export const NOT_PLAIN = Symbol('not plain');

/**
 * Reads a value as its schema would: with the members that the shape knows first, in its order, then the others.
 * @param value what JSON was read to
 */
export function readPlain(value: unknown, shape: PlainShape): unknown {
  switch (shape.kind) {
    case 'text':
      return isText(value, shape) ? value : NOT_PLAIN;
    case 'number':
      return isNumber(value, shape) ? value : NOT_PLAIN;
    case 'choice':
      return shape.values.some((each) => each === value) ? value : NOT_PLAIN;
    case 'nullable':
      return value === null ? null : readPlain(value, shape.shape);
    case 'list':
      return readList(value, shape);
    case 'object':
      return readObject(value, shape.members);
  }
}

type ShapeOf<Kind extends PlainShape['kind']> = Extract<PlainShape, { readonly kind: Kind }>;

const PATTERNS = new Map<string, RegExp>();

function isText(value: unknown, { least, most, patterns }: ShapeOf<'text'>): boolean {
  return (
    typeof value === 'string' &&
    value.length >= least &&
    (most === null || value.length <= most) &&
    patterns.every((pattern) => compiled(pattern).test(value))
  );
}

function compiled(pattern: string): RegExp {
  const known = PATTERNS.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern);
  PATTERNS.set(pattern, made);
  return made;
}

function isNumber(value: unknown, { isInteger, least, above, most }: ShapeOf<'number'>): boolean {
  return (
    typeof value === 'number' &&
    (isInteger ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    (least === null || value >= least) &&
    (above === null || value > above) &&
    (most === null || value <= most)
  );
}

function readList(value: unknown, { shape, least }: ShapeOf<'list'>): unknown {
  if (!Array.isArray(value) || value.length < least) return NOT_PLAIN;
  const read = value.map((each: unknown) => readPlain(each, shape));
  return read.includes(NOT_PLAIN) ? NOT_PLAIN : read;
}

function readObject(value: unknown, members: ShapeOf<'object'>['members']): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_PLAIN;
  const given = new Map<string, unknown>(Object.entries(value));
  // A name that does more than name a member is for the schema to deal with.
  if (given.has('__proto__')) return NOT_PLAIN;
  const read: Record<string, unknown> = {};
  for (const [name, { shape, isOptional }] of Object.entries(members)) {
    if (!given.has(name)) {
      if (!isOptional) return NOT_PLAIN;
      continue;
    }
    const member = readPlain(given.get(name), shape);
    if (member === NOT_PLAIN) return NOT_PLAIN;
    read[name] = member;
  }
  for (const [name, member] of given) if (!Object.hasOwn(members, name)) read[name] = member;
  return read;
}
