import type { Readable } from 'node:stream';

/** The beginning of what a program wrote. */
export interface BoundedOutput {
  readonly bytes: Buffer;
  /** How many bytes it wrote in all. */
  readonly size: number;
  /** Whether it wrote more. */
  readonly isCut: boolean;
}

/** An output that is being read. */
export interface OutputReader {
  /** Fulfilled when there is no more to read. */
  readonly done: Promise<void>;
  /** Ends reading, and gives what was kept. */
  take(): BoundedOutput;
}

/**
 * Keeps the first bytes of a stream, and reads the rest away so that whoever writes does not wait.
 * @param most bytes
 * @param onPart told of each part as it comes, and whether the output is now cut
 */
export function readBoundedOutput(
  stream: Readable | null,
  most: number,
  onPart: (part: Buffer, isCut: boolean) => void,
): OutputReader {
  const parts: Buffer[] = [];
  let left = most;
  let size = 0;
  let isCut = false;
  stream?.on('data', (part: Buffer) => {
    size += part.length;
    if (part.length > left) isCut = true;
    if (left > 0) parts.push(part.subarray(0, left));
    left -= Math.min(left, part.length);
    onPart(part, isCut);
  });
  const done = new Promise<void>((resolve) => {
    if (stream === null) resolve();
    else
      stream
        .once('close', () => {
          resolve();
        })
        .once('error', () => {
          resolve();
        });
  });
  return {
    done,
    take() {
      stream?.destroy();
      return { bytes: Buffer.concat(parts), size, isCut };
    },
  };
}
