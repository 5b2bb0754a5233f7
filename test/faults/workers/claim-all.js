// Claims and completes every goal of a plan that nobody has claimed, one after the other, beginning somewhere; many at once.
// task: {place, plan, goals, first}, with how many goals there are, `g0` and on; says `ready`, begins when something is written to it, and tells what it got.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import process from 'node:process';

import { openStoreAt, task } from './store.js';

const { place, plan, goals: count, first } = task;
// More of them than a command line can hold.
const goals = Array.from({ length: count }, (_, index) => `${plan}-g${index}`);
const log = await openStoreAt(place).open(plan);
writeSync(1, 'ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();

const done = /** @type {string[]} */ ([]);
let refused = 0;
for (let index = 0; index < goals.length; index += 1) {
  const goal = goals[(first + index) % goals.length];
  const known = log.plan.goals.get(goal);
  if (known?.status !== 'atomic' || known.claim !== undefined) continue;
  const token = `${process.pid}-${index}`;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const [claimed] = await log.append([{ type: 'goal_claimed', goal, token, expires_at }]);
  if (claimed?.refused !== null) {
    refused += 1;
    continue;
  }
  const [completed] = await log.append([{ type: 'goal_completed', goal, token }]);
  if (completed?.refused === null) done.push(goal);
}
writeSync(1, `${JSON.stringify({ done, refused })}\n`);
