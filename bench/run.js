// `npm run bench` prints how planning behaves as tables of ratios; docs/performance.md says what they mean.
// `npm run bench -- --only startup,prompts` runs some of the measures.
import process from 'node:process';
import { parseArgs } from 'node:util';

import { measureAgents } from './measures/agents.js';
import { measureCalls } from './measures/calls.js';
import { measureClaimants } from './measures/claimants.js';
import { measureCommands } from './measures/commands.js';
import { measureLargePlans } from './measures/large-plans.js';
import { measureLint } from './measures/lint.js';
import { measurePage } from './measures/page.js';
import { measurePrompts } from './measures/prompts.js';
import { measurePublishing } from './measures/publishing.js';
import { measureQuality } from './measures/quality.js';
import { measureReady } from './measures/ready.js';
import { measureRuns } from './measures/runs.js';
import { measureStartup } from './measures/startup.js';
import { measureTeamConstants } from './measures/team-constants.js';
import { measureThroughput } from './measures/throughput.js';
import { measureWallTime } from './measures/wall-time.js';
import { measureWork } from './measures/work.js';
import { measureWorkers } from './measures/workers.js';
import { withTemporaryFolder } from './support/temporary-folder.js';

/** Each prints its table. @type {Readonly<Record<string, (folder: string) => Promise<void>>>} */
const MEASURES = {
  'wall-time': measureWallTime,
  commands: measureCommands,
  calls: measureCalls,
  prompts: measurePrompts,
  throughput: measureThroughput,
  startup: measureStartup,
  'large-plans': measureLargePlans,
  publishing: measurePublishing,
  lint: measureLint,
  quality: measureQuality,
  ready: measureReady,
  runs: measureRuns,
  page: measurePage,
  agents: measureAgents,
  work: measureWork,
  workers: measureWorkers,
  'team-constants': measureTeamConstants,
  claimants: measureClaimants,
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = values.only?.split(',') ?? Object.keys(MEASURES);
const unknown = wanted.filter((name) => !(name in MEASURES));
if (unknown.length > 0) {
  console.error(`There is no measure ${unknown.join(', ')}; there are ${Object.keys(MEASURES).join(', ')}.`);
  process.exit(2);
}
for (const name of wanted) await withTemporaryFolder(MEASURES[name]);
