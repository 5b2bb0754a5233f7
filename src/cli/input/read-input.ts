import type { Command } from 'commander';

import { PlanError } from '../../kernel/errors.js';
import type { CommandLineMember } from '../shared/command-description.js';
import type { CommandLine } from '../command-line.js';
import { readStandardInput } from './standard-input.js';

/** As much as is read from standard input where the command itself says no less. */
const MOST_BYTES = 256 * 1024 * 1024;

/** What was given on a command line, as the input of its operation. @throws PlanError INVALID_INPUT for standard input */
export async function readInput(
  { arguments: named, options, standardInput: textsOf }: CommandLine,
  command: Command,
  standardInput: () => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const input = readOptions(options, command);
  for (const [index, member] of named.entries()) {
    const given: unknown = command.processedArgs[index];
    setMember(
      input,
      member.path,
      valueOf(member, isPlanArgument(member) ? planGiven(given, command) : given),
    );
  }
  const read = Object.entries(textsOf).filter(([file]) => [input[file]].flat().includes('-'));
  const [, second] = read.flatMap(([file]) => [input[file]].flat().filter((name) => name === '-'));
  if (second !== undefined) throw readBefore();
  for (const [, member] of read) input[member] = await standardInput();
  return input;
}

/** The option by which a plan is named that also stands as an argument. */
export const PLAN_OPTION = '--plan <plan>';

/** Whether an argument is a plan that may be left out; it is taken as an option too. */
export const isPlanArgument = ({ flags }: CommandLineMember): boolean => flags === '[plan]';

/** @throws PlanError USAGE where a plan is named twice */
function planGiven(argument: unknown, command: Command): unknown {
  const option: unknown = command.getOptionValue('plan');
  if (option === undefined || argument === undefined) return argument ?? option;
  throw new PlanError('USAGE', 'the plan is named twice', {
    hint: { commandLine: 'Name it as an argument or with --plan, not both.' },
  });
}

/**
 * Standard input, which can be read once.
 * @returns reads it; throws PlanError USAGE the second time, INVALID_INPUT
 */
export function onceRead(stdin: AsyncIterable<Buffer | string>): () => Promise<string> {
  let isRead = false;
  return async () => {
    if (isRead) throw readBefore();
    isRead = true;
    return readStandardInput(stdin, MOST_BYTES);
  };
}

function readBefore(): PlanError {
  return new PlanError('USAGE', 'standard input can be read once: only one file can be -', {
    hint: { commandLine: 'Put one of the texts into a file, and name that.' },
  });
}

/** What was given for options, by the members that they give. */
export function readOptions(
  members: readonly CommandLineMember[],
  command: Command,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const member of members) setMember(input, member.path, valueOf(member, optionValue(command, member)));
  return input;
}

function optionValue(command: Command, member: CommandLineMember): unknown {
  const { flags, formerFlags, negated } = member;
  const option = command.options.find((each) => each.flags === flags);
  const name = option?.attributeName();
  if (name === undefined) return undefined;
  const value: unknown = command.getOptionValue(name);
  if (value === undefined && formerFlags !== undefined)
    return optionValue(command, { ...member, flags: formerFlags, formerFlags: undefined });
  // Commander sets what `--no-x` denies to true before anything is given.
  return negated && value === true ? undefined : value;
}

/** @throws PlanError USAGE for an empty text that is to name a file, as of a variable of a shell that is not set */
function valueOf({ kind, factor, words, flags }: CommandLineMember, value: unknown): unknown {
  if (/[<[](?:file|folder|path)[.>\]]/.test(flags) && [value].flat().includes(''))
    throw new PlanError('USAGE', `${flags} needs a name, and was given an empty one`, {
      hint: { commandLine: 'Perhaps a variable of the shell is not set.' },
    });
  // Commander gives an empty list where there is none.
  if (words === true && Array.isArray(value)) return value.length === 0 ? undefined : value.join(' ');
  if (kind !== 'number' || typeof value !== 'number' || factor === 1) return value;
  // One below 0 is refused, and named as it was given.
  return value < 0 ? value : Math.ceil(value * factor);
}

function setMember(
  input: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (value === undefined) return;
  if (rest.length === 0) {
    input[name] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...objectOr(input[name]) };
  input[name] = inner;
  setMember(inner, rest, value);
}

function objectOr(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
