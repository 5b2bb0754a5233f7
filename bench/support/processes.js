import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script of bench/processes in a process of its own: hands it a task and waits for its answer.
 * @param {string} name
 * @param {object} task
 * @param {string[]} [execArgv] options of node
 * @returns {Promise<any>}
 */
export async function runInProcess(name, task, execArgv = []) {
  const child = startProcess(name, execArgv);
  child.send(task);
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${name} ended with ${code} and gave no answer`);
    }),
  ]);
  child.disconnect();
  return answer;
}

/** @param {string} name @param {string[]} [execArgv] */
export function startProcess(name, execArgv = []) {
  return fork(fileURLToPath(new URL(`../processes/${name}.js`, import.meta.url)), { execArgv });
}
