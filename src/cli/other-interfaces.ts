import type { Command } from 'commander';

import { addServe, SERVE } from '../features/page/server/command.js';
import { addMcp, MCP } from '../features/mcp/command.js';
import type { OwnCommand } from './shared/command-description.js';

/** The commands that start the other interfaces. This file alone knows of them. */
export const OTHER_INTERFACES: readonly OwnCommand[] = [SERVE, MCP];

/** Makes those commands. @param print takes the document for `--json`, and the text */
export function addOtherInterfaces(
  describe: (command: OwnCommand) => Command,
  asJson: boolean,
  print: (document: unknown, text: string) => void,
): readonly Command[] {
  return [addServe(describe(SERVE), asJson, print), addMcp(describe(MCP), asJson)];
}
