import { PlanError } from '../../kernel/errors.js';

/**
 * All of standard input, a byte order mark included; it must be UTF-8.
 * @param stdin where it comes from
 * @param mostBytes what is longer is refused
 * @throws PlanError INVALID_INPUT
 */
export async function readStandardInput(
  stdin: AsyncIterable<Buffer | string>,
  mostBytes: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
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
