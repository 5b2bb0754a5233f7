import * as fc from 'fast-check';
import * as z from 'zod';

/** Values of which each is wrong for most members. */
export const ODD_VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  '2026-02-30T10:00:00Z',
  '2026-02-03T10:00Z',
  -1,
  0,
  1.5,
  1e300,
  Number.POSITIVE_INFINITY,
  true,
  [],
  [''],
  [{}],
  [null],
  [1],
  {},
  { x: 1 },
];

/**
 * A value with every member that a schema has, however deep: what a value has already stays, and what it lacks, has as
 * `null` or has as an empty list is made. So a member that is new in a schema is there without anybody having thought of it.
 */
export function filled(schema: z.core.$ZodType, value?: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) {
    const known = isRecord(value) ? value : {};
    const members = Object.entries<z.core.$ZodType>(inner.shape);
    return { ...known, ...Object.fromEntries(members.map(([name, of]) => [name, filled(of, known[name])])) };
  }
  if (inner instanceof z.ZodArray)
    return Array.isArray(value) && value.length > 0
      ? value.map((each) => filled(inner.element, each))
      : [filled(inner.element)];
  return value ?? sampleOf(inner);
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}

function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodTuple) return schema._zod.def.items.map((item) => filled(item));
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return 1;
  if (schema instanceof z.ZodISODateTime) return '2026-01-01T00:00:00Z';
  if (schema instanceof z.ZodRecord) return { x: filled(schema.valueType) };
  if (schema instanceof z.ZodString) return textOf(schema);
  throw new TypeError(`no sample of ${schema._zod.def.type} yet`);
}

function textOf(schema: z.ZodString): string {
  const pattern = (schema._zod.def.checks ?? [])
    .map((check): unknown => Reflect.get(check._zod.def, 'pattern'))
    .find((found) => found instanceof RegExp);
  return pattern === undefined
    ? 'text'
    : (fc.sample(fc.stringMatching(pattern), { numRuns: 1, seed: 1 })[0] ?? '');
}

/** The paths of everything in a value, as names of members and positions. */
export function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* pathsIn(member, [...path, name]);
}

/** Puts something where a path leads, if it still leads anywhere. */
export function putAt(value: unknown, [name = '', ...rest]: readonly string[], put: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (rest.length === 0) Object.assign(value, { [name]: put });
  else putAt(Reflect.get(value, name), rest, put);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
