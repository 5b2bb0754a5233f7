import * as z from 'zod';

/** What a member must be to be accepted as it is: a text, texts, true or false, or one of some words. */
type PlainMember = 'text' | 'texts' | 'toggle' | readonly string[];

/**
 * The part of an input's schema that can be checked without it: whatever is plain, the schema accepts and leaves as it
 * is. Of what is not plain the schema decides.
 */
export interface PlainInput {
  readonly members: Readonly<Record<string, PlainMember>>;
  readonly required: readonly string[];
}

/** The plain part of an input; null where the schema must see every input, for it has checks or defaults of its own. */
export function plainInputOf(input: z.ZodObject): PlainInput | null {
  const entries = Object.entries(input.shape);
  if (hasChecks(input) || entries.some(([, schema]) => hasDefault(schema))) return null;
  return {
    members: Object.fromEntries(
      entries.flatMap(([name, schema]) => {
        const member = plainMemberOf(schema);
        return member === null ? [] : [[name, member]];
      }),
    ),
    required: entries.flatMap(([name, schema]) => (z.safeParse(schema, undefined).success ? [] : [name])),
  };
}

/** Whether an input is plain; then its schema accepts it and leaves it as it is. */
export function isPlain(input: Readonly<Record<string, unknown>>, plain: PlainInput): boolean {
  return (
    plain.required.every((name) => Object.hasOwn(input, name)) &&
    Object.entries(input).every(
      ([name, value]) => Object.hasOwn(plain.members, name) && isMember(value, plain.members[name]),
    )
  );
}

function isMember(value: unknown, member: PlainMember | undefined): boolean {
  if (member === 'text') return typeof value === 'string';
  if (member === 'toggle') return typeof value === 'boolean';
  if (member === 'texts') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  return typeof value === 'string' && member?.includes(value) === true;
}

function plainMemberOf(schema: z.core.$ZodType): PlainMember | null {
  if (hasChecks(schema)) return null;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly)
    return plainMemberOf(schema.unwrap());
  if (schema instanceof z.ZodBoolean) return 'toggle';
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (schema instanceof z.ZodArray) return plainMemberOf(schema.element) === 'text' ? 'texts' : null;
  return schema instanceof z.ZodString && schema.format === null ? 'text' : null;
}

function hasChecks(schema: z.core.$ZodType): boolean {
  return (schema._zod.def.checks ?? []).length > 0;
}

function hasDefault(schema: z.core.$ZodType): boolean {
  const parsed = z.safeParse(schema, undefined);
  return parsed.success && parsed.data !== undefined;
}
