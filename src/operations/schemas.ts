import { fileURLToPath } from 'node:url';

import { PlanError } from '../kernel/errors.js';
import { readTextFile } from '../host/files/text-files.js';

/** Names of the published JSON Schemas. */
export const SCHEMA_NAMES = [
  'plan-v1',
  'index-v1',
  'event-v1',
  'method-v1',
  'policy-v1',
  'action-plan-v1',
  'tools-v1',
  'obsidian-action-plan',
] as const;

/** The text of a published JSON Schema. @throws PlanError INVALID_INPUT for a name there is none of */
export async function readSchema(name: string): Promise<string> {
  if (!(SCHEMA_NAMES as readonly string[]).includes(name)) {
    throw new PlanError('INVALID_INPUT', `there is no schema ${JSON.stringify(name.slice(0, 40))}`, {
      hint: `Schemas are ${SCHEMA_NAMES.join(', ')}.`,
    });
  }
  return readTextFile(fileURLToPath(new URL(`../../schemas/${name}.schema.json`, import.meta.url)));
}
