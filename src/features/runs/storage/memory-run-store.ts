import { applyRun } from '../model/apply-run.js';
import { outputWithin } from '../model/run-events.js';
import type { RunEvent, RunPayload } from '../model/run-events.js';
import type { RunAppend, RunLog } from '../model/run-log.js';
import type { Run } from '../model/run.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { PlanError } from '../../../kernel/errors.js';
import { sha256 } from '../../../kernel/sha256.js';
import { runCodec } from './log/run-line.js';
import { lockHolder, holdsNothing, stillHeld } from './lock-registry.js';
import type { HeldLock } from './lock-registry.js';
import type { Stamp } from '../../../storage/plan-store.js';
import { noRun, runExists } from '../../../storage/run-store-errors.js';
import type { RunLocks, RunStore } from './run-store.js';

/** The runs of a store that lives as long as the process. */
export type StoredRuns = Map<string, KeptRun>;

const KEPT = new WeakMap<object, StoredRuns>();

/** Returns the runs that are kept for a workspace, as long as that is. */
export function keptRuns(workspace: object): StoredRuns {
  const kept: StoredRuns = KEPT.get(workspace) ?? new Map();
  KEPT.set(workspace, kept);
  return kept;
}

interface KeptRun {
  run: Run;
  readonly events: RunEvent[];
  /** Where the events are that have an output, by their ids. */
  readonly numbers: Map<string, number>;
  readonly values: Map<string, JsonValue>;
}

/**
 * A store of runs that lives as long as the process.
 * @param kept the runs of another such store, to write to them with another stamp
 */
export function createMemoryRunStore(stamp: Stamp, kept: StoredRuns = new Map()): RunStore {
  const store: RunStore = {
    location: 'memory',
    locationOf: (run) => `memory: run ${run}`,
    async create(prepared) {
      if (kept.has(prepared.run)) throw runExists(prepared.run);
      const event = stamped(prepared, stamp, 1);
      const { run, refused } = applyRun(null, event);
      if (run === null) throw new TypeError(`the first event was refused: ${refused?.code ?? ''}`);
      const made: KeptRun = { run, events: [event], numbers: new Map(), values: new Map() };
      kept.set(prepared.run, made);
      return openMemoryRun(made, stamp, () => kept.get(prepared.run) === made);
    },
    async open(name) {
      const found = kept.get(name);
      if (found === undefined) throw noRun(name);
      return openMemoryRun(found, stamp, () => kept.get(name) === found);
    },
    async list(which) {
      const all = [...kept.values()].map(({ run }) => run).toReversed();
      const runs = which === 'open' ? all.filter(({ ended }) => ended === null) : all;
      return {
        runs: runs.toSorted((a, b) => Date.parse(b.prepared_at) - Date.parse(a.prepared_at)),
        problems: [],
      };
    },
    async purge(name) {
      if (!kept.delete(name)) throw noRun(name);
    },
    locks: memoryLocks(kept, (run) => holdsNothing(store, run)),
  };
  return store;
}

const locksOf = new WeakMap<StoredRuns, readonly HeldLock[]>();

/** The locks of all stores that have the same runs. */
function memoryLocks(kept: StoredRuns, hasEnded: (run: string) => Promise<boolean>): RunLocks {
  const change = async (work: (locks: readonly HeldLock[]) => readonly HeldLock[]) => {
    const over = await stillHeld(locksOf.get(kept) ?? [], async (run) => !(await hasEnded(run)));
    const after = work((locksOf.get(kept) ?? []).filter((one) => !over.includes(one)));
    locksOf.set(kept, after);
    return after;
  };
  return {
    async take(lock, run) {
      const after = await change((all) => (lockHolder(all, lock) === null ? [...all, { lock, run }] : all));
      return lockHolder(after, lock) ?? run;
    },
    async giveBack(lock, run) {
      await change((all) => all.filter((one) => one.lock !== lock || one.run !== run));
    },
    holder: async (lock) => lockHolder(await change((all) => all), lock),
  };
}

function openMemoryRun(kept: KeptRun, stamp: Stamp, isKept: () => boolean): RunLog {
  return {
    get run() {
      return kept.run;
    },
    damage: [],
    folder: null,
    async append(payloads) {
      if (!isKept()) throw noRun(kept.run.id);
      const events = payloads.map((payload, index) =>
        stamped(payload, stamp, kept.events.length + 1 + index),
      );
      return events.map((event): RunAppend => {
        const { run, refused } = applyRun(kept.run, event);
        kept.events.push(event);
        if (outputWithin(event) !== undefined) kept.numbers.set(event.id, kept.events.length - 1);
        kept.run = run ?? kept.run;
        return { event, refused };
      });
    },
    async refresh() {
      if (!isKept()) throw noRun(kept.run.id);
      return kept.run;
    },
    events: async () => [...kept.events],
    async output(id) {
      const found = kept.events[kept.numbers.get(id) ?? -1];
      const output = found === undefined ? undefined : outputWithin(found);
      if (output !== undefined) return output;
      throw new PlanError('STORE_DAMAGED', `the output of the event ${id} is gone`);
    },
    async keep(value) {
      const digest = sha256(textOfJson(value));
      kept.values.set(digest, value);
      return digest;
    },
    async keepBytes(content) {
      const digest = sha256(content);
      kept.values.set(digest, content.toString('base64'));
      return digest;
    },
    async read(digest) {
      const found = kept.values.get(digest);
      if (found === undefined)
        throw new PlanError('STORE_DAMAGED', `the output ${digest} of ${kept.run.id} is gone`);
      return found;
    },
  };
}

function stamped(payload: RunPayload, stamp: Stamp, clock: number): RunEvent {
  const { change: _command, ...who } = stamp();
  return runCodec.encodeReadably({ ...who, replica: 'memory', clock, ...payload }).event;
}
