import * as z from 'zod';

import type { PlainShape } from './plain-shape.js';

/**
 * The shape whose values a schema accepts and leaves as they are, but for the order of members; null where the schema
 * does more than a shape can say. The build derives what the commands read most, so that they need not load the schemas.
 */
export function plainShapeOf(schema: z.core.$ZodType): PlainShape | null {
  if (schema instanceof z.ZodString || schema instanceof z.ZodISODateTime) return textOf(schema);
  if (schema instanceof z.ZodNumber) return numberOf(schema);
  if (schema instanceof z.ZodArray) return listOf(schema);
  if (hasChecks(schema)) return null;
  if (schema instanceof z.ZodReadonly) return plainShapeOf(schema.unwrap());
  if (schema instanceof z.ZodBoolean) return { kind: 'choice', values: [true, false] };
  if (schema instanceof z.ZodEnum) return choiceOf(schema.options);
  if (schema instanceof z.ZodLiteral) return choiceOf([...schema.values]);
  if (schema instanceof z.ZodNullable) {
    const shape = plainShapeOf(schema.unwrap());
    return shape === null ? null : { kind: 'nullable', shape };
  }
  return schema instanceof z.ZodObject ? objectOf(schema) : null;
}

type Check = { readonly check: string } & Readonly<Record<string, unknown>>;

/** What a schema checks beside the type of the value; that of a text or a number can have a format, which is one more. */
function checksOf(schema: z.core.$ZodType): readonly Check[] {
  const { def } = schema._zod;
  return [def, ...(def.checks ?? []).map((check) => check._zod.def)].filter(isCheck);
}

function isCheck(def: object): def is Check {
  return 'check' in def && typeof def.check === 'string';
}

function hasChecks(schema: z.core.$ZodType): boolean {
  return (schema._zod.def.checks ?? []).length > 0;
}

function textOf(schema: z.core.$ZodType): PlainShape | null {
  let least = 0;
  let most: number | null = null;
  const patterns: string[] = [];
  for (const { check, minimum, maximum, pattern } of checksOf(schema)) {
    if (check === 'min_length' && typeof minimum === 'number') least = Math.max(least, minimum);
    else if (check === 'max_length' && typeof maximum === 'number') most = Math.min(most ?? maximum, maximum);
    else if (check === 'string_format' && pattern instanceof RegExp && pattern.flags === '')
      patterns.push(pattern.source);
    else return null;
  }
  return { kind: 'text', least, most, patterns };
}

function numberOf(schema: z.core.$ZodType): PlainShape | null {
  let isInteger = false;
  let least: number | null = null;
  let above: number | null = null;
  let most: number | null = null;
  for (const { check, format, value, inclusive } of checksOf(schema)) {
    if (check === 'number_format' && format === 'safeint') isInteger = true;
    else if (typeof value !== 'number') return null;
    else if (check === 'greater_than' && inclusive === true) least = Math.max(least ?? value, value);
    else if (check === 'greater_than') above = Math.max(above ?? value, value);
    else if (check === 'less_than' && inclusive === true) most = Math.min(most ?? value, value);
    else return null;
  }
  return { kind: 'number', isInteger, least, above, most };
}

function listOf(schema: z.ZodArray): PlainShape | null {
  let least = 0;
  for (const { check, minimum } of checksOf(schema)) {
    if (check !== 'min_length' || typeof minimum !== 'number') return null;
    least = Math.max(least, minimum);
  }
  const shape = plainShapeOf(schema.element);
  return shape === null ? null : { kind: 'list', shape, least };
}

function choiceOf(values: readonly unknown[]): PlainShape | null {
  const choices = values.filter((value) => typeof value === 'string' || typeof value === 'boolean');
  return choices.length === values.length ? { kind: 'choice', values: choices } : null;
}

function objectOf(schema: z.ZodObject): PlainShape | null {
  // Only of an object that keeps what it does not know is the rest left as it is.
  if (!(schema.def.catchall instanceof z.ZodUnknown)) return null;
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const isOptional = member instanceof z.ZodOptional && !hasChecks(member);
    return [name, { shape: plainShapeOf(isOptional ? member.unwrap() : member), isOptional }] as const;
  });
  if (members.some(([, { shape }]) => shape === null)) return null;
  return {
    kind: 'object',
    members: Object.fromEntries(
      members.flatMap(([name, { shape, isOptional }]) =>
        shape === null ? [] : [[name, { shape, isOptional }]],
      ),
    ),
  };
}
