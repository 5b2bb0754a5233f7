import { Argument, Help } from 'commander';
import type { Command } from 'commander';

import { capitalized } from '../kernel/text/capitalized.js';
import { buildOptions } from './build-option.js';
import { optionsOfAction } from './load-command.js';
import type { LoadedCommand } from './load-command.js';

/**
 * Has the help of a command that stands for several operations speak of one of them alone: `plan runs show --help`,
 * `plan help runs show`. What the command takes stays as it is.
 * @param second the word that names the operation
 */
export function helpOfAction(
  command: Command,
  { name, actions, options, operations }: LoadedCommand,
  second: string,
) {
  const action = actions.get(second);
  if (action === undefined) return;
  const others = new Set(options.map(({ flags }) => flags));
  const taken = action.line.arguments.map(({ flags, description, choices }) => {
    const argument = new Argument(flags, description);
    return choices === undefined ? argument : argument.choices([...choices]);
  });
  const usage = [name, second, '[options]', ...action.line.arguments.map(({ flags }) => flags)].join(' ');
  const summary = operations.get(second)?.summary ?? '';
  const own = optionsOfAction(action)
    .flatMap(buildOptions)
    .filter(({ hidden }) => !hidden);
  command.configureHelp({
    ...command.configureHelp(),
    commandUsage: () => `plan ${usage}`,
    commandDescription: () => `${capitalized(summary)}.`,
    visibleArguments: () => taken,
    visibleOptions: (shown) => [
      ...own,
      ...new Help().visibleOptions(shown).filter(({ flags }) => !others.has(flags)),
    ],
  });
}
