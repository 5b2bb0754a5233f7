import type { Command } from 'commander';

import { addArgument, addSharedOptions } from './shared/command-parts.js';
import { commandEntries } from './commands.js';
import { formatHelp } from './shared/help-document.js';
import type { CommandDescription, OwnCommand } from './shared/command-description.js';
import { OTHER_INTERFACES } from './other-interfaces.js';

/** The command that prints a completion script: of the command line alone, for no other interface has shells. */
export const COMPLETION: OwnCommand = {
  name: 'completion',
  aliases: [],
  summary: 'print a completion script for a shell',
  arguments: [
    {
      flags: '<shell>',
      description:
        'the shell; or what the scripts ask for: names of plans, goals, rules, schemas or settings',
      path: ['shell'],
      kind: 'text',
      choices: ['bash', 'zsh', 'fish', 'plans', 'goals', 'rules', 'schemas', 'settings'],
      many: false,
      negated: false,
      factor: 1,
    },
  ],
  options: [],
  group: 'store and settings',
  examples: ['source <(plan completion bash)', 'plan completion fish > ~/.config/fish/completions/plan.fish'],
};

/** Adds the command. @param print takes the document for `--json`, and the script */
export function addCompletion(
  command: Command,
  asJson: boolean,
  print: (document: unknown, script: string) => void,
): Command {
  for (const argument of COMPLETION.arguments) addArgument(command, argument);
  addSharedOptions(command);
  formatHelp(command, COMPLETION, asJson);
  return command.action(async (shell: string) => {
    const { NAME_KINDS, namesOf } = await import('./completion-names.js');
    const kind = NAME_KINDS.find((each) => each === shell);
    if (kind !== undefined) {
      const names = await namesOf(kind);
      return print({ kind, names }, names.map((name) => `${name}\n`).join(''));
    }
    const script = await completionScript(shell);
    print({ shell, script }, script);
  });
}

/** Every command with what it takes, in the order of the help. */
export async function describeCommands(): Promise<readonly CommandDescription[]> {
  const { loadCommand } = await import('./load-command.js');
  const loaded = await Promise.all(commandEntries().map(loadCommand));
  return [...loaded, ...OTHER_INTERFACES, COMPLETION];
}

async function completionScript(shell: string): Promise<string> {
  const [{ renderCompletionScript }, commands] = await Promise.all([
    import('./completion-script.js'),
    describeCommands(),
  ]);
  return renderCompletionScript(shell, commands);
}
