import { MOST_BYTES } from './limits.js';

/** A server says that what is asked for is elsewhere, and it was not asked there. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
  readonly status: number;

  constructor(status: number, location: string) {
    super(`was answered with ${status}; it leads to ${location}, and redirects are not followed`);
    this.status = status;
  }
}

/**
 * Node's fetch, whose answers end with an error when they have more than 10 MB.
 * @throws RedirectRefused for a redirect, which is not followed
 */
export const boundedFetch: typeof fetch = async (address, init) => {
  const response = await fetch(address, { ...init, redirect: 'manual' });
  const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
  if (location !== null) {
    await response.body?.cancel();
    throw new RedirectRefused(response.status, location);
  }
  if (response.body === null) return response;
  let length = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.length;
        if (length > MOST_BYTES) controller.error(new Error(`the server sent more than ${MOST_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
};
