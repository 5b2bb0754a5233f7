import type { Command } from 'commander';

import { buildOptions } from './build-option.js';
import type { CommandSet, FeatureCommand } from './command-set.js';
import { addSharedOptions } from './shared/command-parts.js';
import type { OwnCommand } from './shared/command-description.js';
import { formatHelp } from './shared/help-document.js';

/** Makes the commands of features that are no operation. @param print takes the document for `--json`, and the text */
export function featureCommands(
  commands: CommandSet,
  describe: (command: OwnCommand) => Command,
  asJson: boolean,
  print: (document: unknown, text: string) => void,
): readonly Command[] {
  const made = ({ command: own, run }: FeatureCommand) => {
    const command = describe(own);
    for (const option of own.options.flatMap(buildOptions)) command.addOption(option);
    addSharedOptions(command);
    formatHelp(command, { examples: own.examples }, asJson);
    return command.action(() => run(command.optsWithGlobals(), { commands, print }));
  };
  return commands.others.map(made);
}
