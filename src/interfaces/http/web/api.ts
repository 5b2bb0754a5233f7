import type { WireError } from './wire.js';

const TOKEN = 'frctl-token';

/** An error that the server gave, or that there is none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/**
 * Takes the token out of the address, where no history keeps it, into this tab's own memory. A code is exchanged for it.
 * @returns whether there is a token, and whether it is new
 */
export async function takeToken(): Promise<'new' | 'kept' | 'none'> {
  const [, kind, given] = /^#(token|code)=([\w-]+)$/.exec(location.hash) ?? [];
  if (given === undefined) return sessionStorage.getItem(TOKEN) === null ? 'none' : 'kept';
  history.replaceState(null, '', '#/');
  const token = kind === 'token' ? given : await redeem(given);
  if (token === null) return sessionStorage.getItem(TOKEN) === null ? 'none' : 'kept';
  sessionStorage.setItem(TOKEN, token);
  return 'new';
}

async function redeem(code: string): Promise<string | null> {
  const response = await fetch('/api/session', { headers: { authorization: `Bearer ${code}` } });
  if (!response.ok) return null;
  const { token }: { token: string } = await response.json();
  return token;
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${sessionStorage.getItem(TOKEN) ?? ''}` };
}

async function errorOf(response: Response): Promise<ApiError> {
  const body: { error?: WireError } = await response.json().catch(() => ({}));
  const { code = 'INTERNAL', message = `the server answered ${response.status}`, hint } = body.error ?? {};
  return new ApiError(response.status, code, message, hint);
}

/** Asks for a document. @throws ApiError, with status 0 where no server answers */
export async function get<Document>(path: string, signal?: AbortSignal): Promise<Document> {
  const response = await reach(path, { headers: headers(), ...(signal === undefined ? {} : { signal }) });
  if (!response.ok) throw await errorOf(response);
  const document: Document = await response.json();
  return document;
}

/** Runs an operation. @throws ApiError */
export async function post<Document>(operation: string, input: object): Promise<Document> {
  const response = await reach(`/api/operations/${operation}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw await errorOf(response);
  const document: Document = await response.json();
  return document;
}

async function reach(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(path, options);
  } catch (thrown) {
    if (options.signal?.aborted === true) throw thrown;
    throw new ApiError(0, 'UNREACHABLE', 'the server does not answer');
  }
}

/** How it stands with a stream. */
export type Connection = 'connecting' | 'live' | 'asleep' | 'lost' | 'denied' | 'ended';

interface StreamOptions<Line> {
  readonly path: string;
  readonly onLine: (line: Line) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Whether a line is the last that will come. */
  readonly isLast?: (line: Line) => boolean;
}

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;
/** The server says something every 15 seconds; after this long it is gone, or this machine slept. */
const LONGEST_SILENCE_MS = 40_000;

/**
 * Reads a stream of lines for as long as the tab is seen, again and again: a browser allows a server six connections for
 * all its tabs, so a tab that nobody looks at keeps none. Each time it begins with the whole.
 * @returns what ends it
 */
export function follow<Line>({ path, onLine, onConnection, isLast }: StreamOptions<Line>): () => void {
  let current: AbortController | null = null;
  let timer = 0;
  let wait = FIRST_WAIT_MS;
  let isOver = false;

  async function open(): Promise<void> {
    clearTimeout(timer);
    current?.abort();
    if (isOver || document.hidden) return;
    const controller = new AbortController();
    current = controller;
    onConnection('connecting');
    try {
      const response = await reach(path, { headers: headers(), signal: controller.signal });
      if (!response.ok) throw await errorOf(response);
      onConnection('live');
      wait = FIRST_WAIT_MS;
      for await (const line of linesOf<Line>(response, controller)) {
        if (controller.signal.aborted) return;
        onLine(line);
        if (isLast?.(line) === true) return end('ended');
      }
      throw new ApiError(0, 'ENDED', 'the stream ended');
    } catch (thrown) {
      if (current !== controller || isOver || document.hidden) return;
      if (thrown instanceof ApiError && [401, 403, 421].includes(thrown.status)) return end('denied');
      if (thrown instanceof ApiError && thrown.status === 404) return end('ended');
      onConnection('lost');
      timer = setTimeout(() => void open(), wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }

  function end(how: Connection): void {
    onConnection(how);
    stop();
  }

  function onVisible(): void {
    if (document.hidden) {
      current?.abort();
      onConnection('asleep');
    } else void open();
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    current?.abort();
    document.removeEventListener('visibilitychange', onVisible);
  }

  document.addEventListener('visibilitychange', onVisible);
  void open();
  return stop;
}

async function* linesOf<Line>(response: Response, controller: AbortController): AsyncGenerator<Line> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for (;;) {
    const silence = setTimeout(() => controller.abort(), LONGEST_SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const parts = decoder.decode(value, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      const text = [...rest, part].join('');
      rest = [];
      if (text === '') continue;
      const line: Line = JSON.parse(text);
      yield line;
    }
    rest.push(parts.at(-1) ?? '');
  }
}
