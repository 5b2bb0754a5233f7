import { z } from 'zod';

import { actionPlanSchema } from '../../src/action-plans/action-plan.js';
import { toolsFileSchema } from '../../src/action-plans/tools/tools-file.js';
import { eventSchema } from '../../src/plan/events.js';
import { indexFileSchema, planFileSchema } from '../../src/plan/schema.js';
import { policySchema } from '../../src/action-plans/policy/policy.js';
import { methodSchema } from '../../src/rules/method-schema.js';

const SOURCES = {
  'action-plan-v1': actionPlanSchema,
  'plan-v1': planFileSchema,
  'index-v1': indexFileSchema,
  'event-v1': eventSchema,
  'method-v1': methodSchema,
  'policy-v1': policySchema,
  'tools-v1': toolsFileSchema,
} as const;

export type SchemaName = keyof typeof SOURCES;

export const SCHEMAS = Object.keys(SOURCES) as readonly SchemaName[];

/** A published JSON Schema as it must be committed: made from the zod schema that reads the files. */
export function jsonSchemaText(name: SchemaName): string {
  const schema = z.toJSONSchema(SOURCES[name], { target: 'draft-2020-12', io: 'input' });
  const { $schema, ...rest } = schema;
  return `${JSON.stringify({ $schema, $id: `urn:frctl:schema:${name}`, ...rest }, null, 2)}\n`;
}
