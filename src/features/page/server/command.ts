import { Option } from 'commander';
import type { Command } from 'commander';

import { addSharedOptions } from '../../../cli/shared/command-parts.js';
import { formatHelp } from '../../../cli/shared/help-document.js';
import { parseNumber } from '../../../cli/shared/parse-number.js';
import type { CommandLineMember, OwnCommand } from '../../../cli/shared/command-description.js';

/** The command that serves the page: an interface of its own, so no operation. */
export const SERVE: OwnCommand = {
  name: 'serve',
  aliases: [],
  summary: 'show plans and runs as a live page in a browser on this machine',
  arguments: [],
  options: [
    option('--port <n>', 'the port (default: any that is free)', 'port', 'number'),
    option('--open', 'open it in the browser', 'open', 'toggle'),
    option('--write', 'let the page claim, complete and edit goals, and approve runs', 'write', 'toggle'),
  ],
  group: 'look',
  examples: ['plan serve --open', 'plan serve --port 8080 --write', 'plan serve --json'],
};

/** Adds the command. The server is loaded when it runs, and by no other command. */
export function addServe(
  command: Command,
  asJson: boolean,
  print: (document: unknown, text: string) => void,
): Command {
  for (const { flags, description, kind } of SERVE.options) {
    const made = new Option(flags, description);
    if (kind === 'number') made.argParser((text) => parseNumber(text, flags));
    command.addOption(made);
  }
  addSharedOptions(command);
  formatHelp(command, { examples: SERVE.examples }, asJson);
  return command.action(async () => {
    const { serve } = await import('./serve.js');
    const options: Readonly<Record<string, unknown>> = command.optsWithGlobals();
    await serve(
      {
        folder: typeof options.dir === 'string' ? options.dir : undefined,
        forPeople: options.json !== true,
        port: options.port,
        open: options.open === true,
        write: options.write === true,
      },
      print,
    );
  });
}

function option(
  flags: string,
  description: string,
  name: string,
  kind: CommandLineMember['kind'],
): CommandLineMember {
  return { flags, description, path: [name], kind, many: false, negated: false, factor: 1 };
}
