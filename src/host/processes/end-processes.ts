import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 25;
/** Killing is repeated until nothing is found: what forks while it is looked for is found the next time. */
const MOST_LOOKS = 400;

/**
 * Ends processes that are no children of this one: they are asked first, then killed.
 * @param find gives those that are there still
 * @param graceMs how long they may take to end by themselves; 0 kills at once
 * @returns how many there were
 */
export async function endProcesses(find: () => Promise<readonly number[]>, graceMs: number): Promise<number> {
  const found = await find();
  if (found.length === 0) return 0;
  if (graceMs > 0) {
    for (const pid of found) signal(pid, 'SIGTERM');
    for (let waited = 0; waited < graceMs; waited += LOOK_MS) {
      if ((await find()).length === 0) return found.length;
      await wait(LOOK_MS);
    }
  }
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const left = await find();
    if (left.length === 0) break;
    for (const pid of left) signal(pid, 'SIGKILL');
    await wait(look < 10 ? 1 : LOOK_MS);
  }
  return found.length;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
