import process from 'node:process';

import { PlanError } from '../../kernel/errors.js';

/** As large as an action plan of some hundred thousand steps. */
export const MOST_PLAN_BYTES = 256 * 1024 * 1024;

/** All of standard input where the argument is `-`, or undefined where it names a file. @throws PlanError INVALID_INPUT */
export async function inputFor(argument: string): Promise<string | undefined> {
  return argument === '-' ? readStandardInput(MOST_PLAN_BYTES) : undefined;
}

/**
 * All of standard input, a byte order mark included; it must be UTF-8.
 * @param mostBytes what is longer is refused
 * @throws PlanError INVALID_INPUT
 */
export async function readStandardInput(mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > mostBytes)
      throw new PlanError('INVALID_INPUT', `standard input has more than ${mostBytes} bytes`);
    chunks.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new PlanError('INVALID_INPUT', 'standard input is not UTF-8 text');
  }
}
