import type { NameRow } from '../../../feature.js';
import type { Context } from '../../../operations/shared/context.js';
import { PRESETS } from '../attempt/presets.js';

/** Returns the agents that `plan work --with` takes: those of the user's own config, and those that are known. */
export async function agentNames(context: Context): Promise<readonly NameRow[]> {
  const { work: { agents = {} } = {} } = await context.userConfig();
  return [...new Set([...Object.keys(agents), ...Object.keys(PRESETS)])].map((name) => [name, ''] as const);
}
