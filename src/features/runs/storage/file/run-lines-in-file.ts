import { fileIdentity, isSameFile } from '../../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../../host/files/file-identity.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { RunLines } from '../log/run-reading.js';
import { runCodec } from '../log/run-line.js';
import { noRun } from '../../../../storage/run-store-errors.js';
import { appendDurably } from '../../../../storage/file/log/event-log.js';
import { readLinesAs } from '../../../../storage/file/log/read-lines.js';

/**
 * The lines of a run in a file, by their bytes. Git leaves such files alone: one that is gone, or is another now, is so for
 * good.
 * @param file that the path named when the run was opened
 */
export function runLinesInFile(run: string, path: string, file: FileIdentity): RunLines {
  const gone = () => noRun(run);
  return {
    unit: 'byte',
    lengthOf: ({ line }) => Buffer.byteLength(line),
    gone,
    async append(lines) {
      const bytes = Buffer.from(lines.map(({ line }) => line).join(''));
      const written = await appendDurably(path, bytes, file);
      if (written === null) throw gone();
      return written.size;
    },
    async *read(from, upTo = Number.MAX_SAFE_INTEGER) {
      const now = await fileIdentity(path);
      if (now === null || !isSameFile(now, file)) throw gone();
      if (now.size < from) throw cutOff(path, from - now.size);
      const end = Math.min(now.size, upTo);
      if (end > from) yield* readLinesAs(runCodec.decode, path, from, end);
    },
  };
}

function cutOff(path: string, bytes: number): PlanError {
  return new PlanError('STORE_DAMAGED', `the last ${bytes} bytes of ${path} are gone`, {
    hint: { commandLine: 'What the run has done is no longer known, so it cannot go on.' },
    details: { path, missing_bytes: bytes },
  });
}
