import { z } from 'zod';

import { actionPlanSchema } from '../../src/features/actions/model/action-plan.js';
import { toolsFileSchema } from '../../src/features/actions/tools/tools-file.js';
import { toolsFileV2Schema } from '../../src/features/actions/tools/tools-file-v2.js';
import { eventSchema } from '../../src/plan/events.js';
import { indexFileSchema, planFileSchema } from '../../src/plan/schema.js';
import { policySchema } from '../../src/features/actions/policy/policy.js';
import { TOOLS } from '../../src/features/mcp/tools.js';
import { ALL_OPERATIONS } from '../../src/features.js';
import type { RegisteredOperation } from '../../src/operations/registered-operation.js';
import { warningsSchema } from '../../src/operations/shared/report-schemas.js';
import { methodSchema } from '../../src/features/rules/method-schema.js';

/** What every tool of the MCP server takes, and the document that it answers with where it is no text. */
function mcpSchema(): z.ZodObject {
  const tools = TOOLS.map(({ name, description, input, output }) => [
    name,
    z.object({ input, ...(output === undefined ? {} : { output }) }).describe(description),
  ]);
  return z.object(Object.fromEntries(tools)).meta({ title: 'Tools of the MCP server' });
}

const SOURCES = {
  'action-plan-v1': actionPlanSchema,
  'plan-v1': planFileSchema,
  'index-v1': indexFileSchema,
  'event-v1': eventSchema,
  'method-v1': methodSchema,
  'policy-v1': policySchema,
  'tools-v1': toolsFileSchema,
  'tools-v2': toolsFileV2Schema,
  'mcp-v1': mcpSchema(),
} as const;

export type SchemaName = keyof typeof SOURCES;

export const SCHEMAS = Object.keys(SOURCES) as readonly SchemaName[];

/** A published JSON Schema as it must be committed: made from the zod schema that reads the files. */
export function jsonSchemaText(name: SchemaName): string {
  const schema = z.toJSONSchema(SOURCES[name], { target: 'draft-2020-12', io: 'input' });
  const { $schema, ...rest } = schema;
  return `${JSON.stringify({ $schema, $id: `urn:frctl:schema:${name}`, ...rest }, null, 2)}\n`;
}

/** The schemas of what every operation takes and prints, by the name of their file below `schemas/operations/`. */
export async function operationSchemas(): Promise<readonly (readonly [string, string])[]> {
  const all = await Promise.all(
    Object.entries<RegisteredOperation>(ALL_OPERATIONS).map(async ([name, row]) => {
      const { input, output } = await row.load();
      const file = name.replaceAll(' ', '-');
      const printed = typeof output === 'function' ? await output() : output;
      return [
        [`${file}.input`, schemaText(`plan ${name}: input`, `${file}.input`, input, 'input')],
        [`${file}.output`, schemaText(`plan ${name}: --json`, `${file}.output`, printed, 'output')],
      ] as const;
    }),
  );
  return all.flat();
}

function schemaText(title: string, file: string, source: z.ZodType, io: 'input' | 'output'): string {
  const { $schema, ...rest } = z.toJSONSchema(source, { target: 'draft-2020-12', io, reused: 'ref' });
  const printed = io === 'output' ? besideWarnings(rest) : rest;
  const whole = { $schema, $id: `urn:frctl:operation:${file}`, title, ...printed };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Whatever is printed may have warnings beside it of what failed after a change was stored. */
function besideWarnings(schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  const { anyOf, properties } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map(besideWarnings) };
  if (properties === undefined || properties.warnings !== undefined) return schema;
  return { ...schema, properties: { ...properties, warnings: warnings() } };
}

function warnings() {
  const { $schema: _draft, ...rest } = z.toJSONSchema(warningsSchema, { target: 'draft-2020-12' });
  return rest;
}
