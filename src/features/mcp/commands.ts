import type { FeatureCommand, FeatureCommands } from '../../cli/command-set.js';

/** The command that serves MCP. The protocol's library is loaded when it runs, and by no other command. */
const MCP: FeatureCommand = {
  command: {
    name: 'mcp',
    aliases: [],
    summary: 'serve plans to a coding agent over MCP, on standard input and output',
    arguments: [],
    options: [
      {
        flags: '--output-schemas',
        description: 'also list the schemas of answers',
        path: ['outputSchemas'],
        kind: 'toggle',
        many: false,
        negated: false,
        factor: 1,
      },
    ],
    group: 'start',
    examples: ['plan mcp', 'plan mcp --dir /home/ana/project/.plans'],
  },
  async run(options, { commands }) {
    const { serveMcp } = await import('./serve-stdio.js');
    await serveMcp({
      features: commands.features,
      folder: typeof options.dir === 'string' ? options.dir : undefined,
      outputSchemas: options.outputSchemas === true,
    });
  },
};

export const mcpCommands: FeatureCommands = { renderers: {}, commands: [MCP] };
