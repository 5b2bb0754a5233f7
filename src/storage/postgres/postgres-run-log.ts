import { applyRun } from '../../execution/apply-run.js';
import { outputWithin } from '../../execution/run-events.js';
import type { RunEvent, RunPayload } from '../../execution/run-events.js';
import type { RunAppend, RunLog, RunDamage } from '../../execution/run-log.js';
import type { RunRefusal } from '../../execution/run-refusals.js';
import type { Run } from '../../execution/run.js';
import { PlanError } from '../../kernel/errors.js';
import { textOfJson } from '../../kernel/json/json-tree.js';
import type { JsonValue } from '../../kernel/json/json-value.js';
import { damageOf } from '../log/line-damage.js';
import type { Line, WrittenLine } from '../log/line-codec.js';
import { runCodec } from '../log/run-line.js';
import type { Stamp } from '../plan-store.js';
import { noRun } from '../run-store-errors.js';
import { createTurns } from '../turns.js';
import type { Database } from './database.js';
import { appendRows, readRows, RUN_EVENTS } from './event-table.js';
import type { PlacedRow } from './event-table.js';
import { keepRunBytes, readRunValue } from './run-values.js';

/** Whether events give workers something to do: a run was left to them, or a person has answered what it waited for. */
function isForWorkers(run: Run | null, events: readonly RunEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'left_to_workers' ||
      (run?.workers != null &&
        (event.type === 'run_approved' || (event.type === 'outcome_settled' && event.how === 'person'))),
  );
}

interface RunReading {
  readonly run: Run | null;
  readonly seq: number;
  /** The id of the first event. */
  readonly first: string;
  readonly damage: readonly RunDamage[];
}

type RunVerdicts = Map<string, RunRefusal | null>;

/**
 * Opens the log of a run that is kept in PostgreSQL. The place of an event is its order.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED when what prepared the run cannot be read, STORAGE_FAILED
 */
export async function openPostgresRunLog(database: Database, name: string, stamp: Stamp): Promise<RunLog> {
  let reading: RunReading = { run: null, seq: 0, first: '', damage: [] };
  const inTurn = createTurns();
  const queue: WaitingAppend[] = [];
  const readOn = async (verdicts: RunVerdicts = new Map(), upTo = Number.MAX_SAFE_INTEGER) => {
    for await (const page of readRows(database, RUN_EVENTS, name, { after: reading.seq, upTo }))
      for (const row of page) reading = readRow(reading, row, verdicts);
    return verdicts;
  };
  const stateOf = (): Run => {
    if (reading.run !== null) return reading.run;
    throw reading.seq === 0 ? noRun(name) : unreadable(name);
  };
  await readOn();
  stateOf();
  return {
    get run() {
      return stateOf();
    },
    get damage() {
      return reading.damage;
    },
    folder: null,
    append: (payloads) =>
      new Promise((resolve, reject) => {
        queue.push({ payloads, resolve, reject });
        void inTurn(() => writeBatch(queue.splice(0)));
      }),
    async refresh() {
      await inTurn(() => readOn());
      return stateOf();
    },
    async events() {
      const lines = await linesOf(database, name);
      return lines.flatMap((line) => ('event' in line ? [line.event] : []));
    },
    output: (event) => outputOf(database, name, event),
    keep: (value) => keepRunBytes(database, name, Buffer.from(textOfJson(value))),
    keepBytes: (content) => keepRunBytes(database, name, content),
    read: (digest) => readRunValue(database, name, digest),
  };

  async function writeBatch(batch: readonly WaitingAppend[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const replica = await database.replica();
      const stamped = batch.map(({ payloads }) => payloads.map((payload) => lineOf(payload, replica)));
      const verdicts = await write(stamped.flat());
      for (const [index, { resolve }] of batch.entries())
        resolve(
          (stamped[index] ?? []).map(({ event }) => ({ event, refused: verdicts.get(event.id) ?? null })),
        );
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  async function write(lines: readonly WrittenLine<RunEvent>[]): Promise<RunVerdicts> {
    if (lines.length === 0) return new Map();
    const rows = lines.map(({ event, line }) => ({ id: event.id, body: line.slice(1, -1) }));
    const events = lines.map(({ event }) => event);
    const log = { id: name, first: reading.first };
    const base = await appendRows(
      database,
      RUN_EVENTS,
      log,
      rows,
      isForWorkers(reading.run, events) ? 'run' : null,
    );
    if (base === null) throw noRun(name);
    return readOn(new Map(), base + lines.length);
  }

  function lineOf(payload: RunPayload, replica: string): WrittenLine<RunEvent> {
    const { change: _command, ...who } = stamp();
    return runCodec.encodeReadably({ ...who, replica, clock: reading.seq + 1, ...payload });
  }
}

/** What one call of `append` wants written. */
interface WaitingAppend {
  readonly payloads: readonly RunPayload[];
  readonly resolve: (outcomes: readonly RunAppend[]) => void;
  readonly reject: (cause: unknown) => void;
}

function readRow(reading: RunReading, row: PlacedRow, verdicts: RunVerdicts): RunReading {
  const line = lineIn(row);
  if (!('event' in line)) {
    const bytes = Buffer.from(row.body);
    const damage = {
      ...damageOf({ bytes, offset: row.seq }, line),
      place: `event ${row.seq}`,
    };
    return { ...reading, seq: row.seq, damage: [...reading.damage, damage] };
  }
  const { run, refused } = applyRun(reading.run, line.event);
  verdicts.set(line.event.id, refused);
  return { ...reading, run, seq: row.seq, first: row.seq === 1 ? line.event.id : reading.first };
}

async function linesOf(database: Database, run: string): Promise<readonly Line<RunEvent>[]> {
  const lines: Line<RunEvent>[] = [];
  for await (const page of readRows(database, RUN_EVENTS, run)) lines.push(...page.map(lineIn));
  return lines;
}

function lineIn({ body }: Pick<PlacedRow, 'body'>): Line<RunEvent> {
  return runCodec.decode(Buffer.from(body));
}

/** The output that an event has. */
async function outputOf(database: Database, run: string, event: string): Promise<JsonValue> {
  const { rows } = await database.query<{ body: string }>(
    'select body::text from frctl_run_event where run = $1 and id = $2',
    [run, event],
  );
  const line = rows[0] === undefined ? null : lineIn(rows[0]);
  const output = line !== null && 'event' in line ? outputWithin(line.event) : undefined;
  if (output !== undefined) return output;
  throw new PlanError('STORE_DAMAGED', `the output of the event ${event} is gone from ${run}`, {
    details: { run, event },
  });
}

function unreadable(run: string): PlanError {
  return new PlanError('STORE_DAMAGED', `what prepared the run ${run} cannot be read`, {
    hint: `Nothing can be done with it any more; \`plan prepare\` makes another run. \`plan runs prune ${run}\` removes this one.`,
    details: { run },
  });
}
