import * as z from 'zod';

/** A server of models on this machine. */
export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  /** The first of its models; null when it has none loaded. */
  readonly model: string | null;
}

/** Where the usual servers listen unless they are told otherwise. */
const USUAL: readonly Omit<LocalServer, 'model'>[] = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
];

/** How long is looked in all. */
const PATIENCE_MS = 150;
const MOST_CHARACTERS = 200_000;

const modelsSchema = z.looseObject({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string().regex(/^[\w.:/@+-]{1,100}$/) })),
});

/**
 * Looks which of the usual servers answer on this machine, for 150 ms at most. Only their lists of models are asked for;
 * nothing of the user's is sent. Never throws.
 */
export async function findLocalServers(
  servers: readonly Omit<LocalServer, 'model'>[] = USUAL,
  patienceMs = PATIENCE_MS,
): Promise<readonly LocalServer[]> {
  const signal = AbortSignal.timeout(patienceMs);
  const found = await Promise.all(servers.map((server) => look(server, signal)));
  return found.filter((server) => server !== null);
}

async function look(server: Omit<LocalServer, 'model'>, signal: AbortSignal): Promise<LocalServer | null> {
  try {
    const answer = await fetch(`${server.baseUrl}/models`, { signal, redirect: 'error' });
    const text = await answer.text();
    if (!answer.ok || text.length > MOST_CHARACTERS) return null;
    const { data } = modelsSchema.parse(JSON.parse(text));
    return { ...server, model: data[0]?.id ?? null };
  } catch {
    return null;
  }
}
