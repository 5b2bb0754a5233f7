import { Argument, Option } from 'commander';
import type { Command } from 'commander';

import type { CommandLineMember } from './command-description.js';
import { SHARED_OPTIONS } from './shared-options.js';

/** Adds an argument with its choices to a command. */
export function addArgument(command: Command, { flags, description, choices }: CommandLineMember): void {
  const argument = new Argument(flags, description);
  command.addArgument(choices === undefined ? argument : argument.choices([...choices]));
}

/** Adds what every command takes. */
export function addSharedOptions(command: Command): void {
  for (const { flags, description } of SHARED_OPTIONS) command.addOption(new Option(flags, description));
}
