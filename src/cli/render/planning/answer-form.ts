import * as z from 'zod';

const shapeSchema = z.looseObject({
  const: z.unknown().optional(),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

/** Arguments differ from tool to tool, so they are the text of an object; the object itself is taken too. */
const BY_NAME: Readonly<Record<string, unknown>> = { args: '{"…":"…"}' };

/** The form of an answer: an example of its JSON Schema, with every constant filled in. */
export function answerForm(schema: unknown): unknown {
  const { data: shape } = shapeSchema.safeParse(schema);
  if (shape === undefined) return '…';
  const { const: constant, type, enum: choices, anyOf, properties, items } = shape;
  if (constant !== undefined) return constant;
  if (choices?.[0] !== undefined) return choices[0];
  if (anyOf !== undefined) return answerForm(anyOf[0]);
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, BY_NAME[name] ?? answerForm(member)]),
    );
  if (type === 'array') return items === undefined ? [] : [answerForm(items)];
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 1 : '…';
}
