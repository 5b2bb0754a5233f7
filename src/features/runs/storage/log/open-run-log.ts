import type { RunEvent } from '../../model/run-events.js';
import type { RunLog } from '../../model/run-log.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { Stamp } from '../../../../storage/plan-store.js';
import { createTurns } from '../../../../storage/turns.js';
import { readingOf } from './run-reading.js';
import type { RunLines } from './run-reading.js';
import { batchingWriter } from './run-writer.js';

/** What the log of a run is opened with. */
export interface RunLogOptions {
  readonly name: string;
  /** Where it is, for messages. */
  readonly location: string;
  readonly lines: RunLines;
  /** Where its values are. */
  readonly values: Pick<RunLog, 'folder' | 'keep' | 'keepBytes' | 'read'>;
  readonly stamp: Stamp;
  /** Which copy of the store writes. */
  readonly replica: string;
}

/**
 * Opens the log of a run, wherever its lines are kept. Their order is the order of events, so of two that contend the first wins.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED when what prepared the run cannot be read, STORAGE_FAILED
 */
export async function openRunLog({
  name,
  location,
  lines,
  values,
  stamp,
  replica,
}: RunLogOptions): Promise<RunLog> {
  const reading = readingOf(lines);
  const inTurn = createTurns();
  const stateOf = () => {
    if (reading.run?.id !== name) throw unreadableRun(location, name);
    return reading.run;
  };
  const append = batchingWriter(inTurn, {
    write: (written) => reading.write(written),
    stamp: (ahead) => ({ ...stamp(), replica, clock: reading.events + 1 + ahead }),
  });
  await inTurn(() => reading.readOn());
  stateOf();
  return {
    get run() {
      return stateOf();
    },
    get damage() {
      return reading.damage;
    },
    append,
    async refresh() {
      await inTurn(() => reading.readOn());
      return stateOf();
    },
    async events() {
      const events: RunEvent[] = [];
      for await (const line of lines.read(0)) if ('event' in line) events.push(line.event);
      return events;
    },
    async output(event) {
      const output = await reading.outputOf(event);
      if (output === undefined) throw outputGone(location, event);
      return output;
    },
    ...values,
  };
}

function outputGone(location: string, event: string): PlanError {
  return new PlanError('STORE_DAMAGED', `the output of the event ${event} is gone from ${location}`, {
    details: { location, event },
  });
}

/** What is said of a run whose log does not tell what prepared it. */
export function unreadableRun(location: string, run: string): PlanError {
  return new PlanError('STORE_DAMAGED', `what prepared the run cannot be read in ${location}`, {
    hint: {
      commandLine: `Nothing can be done with it any more; \`plan prepare\` makes another run. \`plan runs prune ${run}\` removes this one.`,
    },
    details: { location, run },
  });
}
