import * as z from 'zod';

/** A JSON Schema as plain data. */
type JsonSchema = Readonly<Record<string, unknown>>;

// What the strict mode rejects, or what says nothing to a model.
const DROPPED = [
  '$schema',
  'title',
  'examples',
  'default',
  'minLength',
  'maxLength',
  'propertyNames',
] as const;

/**
 * The JSON Schema of `schema` by the rules of OpenAI's strict mode: every object closed, every property
 * required. An optional property is left out, for strict mode has no way to leave one unset; one that has a
 * default or a value in place of a wrong one is asked for.
 */
export function strictJsonSchema(schema: z.ZodType): JsonSchema {
  const made = known.get(schema) ?? makeStrict(schema);
  known.set(schema, made);
  return made;
}

// Every question of a run asks for the same few schemas.
const known = new WeakMap<z.ZodType, JsonSchema>();

function makeStrict(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...strict } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      // A null that only stands for what a reply leaves out is not offered.
      if (jsonSchema.default === null && jsonSchema.anyOf !== undefined) {
        const asked = jsonSchema.anyOf.find(({ type }) => type !== 'null');
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, asked);
      }
      for (const keyword of DROPPED) delete jsonSchema[keyword];
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.type !== 'object') return;
      const required = jsonSchema.required ?? [];
      jsonSchema.properties = Object.fromEntries(
        Object.entries(jsonSchema.properties ?? {}).filter(([name]) => required.includes(name)),
      );
      jsonSchema.required = required;
      jsonSchema.additionalProperties = false;
    },
  });
  return strict;
}
