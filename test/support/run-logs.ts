import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRunEvent } from '../../src/features/runs/model/run-events.js';
import type { RunEvent } from '../../src/features/runs/model/run-events.js';
import { runCodec } from '../../src/features/runs/storage/log/run-line.js';

/** Writes the log of a run anew, as somebody does who can write the file: with checksums that are right. */
export function forgeLog(
  folder: string,
  run: string,
  change: (event: RunEvent) => RunEvent | readonly RunEvent[],
): void {
  const path = join(folder, '.plans/runs', `${run}.events.jsonl`);
  const events = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => change(readRunEvent(JSON.parse(line)) as RunEvent));
  writeFileSync(path, events.map((event) => runCodec.encodeReadably(event).line).join(''));
}
