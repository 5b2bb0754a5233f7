import { MOST_BYTES } from './limits.js';

/** Node's fetch, whose answers end with an error when they have more than 10 MB; redirects are not followed. */
export const boundedFetch: typeof fetch = async (address, init) => {
  const response = await fetch(address, { ...init, redirect: 'error' });
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
