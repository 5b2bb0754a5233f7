// An agent as a script: takes goals until none is left to take. Where a real agent works, this one writes a note.
// usage: node work-off.mjs [--by NAME]
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { by: { type: 'string', default: 'agent' } } });

for (;;) {
  const next = plan('next', '--claim', '--limit', '1', '--by', values.by);
  if (next.claimed === null) {
    // Others may still hold what the rest waits for.
    if (next.reason?.code !== 'claimed' && next.reason?.code !== 'waiting') break;
    await sleep(200);
    continue;
  }
  const { goal, token } = next.claimed;
  const { parts } = plan('context', goal);
  plan('complete', goal, '--token', token, '--summary', workOn(parts));
  console.log(`${values.by} did ${goal}`);
}

/** Does the goal, and says what was done and decided. */
function workOn(parts) {
  const names = parts.map(({ name }) => name).join(', ');
  return `Read the context (${names}) and wrote nothing: this is an example.`;
}

/** Runs `plan … --json`. Refused (4) and nothing to do (1) are answers; everything else but success ends this. */
function plan(...args) {
  const { status, stdout, stderr } = spawnSync('plan', [...args, '--json'], { encoding: 'utf8' });
  if (status === 0 || status === 1) return JSON.parse(stdout);
  if (status === 4) return { claimed: null, reason: { code: 'waiting' } };
  throw new Error(`plan ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
}
