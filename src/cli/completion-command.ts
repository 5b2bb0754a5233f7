import type { Command } from 'commander';

import { PlanError } from '../kernel/errors.js';
import { truncate } from '../kernel/text/truncate.js';
import { addArgument, addSharedOptions } from './shared/command-parts.js';
import { nameKinds } from './completion-kinds.js';
import { commandEntries } from './commands.js';
import { formatHelp } from './shared/help-document.js';
import type { CommandDescription, OwnCommand } from './shared/command-description.js';
import type { CommandSet } from './command-set.js';

const SHELLS: readonly string[] = ['bash', 'zsh', 'fish'];

/** Returns the command that prints a completion script: of the command line alone, for no other interface has shells. */
export function completionCommand(): OwnCommand {
  return {
    name: 'completion',
    aliases: [],
    summary: 'print a completion script for a shell',
    arguments: [
      {
        flags: '<shell>',
        description: 'bash, zsh or fish',
        path: ['shell'],
        kind: 'text',
        choices: SHELLS,
        many: false,
        negated: false,
        factor: 1,
      },
    ],
    options: [],
    group: 'store and settings',
    examples: [
      'source <(plan completion bash)',
      'plan completion fish > ~/.config/fish/completions/plan.fish',
    ],
  };
}

/** Adds the command. @param print takes the document for `--json`, and the script */
export function addCompletion(
  commands: CommandSet,
  command: Command,
  asJson: boolean,
  print: (document: unknown, script: string) => void,
): Command {
  const own = completionCommand();
  // Besides shells it takes what the scripts ask for, which is nobody's to type.
  for (const argument of own.arguments) addArgument(command, { ...argument, choices: undefined });
  addSharedOptions(command);
  formatHelp(command, own, asJson);
  return command.action(async (shell: string) => {
    if (nameKinds(commands.features).includes(shell)) {
      const { namesOf } = await import('./completion-names.js');
      const names = await namesOf(shell, commands.features);
      return print({ kind: shell, names }, names.map((name) => `${name}\n`).join(''));
    }
    if (!SHELLS.includes(shell))
      throw new PlanError(
        'USAGE',
        `the shell must be bash, zsh or fish, not ${JSON.stringify(truncate(shell, 40))}`,
      );
    const script = await completionScript(shell, commands);
    print({ shell, script }, script);
  });
}

/** Returns every command with what it takes, in the order of the help. */
export async function describeCommands(commands: CommandSet): Promise<readonly CommandDescription[]> {
  const { loadCommand } = await import('./load-command.js');
  const entries = commandEntries(commands.operations);
  const loaded = await Promise.all(entries.map((entry) => loadCommand(entry, commands)));
  const described = loaded.map((command) => ({
    ...command,
    examples: Array.from(command.actions.values(), ({ operation }) => operation.examples).flat(),
  }));
  return [...described, ...commands.others.map(({ command }) => command), completionCommand()];
}

async function completionScript(shell: string, commands: CommandSet): Promise<string> {
  const { renderCompletionScript } = await import('./completion-script.js');
  const { features } = commands;
  return renderCompletionScript(shell, await describeCommands(commands), {
    features,
    kinds: ['files', ...nameKinds(features)],
  });
}
