import { Option } from 'commander';

import { PlanError } from '../kernel/errors.js';
import type { CommandLineMember } from './shared/command-description.js';
import { parseNumber } from './shared/parse-number.js';

/** Returns an option of a command as commander reads it, and its former name, which help does not show. */
export function buildOptions(member: CommandLineMember): readonly Option[] {
  const { formerFlags } = member;
  if (formerFlags === undefined) return [buildOption(member)];
  return [buildOption(member), buildOption({ ...member, flags: formerFlags }).hideHelp()];
}

function buildOption({ flags, description, choices, kind, many, conflicts }: CommandLineMember): Option {
  const option = new Option(flags, description);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (choices !== undefined) option.choices(choices);
  else if (kind === 'number') option.argParser((text) => parseNumber(text, flags));
  else if (kind === 'text' && !many && flags.includes('<file>'))
    option.argParser((text: string, before: unknown) => onlyOne(flags, text, before));
  return option;
}

/**
 * The file that an option names: that a second is passed over without a word loses what it holds. Of other options the last
 * counts, so that an alias can be overridden. @throws PlanError USAGE
 */
function onlyOne(flags: string, text: string, before: unknown): string {
  if (before === undefined || before === text) return text;
  throw new PlanError(
    'USAGE',
    `${/--[a-z-]+/.exec(flags)?.[0] ?? flags} was given twice, and takes one value`,
    {
      hint: {
        commandLine: `Give it once; it was given as ${JSON.stringify(before)} and as ${JSON.stringify(text)}.`,
      },
    },
  );
}
