import { isAbsolute, join } from 'node:path';

import * as z from 'zod';

import { sha256 } from '../../kernel/sha256.js';
import type { Memory } from '../../llm/learnt.js';
import { realFolder } from '../../host/files/folders.js';
import { readStoredTextIfAny, writeTextFile } from '../../host/files/text-files.js';
import type { Environment } from '../shared/environment.js';
import { timeNow } from '../shared/environment.js';

const MOST_BYTES = 16 * 1024;
/** Servers are updated and models are loaded anew, so nothing is believed for longer. */
const BELIEVED_MS = 7 * 86_400_000;

const keptSchema = z.looseObject({
  base_url: z.string(),
  model: z.string(),
  at: z.iso.datetime(),
  learnt: z.unknown(),
});

/**
 * What was learnt about the models of a server, kept in the user's cache (`$XDG_CACHE_HOME/frctl/models/`, else under
 * `~/.cache`), a file each. What cannot be read or written is learnt anew: nothing fails for it.
 */
export function learntModels(environment: Environment, baseUrl: string): Memory {
  const folder = cacheFolder(environment);
  const pathOf = (model: string): string => join(folder, `${hashOf(baseUrl, model)}.json`);
  const latest = new Map<string, string>();
  let writing: Promise<void> = Promise.resolve();
  return {
    recall: (model) => read(environment, pathOf(model), { base_url: baseUrl, model }),
    keep(model, learnt) {
      const at = timeNow(environment);
      const path = pathOf(model);
      latest.set(path, `${JSON.stringify({ base_url: baseUrl, model, at, learnt }, null, 2)}\n`);
      // One after the other, and only the last of several that wait.
      writing = writing.then(async () => {
        const text = latest.get(path);
        latest.delete(path);
        if (text !== undefined) await write(path, text);
      });
      return writing;
    },
  };
}

async function read(
  environment: Environment,
  path: string,
  wanted: { readonly base_url: string; readonly model: string },
): Promise<unknown> {
  try {
    const text = await readStoredTextIfAny(resolved(path), MOST_BYTES);
    const kept = keptSchema.parse(JSON.parse(text ?? ''));
    const age = environment.now() - Date.parse(kept.at);
    const isMeant = kept.base_url === wanted.base_url && kept.model === wanted.model;
    return isMeant && Math.abs(age) <= BELIEVED_MS ? kept.learnt : undefined;
  } catch {
    return undefined;
  }
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeTextFile(resolved(path), text, 'make');
  } catch {
    // A cache that cannot be written costs only what it would have saved.
  }
}

function resolved(path: string): string {
  return realFolder(path);
}

function cacheFolder({ variables, homeFolder }: Environment): string {
  const base = variables.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(base) ? base : join(homeFolder, '.cache'), 'frctl', 'models');
}

function hashOf(baseUrl: string, model: string): string {
  return sha256(JSON.stringify([baseUrl, model])).slice(0, 32);
}
