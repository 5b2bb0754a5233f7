import { once } from 'node:events';

import { startProcess } from './processes.js';

/**
 * What the server of a measure saw.
 * @typedef {{ calls: number, inputTokens: number, outputTokens: number,
 *   longest: { characters: number, tokens: number } }} Seen
 */

/**
 * Starts a model server in a process of its own, so that its work does not share the planner's thread.
 * @param {{ shape: import('./trees.js').TreeShape, delay?: number, exact?: boolean }} options
 *   `delay`: milliseconds before each reply; `exact`: count tokens with the tokenizer
 */
export async function startModelServer(options) {
  const child = startProcess('model-server');
  const ask = async (/** @type {object} */ message) => {
    const answered = once(child, 'message');
    child.send(message);
    const [answer] = await answered;
    return answer;
  };
  const { port } = await ask({ kind: 'start', ...options });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** What was seen since the last time. @returns {Promise<Seen>} */
    seen: () => ask({ kind: 'seen' }),
    stop: () => child.disconnect(),
  };
}
