import type { CommandSet, FeatureCommands } from '../cli/command-set.js';
import { RENDERERS } from '../cli/renderers.js';
import { ALL_OPERATIONS, FEATURES } from '../features.js';
import { actionCommands } from '../features/actions/commands.js';
import { agentCommands } from '../features/agents/commands.js';
import { interopCommands } from '../features/interop/commands.js';
import { kitCommands } from '../features/kits/commands.js';
import { mcpCommands } from '../features/mcp/commands.js';
import { pageCommands } from '../features/page/commands.js';
import { runCommands } from '../features/runs/commands.js';
import { teamCommands } from '../features/teams/commands.js';

/** What each feature adds to the command line; in the order in which help lists the commands that are no operations. */
const BROUGHT: readonly FeatureCommands[] = [
  actionCommands,
  runCommands,
  kitCommands,
  teamCommands,
  pageCommands,
  mcpCommands,
  interopCommands,
  agentCommands,
];

/** What `plan` offers: the core with every feature. */
export const COMMANDS: CommandSet = {
  features: FEATURES,
  operations: ALL_OPERATIONS,
  renderers: Object.assign({}, RENDERERS, ...BROUGHT.map(({ renderers }) => renderers)),
  others: BROUGHT.flatMap(({ commands = [] }) => commands),
};
