import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import * as z from 'zod';

import { settingsSchema } from '../../plan/schema.js';
import { appendLine, readTextFileIfAny } from '../../host/files/text-files.js';
import { userConfigPath } from '../shared/environment.js';
import type { Environment } from '../shared/environment.js';

const { shape } = settingsSchema;

/**
 * The settings with which a repository could hurt its reader. A plan says itself which of its settings were given when it
 * was made, and a stranger's plan can say anything; so these count as given only when this user is known to have given them.
 */
const ownSettingsSchema = z.object({
  expander: shape.expander.optional(),
  model: shape.model,
  base_url: shape.base_url,
  fallback_models: shape.fallback_models,
  budget: shape.budget,
  /** The recording of a plan that was replayed. */
  replay: z.string().optional(),
});

/** What the user himself gave for a plan. */
export type OwnSettings = z.infer<typeof ownSettingsSchema>;

/** Names of {@link OwnSettings}. */
export const GUARDED_SETTINGS: readonly string[] = ownSettingsSchema.keyof().options;

/** What the user himself gave when he last planned a plan here; nothing for a plan that somebody else made. @throws PlanError STORAGE_FAILED */
export async function readOwnSettings(environment: Environment, planId: string): Promise<OwnSettings> {
  const kept = await lastLine(pathOf(environment, 'own-settings'), planId);
  const parsed = ownSettingsSchema.safeParse(jsonOrNull(kept));
  if (parsed.success) return parsed.data;
  // Where 0.1 kept the server alone.
  const baseUrl = await lastLine(pathOf(environment, 'own-base-urls'), planId);
  return baseUrl === null ? {} : { base_url: baseUrl };
}

/**
 * Notes what the user gave for a plan, so that resuming it needs no flag. A file that cannot be written costs only that
 * convenience.
 */
export async function noteOwnSettings(
  environment: Environment,
  planId: string,
  own: OwnSettings,
): Promise<void> {
  const before = await readOwnSettings(environment, planId).catch(() => ({}));
  const all = ownSettingsSchema.parse({ ...before, ...own });
  if (isDeepStrictEqual(before, all)) return;
  // A line is appended, not a file rewritten, so that commands that start at once forget nothing of each other.
  const line = `${planId} ${JSON.stringify(all)}`;
  await appendLine(pathOf(environment, 'own-settings'), line, 'make').catch(() => undefined);
}

async function lastLine(path: string, planId: string): Promise<string | null> {
  const text = (await readTextFileIfAny(path)) ?? '';
  const line = text.split('\n').findLast((one) => one.startsWith(`${planId} `));
  return line?.slice(planId.length + 1) ?? null;
}

function pathOf(environment: Environment, name: string): string {
  return join(dirname(userConfigPath(environment)), name);
}

function jsonOrNull(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
