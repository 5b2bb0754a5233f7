import { fileIdentity } from '../../../../host/files/file-identity.js';
import { readLinesAs } from '../../../../storage/file/log/read-lines.js';
import { runCodec } from '../log/run-line.js';

/** So much of the end of a log is looked at, in bytes: some lines. */
const TAIL = 8192;

/** Whether the log of a run ends with its end, which is told without reading what a long run has done before. */
export async function endsOver(path: string): Promise<boolean> {
  const size = (await fileIdentity(path))?.size ?? 0;
  let isOver = false;
  for await (const line of readLinesAs(runCodec.decode, path, Math.max(0, size - TAIL), size))
    // The first may be cut, and is then none. After its end only conditions are looked at.
    if ('event' in line && line.event.type !== 'checked') isOver = line.event.type === 'run_ended';
  return isOver;
}
