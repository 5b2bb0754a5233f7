import process from 'node:process';

import { PlanError } from '../errors.js';

const MOST_BYTES = 4 * 1024 * 1024;

/** All of standard input, which must be UTF-8. @throws PlanError INVALID_INPUT */
export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MOST_BYTES)
      throw new PlanError('INVALID_INPUT', `standard input has more than ${MOST_BYTES} bytes`);
    chunks.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new PlanError('INVALID_INPUT', 'standard input is not UTF-8 text');
  }
}
