import { fileIdentity, fileIdentityNow, isSameFile } from '../../../host/files/file-identity.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import { readRawLines } from '../log/raw-lines.js';
import { isConflictMarker } from '../../log/line-damage.js';

const MOST_ATTEMPTS = 5;

/**
 * Takes the markers out of a log that a tool merged without the union that `.gitattributes` asks for. What stands
 * between them stays, of both sides: that is the union. Whoever appends meanwhile finds another file in place of
 * his, and appends again.
 * @returns false when others wrote so often meanwhile that the log stays as it was
 * @throws PlanError STORAGE_FAILED
 */
export async function removeConflictMarkers(path: string): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const log = await fileIdentity(path);
    if (log === null) return false;
    const lines: Buffer[] = [];
    for await (const { bytes } of readRawLines(path, 0, log.size))
      if (!isConflictMarker(bytes)) lines.push(Buffer.from(bytes));
    const isOther = () => {
      const named = fileIdentityNow(path);
      return named === null || !isSameFile(named, log) || named.size !== log.size;
    };
    if (await replaceFile(path, logOf(lines), { unless: isOther })) return true;
  }
  return false;
}

/** As writers write them: an empty line before each, so that a torn one swallows none. */
function* logOf(lines: readonly Buffer[]): Generator<Buffer> {
  const newline = Buffer.from('\n');
  for (const line of lines) yield Buffer.concat([newline, line, newline]);
}
