import process from 'node:process';

import { afterAll } from 'vitest';

// Files of tests share their processes: what one changes of a process must be as it was when the file is over.

/** Functions that a test could put its own in place of. */
const REPLACEABLE: readonly (readonly [object, string])[] = [
  [globalThis, 'fetch'],
  [globalThis, 'setTimeout'],
  [Date, 'now'],
  [Math, 'random'],
  [process, 'kill'],
  [process, 'exit'],
  [process.stdout, 'write'],
  [process.stderr, 'write'],
];

/** What a file of tests could leave behind in its process, by name. */
function stateOfProcess(): Readonly<Record<string, unknown>> {
  const listeners = process
    .eventNames()
    .map((event) => [`listeners of ${String(event)}`, process.listenerCount(event)] as const);
  return {
    ...process.env,
    ...Object.fromEntries(listeners),
    ...Object.fromEntries(globals().map((name) => [`global ${name}`, true])),
    'working folder': process.cwd(),
    'exit code': process.exitCode,
    ...Object.fromEntries(
      REPLACEABLE.map(([of, name], index) => [`${name} (${index})`, Reflect.get(of, name) as unknown]),
    ),
  };
}

/** The names of globals, but for those that libraries keep for themselves. */
function globals(): readonly string[] {
  return Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__'));
}

const before = stateOfProcess();

afterAll(() => {
  const after = stateOfProcess();
  const changed = Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${String(before[name])}, now ${String(after[name])}`);
  if (changed.length > 0) throw new Error(`the file left its process changed:\n${changed.join('\n')}`);
});
