import { AsyncLocalStorage } from 'node:async_hooks';

/** Whether what runs is the engine's own: it prints on the console what it tries again, and what it gives up. */
const inEngine = new AsyncLocalStorage<boolean>();
const PRINTING = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;
let isQuiet = false;

/** Does something of the engine, and keeps what it prints from the console, also later on; what others print stays. */
export function quietly<T>(work: () => T): T {
  if (!isQuiet) quieten();
  return inEngine.run(true, work);
}

/** Does something that is not the engine's, though that calls it. */
export function aloud<T>(work: () => T): T {
  return inEngine.run(false, work);
}

/** For the life of the process: the engine may print long after it was told to end. */
function quieten(): void {
  isQuiet = true;
  for (const name of PRINTING) {
    const print = console[name].bind(console);
    console[name] = (...values: unknown[]) => {
      if (inEngine.getStore() !== true) print(...values);
    };
  }
}
