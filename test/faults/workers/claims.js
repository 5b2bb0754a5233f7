// Claims, renews, releases, completes and reopens goals at random until it has done so many things, and tells when each
// began and ended, and what came of it. Times are those of the machine, alike for all processes.
// task: {folder, by, goals, deeds, seed}
import { writeSync } from 'node:fs';
import process from 'node:process';

import { openWorkspace, PlanError } from '../../../dist/index.js';

const { folder, by, goals, deeds, seed } = JSON.parse(process.argv[2] ?? '{}');
const say = (/** @type {object} */ what) => writeSync(1, `${JSON.stringify(what)}\n`);
const now = () => String(process.hrtime.bigint());
const workspace = openWorkspace({ dir: folder, environment: { variables: { FRCTL_BY: by } } });
/** Tokens that this worker was given, also such as are of no use any more. */
const tokens = /** @type {string[]} */ ([]);
let state = seed;

for (let deed = 0; deed < deeds; deed += 1) {
  const goal = goals[random(goals.length)];
  const kind = ['claim', 'claim', 'renew', 'release', 'complete', 'reopen'][random(6)];
  const token = tokens[random(Math.max(1, tokens.length))] ?? 'none';
  say({ deed, goal, kind, token, start: now() });
  const result = await attempt(kind, goal, token);
  say({ deed, end: now(), ...result });
}

async function attempt(/** @type {string} */ kind, /** @type {string} */ goal, /** @type {string} */ token) {
  try {
    if (kind === 'claim') {
      const { claimed } = await workspace.claim(goal, { for: '8h' });
      tokens.push(claimed.token);
      return { accepted: true, token: claimed.token };
    }
    if (kind === 'renew') await workspace.renew(goal, { token, for: '8h' });
    else if (kind === 'release') await workspace.release(goal, { token });
    else if (kind === 'complete') await workspace.complete(goal, { token, summary: 'Did it' });
    else await workspace.reopen(goal);
    return { accepted: true };
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || !['REFUSED', 'WRONG_STATE'].includes(thrown.code)) throw thrown;
    return { accepted: false };
  }
}

/** A number below a limit, the same for the same seed. */
function random(/** @type {number} */ limit) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % limit;
}
