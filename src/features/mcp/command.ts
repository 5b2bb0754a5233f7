import { Option } from 'commander';
import type { Command } from 'commander';

import { addSharedOptions } from '../../cli/shared/command-parts.js';
import { formatHelp } from '../../cli/shared/help-document.js';
import type { OwnCommand } from '../../cli/shared/command-description.js';

/** The command that serves MCP: an interface of its own, so no operation. */
export const MCP: OwnCommand = {
  name: 'mcp',
  aliases: [],
  summary: 'serve plans to a coding agent over MCP, on standard input and output',
  arguments: [],
  options: [
    {
      flags: '--output-schemas',
      description: 'list the schemas of answers too',
      path: ['outputSchemas'],
      kind: 'toggle',
      many: false,
      negated: false,
      factor: 1,
    },
  ],
  group: 'start',
  examples: ['plan mcp', 'plan mcp --dir /home/ana/project/.plans'],
};

/** Adds the command. The protocol's library is loaded when it runs, and by no other command. */
export function addMcp(command: Command, asJson: boolean): Command {
  for (const { flags, description } of MCP.options) command.addOption(new Option(flags, description));
  addSharedOptions(command);
  formatHelp(command, { examples: MCP.examples }, asJson);
  return command.action(async () => {
    const { serveMcp } = await import('./serve-stdio.js');
    const options: Readonly<Record<string, unknown>> = command.optsWithGlobals();
    await serveMcp({
      folder: typeof options.dir === 'string' ? options.dir : undefined,
      outputSchemas: options.outputSchemas === true,
    });
  });
}
