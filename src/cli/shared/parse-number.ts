import { InvalidArgumentError } from 'commander';
import { truncate } from '../../kernel/text/truncate.js';

/**
 * Reads a number as people write it on a command line: decimal digits, with a sign and a fraction. Whether it is in
 * range is for the operation's input to say.
 * @throws InvalidArgumentError which commander tells with the command that it was given to
 */
export function parseNumber(text: string, flags: string): number {
  const number = Number(text);
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && Number.isFinite(number)) return number;
  const name = /--[a-z-]+/.exec(flags)?.[0] ?? flags;
  throw new InvalidArgumentError(`${name} takes a number, not ${JSON.stringify(truncate(text, 80))}`);
}
