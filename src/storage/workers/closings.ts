import type { Client } from 'pg';
import * as z from 'zod';

import type { Database } from '../postgres/database.js';
import { MODEL_CHANNEL } from './tables.js';

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
  database: Database,
  closed: Map<string, number>,
): Promise<() => void> {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Client = await connect();
  return () => {
    over = true;
    clearTimeout(timer);
    end(current);
  };

  async function connect(): Promise<Client> {
    const client = await database.connect();
    client.on('notification', ({ payload }) => {
      const heard = closing.safeParse(parsed(payload));
      if (!heard.success) return;
      const { model, wait } = heard.data;
      closed.set(model, Math.max(closed.get(model) ?? 0, performance.now() + wait));
    });
    client.on('end', again);
    await client.query(`listen ${MODEL_CHANNEL}`);
    return client;
  }

  function again(): void {
    if (over) return;
    timer = setTimeout(() => {
      connect().then((client) => {
        current = client;
        if (over) end(client);
      }, again);
    }, AGAIN_MS);
  }
}

function end(client: Client): void {
  client.end().catch(() => undefined);
}

function parsed(payload: string | undefined): unknown {
  try {
    return JSON.parse(payload ?? 'null');
  } catch {
    return null;
  }
}
