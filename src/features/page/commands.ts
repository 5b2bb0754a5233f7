import type { FeatureCommand, FeatureCommands } from '../../cli/command-set.js';
import type { CommandLineMember } from '../../cli/shared/command-description.js';

/** The command that serves the page. The server is loaded when it runs, and by no other command. */
const SERVE: FeatureCommand = {
  command: {
    name: 'serve',
    aliases: [],
    summary: 'show plans and runs as a live page in a browser on this machine',
    arguments: [],
    options: [
      option('--port <n>', 'the port (default: any that is free)', 'port', 'number'),
      option('--open', 'open it in the browser', 'open', 'toggle'),
      option('--write', 'let the page change goals, and approve runs', 'write', 'toggle'),
    ],
    group: 'look',
    everyday: true,
    examples: ['plan serve --open', 'plan serve --port 8080 --write', 'plan serve --json'],
  },
  async run(options, { commands, print }) {
    const { serve } = await import('./server/serve.js');
    await serve(
      {
        features: commands.features,
        operations: commands.operations,
        folder: typeof options.dir === 'string' ? options.dir : undefined,
        forPeople: options.json !== true,
        port: options.port,
        open: options.open === true,
        write: options.write === true,
      },
      print,
    );
  },
};

export const pageCommands: FeatureCommands = { renderers: {}, commands: [SERVE] };

function option(
  flags: string,
  description: string,
  name: string,
  kind: CommandLineMember['kind'],
): CommandLineMember {
  return { flags, description, path: [name], kind, many: false, negated: false, factor: 1 };
}
