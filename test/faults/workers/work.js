// Works a plan off until everything is done, as an agent does: takes the next goal, reads what it must know,
// does nothing for a moment, and completes it. Tells on its standard output what became of each, and begins
// when something comes from its standard input.
// task: {folder, by, lease, maxTokens, longestWorkMs}
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { openWorkspace, PlanError } from '../../../dist/index.js';

const { folder, by, lease, maxTokens, longestWorkMs } = JSON.parse(process.argv[2] ?? '{}');
const say = (/** @type {object} */ what) => writeSync(1, `${JSON.stringify(what)}\n`);
const workspace = openWorkspace({ dir: folder, environment: { variables: { FRCTL_BY: by } } });

// All begin together, however long each takes to start.
say({ ready: true });
await once(process.stdin, 'data');
process.stdin.destroy();

for (;;) {
  const { claimed, reason } = await workspace.next({ claim: true, for: lease });
  if (reason?.code === 'all_done') break;
  if (reason?.code === 'claimed') await wait(50);
  else if (claimed === null) throw new Error(`nothing can start: ${reason?.message}`);
  else await work(claimed);
}
say({ done: true });

/** @param {{ readonly goal: string, readonly token: string }} claim */
async function work({ goal, token }) {
  say({ claimed: goal });
  const { tokens } = await workspace.context(goal, { maxTokens });
  if (tokens > maxTokens) throw new Error(`${tokens} tokens, where ${maxTokens} were asked for`);
  await wait(Math.random() * longestWorkMs);
  try {
    const decisions = [`${goal} is done by ${by}`];
    await workspace.complete(goal, { token, summary: `Did ${goal}`, decisions });
    say({ completed: goal });
  } catch (thrown) {
    // Too slow: another has the goal. What was submitted is kept.
    if (!(thrown instanceof PlanError) || thrown.details.kept_as === undefined) throw thrown;
    say({ late: goal });
  }
}
