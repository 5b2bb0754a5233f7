import type { Client } from 'pg';

import type { Database } from './database.js';

export interface LastingOptions {
  /** Makes a new connection fit for its use; one for which that fails is ended, and another is tried later. */
  readonly prepare: (client: Client) => Promise<void>;
  /** How long before a lost connection is made anew, and before it is tried again. */
  readonly againMs: number;
  /** Whether it keeps the process from ending while it is there; it does unless this is false. */
  readonly keepsProcess?: boolean;
}

/** A connection of its own that is made anew, one at a time, whenever it is lost. */
export interface LastingConnection {
  /** What the first try came to; later ones go on all the same. */
  readonly first: Promise<void>;
  /** Whether it is there now. */
  readonly isReady: boolean;
  /** Ends it, also one that is just being made. */
  close(): Promise<void>;
}

/** Connects, and stays connected until it is closed. */
export function lastingConnection(
  database: Pick<Database, 'connect'>,
  { prepare, againMs, keepsProcess = true }: LastingOptions,
): LastingConnection {
  let isOver = false;
  let current: Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  const first = connect();
  first.catch(again);
  return {
    first,
    get isReady() {
      return current !== null;
    },
    async close() {
      isOver = true;
      clearTimeout(timer);
      await ended(current);
    },
  };

  async function connect(): Promise<void> {
    const client = await database.connect(async (made) => {
      if (!isOver) await prepare(made);
    });
    if (isOver) return ended(client);
    if (!keepsProcess) unref(client);
    current = client;
    client.once('end', () => {
      current = null;
      again();
    });
  }

  function again(): void {
    if (isOver) return;
    timer = setTimeout(() => void connect().catch(again), againMs);
    if (!keepsProcess) timer.unref();
  }
}

async function ended(client: Client | null): Promise<void> {
  await client?.end().catch(() => undefined);
}

/** The types of pg leave this out. */
function unref(client: Client & { readonly unref?: () => void }): void {
  client.unref?.();
}
