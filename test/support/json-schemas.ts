import { z } from 'zod';

import { actionPlanSchema } from '../../src/features/actions/model/action-plan.js';
import { toolsFileSchema } from '../../src/features/actions/tools/tools-file.js';
import { toolsFileV3Schema } from '../../src/features/actions/tools/tools-file-v3.js';
import { eventSchema } from '../../src/plan/events.js';
import { indexFileSchema, planFileSchema } from '../../src/plan/schema.js';
import { policySchema } from '../../src/features/actions/policy/policy.js';
import { TOOLS } from '../../src/features/mcp/tools.js';
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
  'tools-v3': toolsFileV3Schema,
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
