import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { readTextFile } from '../../host/files/text-files.js';
import { packageFile } from '../../host/package-file.js';
import { truncate } from '../../kernel/text/truncate.js';
import { defineOperation } from '../operation.js';
import { text } from '../shared/fields.js';

/** Names of the published JSON Schemas. */
export const SCHEMA_NAMES = [
  'plan-v1',
  'index-v1',
  'event-v1',
  'method-v1',
  'policy-v1',
  'action-plan-v1',
  'tools-v1',
  'tools-v2',
  'tools-v3',
  'mcp-v1',
  'obsidian-action-plan',
] as const;

/** The published JSON Schemas: their names, and one of them. */
export interface PublishedSchema {
  readonly schemas: readonly (typeof SCHEMA_NAMES)[number][];
  /** The text of the schema that was named; null where none was. */
  readonly text: string | null;
}

/**
 * The names of the published JSON Schemas, and the text of one.
 * @throws PlanError INVALID_INPUT for a name there is none of
 */
export const publishedSchema = defineOperation({
  arguments: ['name'],
  input: z.strictObject({ name: text('schema (default: the list of names)', 'name') }),
  output: z.union([
    z.object({ schemas: z.array(z.enum(SCHEMA_NAMES)).readonly() }),
    z.looseObject({ $schema: z.string() }).describe('The schema itself.'),
  ]),
  examples: ['plan schema', 'plan schema plan-v1'],
  mutates: false,
  async run(_context, { name }): Promise<PublishedSchema> {
    return { schemas: SCHEMA_NAMES, text: name === undefined ? null : await readSchema(name) };
  },
  document: ({ schemas, text: schema }) => (schema === null ? { schemas } : (JSON.parse(schema) as unknown)),
});

async function readSchema(name: string): Promise<string> {
  if (!(SCHEMA_NAMES as readonly string[]).includes(name)) {
    throw new PlanError('INVALID_INPUT', `there is no schema ${JSON.stringify(truncate(name, 40))}`, {
      hint: [`Schemas are ${SCHEMA_NAMES.join(', ')}.`],
    });
  }
  return readTextFile(packageFile(`schemas/${name}.schema.json`));
}
