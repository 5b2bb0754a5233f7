import * as z from 'zod';

import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import type { Database } from '../postgres/database.js';
import { lastingConnection } from '../postgres/lasting-connection.js';

/** Where a model that has closed is told of. */
export const MODEL_CHANNEL = 'frctl_model';

/** How long before it is tried again to listen. */
const AGAIN_MS = 1000;

const closing = z.object({ model: z.string(), wait: z.number() });

/**
 * Hears of models that nobody may ask for a while, on a connection of its own that is made anew when it is lost.
 * @param closed gets until when, by `performance.now()`
 * @returns stops listening
 * @throws PlanError STORAGE_FAILED where it cannot be done to begin with
 */
export async function listenForClosings(
  database: Pick<Database, 'connect'>,
  closed: Map<string, number>,
): Promise<() => Promise<void>> {
  const listening = lastingConnection(database, {
    againMs: AGAIN_MS,
    async prepare(client) {
      client.on('notification', ({ payload }) => {
        const heard = closing.safeParse(parseOrNull(payload ?? ''));
        if (!heard.success) return;
        const { model, wait } = heard.data;
        closed.set(model, Math.max(closed.get(model) ?? 0, performance.now() + wait));
      });
      await client.query(`listen ${MODEL_CHANNEL}`);
    },
  });
  try {
    await listening.first;
  } catch (cause) {
    await listening.close();
    throw cause;
  }
  return () => listening.close();
}
