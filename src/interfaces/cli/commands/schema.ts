import { SCHEMA_NAMES } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';

/** Prints a published JSON Schema, or the names there are. */
export const run: RunCommand = async ({ args, workspace }) => {
  const [name] = args;
  if (name === undefined) return { data: { schemas: SCHEMA_NAMES }, text: `${SCHEMA_NAMES.join('\n')}\n` };
  const text = await workspace.schema(name);
  const data: unknown = JSON.parse(text);
  return { data, text };
};
