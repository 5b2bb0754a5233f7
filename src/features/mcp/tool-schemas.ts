import * as z from 'zod';

/** A JSON Schema as plain data. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a tool's input or output, without the dialect, which costs a host tokens and tells it nothing. */
export function toolJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const {
    $schema: _dialect,
    additionalProperties: _closed,
    ...made
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // That a call takes nothing else is told to whoever gives something else.
      if (io === 'input' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return made;
}
