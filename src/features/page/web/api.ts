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
 * Takes the token of the API out of the address, where no history keeps it, into this tab's own memory. A code is
 * exchanged for it.
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

async function errorOf(response: Response): Promise<ApiError> {
  const body: { error?: WireError } = await response.json().catch(() => ({}));
  const { code = 'INTERNAL', message = `the server answered ${response.status}`, hint } = body.error ?? {};
  return new ApiError(response.status, code, message, hint);
}

/**
 * Asks for a document. Its type is what the server of this page promises, and is not checked again here: the operation has parsed
 * it, and a schema would take more of the page than all the rest.
 * @throws ApiError, with status 0 where no server answers
 */
export async function getFromApi<Document>(path: string, signal?: AbortSignal): Promise<Document> {
  const response = await askApi(path, signal === undefined ? {} : { signal });
  const document: Document = await response.json();
  return document;
}

/** Runs an operation. @throws ApiError */
export async function postToApi<Document>(operation: string, input: object): Promise<Document> {
  const response = await askApi(`/api/operations/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const document: Document = await response.json();
  return document;
}

/** Asks with the token. @throws ApiError, with status 0 where no server answers; what aborts it */
export async function askApi(
  path: string,
  options: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  const token = `Bearer ${sessionStorage.getItem(TOKEN) ?? ''}`;
  const response = await fetch(path, {
    ...options,
    headers: { ...options.headers, authorization: token },
  }).catch((thrown: unknown) => {
    if (options.signal?.aborted === true) throw thrown;
    throw new ApiError(0, 'UNREACHABLE', 'the server does not answer');
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}
