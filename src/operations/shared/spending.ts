import { isRunning, processStart } from '../../host/processes/recorded-process.js';
import { mostUsageOf } from '../../llm/spend/meter.js';
import type { Meter, Reservation } from '../../llm/spend/meter.js';
import { addUsage, NO_USAGE, subtractUsage } from '../../plan/plan.js';
import type { EventPayload } from '../../plan/events.js';
import type { Usage } from '../../plan/schema.js';
import type { Outcome, PlanLog, PlanStore } from '../../storage/plan-store.js';
import type { NotedProcess, SpendingNote, SpendingNotes } from '../../storage/spending-notes.js';
import type { Environment } from './environment.js';

/** What a process on another machine has noted is taken for lost when it is older. */
const FOREIGN_NOTE_MS = 10 * 60_000;

/** The notes of this process that are still to be changed. */
const kept = new Set<string>();

/** What one command may have used of models for each plan, of which the log says nothing yet, noted before each call. */
export interface Spending {
  /** A meter that notes each call for a plan before leave is given for it. */
  metered(planId: string, meter: Meter): Meter;
  /** Events of a plan were appended: what they say is noted no longer. */
  appended(planId: string, payloads: readonly EventPayload[], outcomes: readonly Outcome[]): void;
  /** Notes nothing more of what was used for a plan: it is kept elsewhere. @throws PlanError STORAGE_FAILED */
  release(planId: string): Promise<void>;
}

interface Account {
  readonly open: Map<Reservation, Usage>;
  settled: Usage;
  keep(): Promise<void>;
  drop(): Promise<void>;
}

/** @param notes where they are kept; null where nothing outlives the process */
export function createSpending(
  notes: () => Promise<SpendingNotes | null>,
  environment: Pick<Environment, 'host' | 'pid' | 'now' | 'ids'>,
): Spending {
  const accounts = new Map<string, Account>();
  const accountOf = (planId: string) => {
    const account = accounts.get(planId) ?? openAccount(planId, notes, environment);
    accounts.set(planId, account);
    return account;
  };
  return {
    metered(planId, meter) {
      const account = accountOf(planId);
      return {
        ...meter,
        async reserve(demand, signal) {
          const leave = await meter.reserve(demand, signal);
          if (leave.kind !== 'reserved') return leave;
          account.open.set(leave, mostUsageOf(leave));
          try {
            await account.keep();
          } catch (cause) {
            account.open.delete(leave);
            meter.settle(leave, NO_USAGE, false);
            throw cause;
          }
          return leave;
        },
        settle(reservation, usage, reported) {
          meter.settle(reservation, usage, reported);
          if (!account.open.delete(reservation)) return;
          account.settled = addUsage(account.settled, usage);
          // What stands there is no less.
          account.keep().catch(() => undefined);
        },
      };
    },
    appended(planId, payloads, outcomes) {
      const account = accounts.get(planId);
      if (account === undefined) return;
      const said = payloads.flatMap((payload, index) =>
        outcomes[index]?.refused === null && 'usage' in payload && payload.usage !== undefined
          ? [payload.usage]
          : [],
      );
      if (!said.some(({ calls }) => calls > 0)) return;
      account.settled = said.reduce(subtractUsage, account.settled);
      account.keep().catch(() => undefined);
    },
    release: async (planId) => accounts.get(planId)?.drop(),
  };
}

function openAccount(
  planId: string,
  notes: () => Promise<SpendingNotes | null>,
  { host, pid, now, ids }: Pick<Environment, 'host' | 'pid' | 'now' | 'ids'>,
): Account {
  const id = ids.eventId();
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const account: Account = {
    open: new Map(),
    settled: NO_USAGE,
    /** One after the other, and those that wait for their turn together. */
    keep() {
      next ??= last
        .catch(() => undefined)
        .then(async () => {
          next = null;
          await write();
        });
      last = next;
      return next;
    },
    drop() {
      account.settled = NO_USAGE;
      return account.keep();
    },
  };
  return account;

  async function write(): Promise<void> {
    const usage = [...account.open.values()].reduce(addUsage, account.settled);
    const there = await notes();
    if (usage.calls === 0) {
      if (kept.delete(id)) await there?.drop(planId, id);
      return;
    }
    kept.add(id);
    const started = await processStart(pid);
    const by: NotedProcess = {
      host,
      pid,
      ...(started === undefined ? {} : { process_start: started }),
      at: now(),
    };
    await there?.keep(planId, { id, by, usage });
  }
}

/** A store that tells what was appended to its plans. */
export function tellingStore(
  store: PlanStore,
  tell: (planId: string, payloads: readonly EventPayload[], outcomes: readonly Outcome[]) => void,
): PlanStore {
  // The log is made for whoever has opened it, and stays the same object.
  const telling = (log: PlanLog): PlanLog => {
    const { append } = log;
    return Object.assign(log, {
      async append(payloads: readonly EventPayload[], by?: string) {
        const outcomes = await append(payloads, by);
        if (outcomes.length > 0) tell(log.plan.header.id, payloads, outcomes);
        return outcomes;
      },
    });
  };
  return {
    ...store,
    create: async (first, rest) => telling(await store.create(first, rest)),
    open: async (planId, from) => telling(await store.open(planId, from)),
  };
}

/** What may have been used for a plan beside what its log says. @throws PlanError STORAGE_FAILED */
export async function unloggedUsage(notes: SpendingNotes | null, planId: string): Promise<Usage> {
  const found = (await notes?.of(planId)) ?? [];
  return found.map(({ usage }) => usage).reduce(addUsage, NO_USAGE);
}

/** The notes of a plan of processes that are gone. @throws PlanError STORAGE_FAILED */
export async function lostNotes(
  notes: SpendingNotes | null,
  planId: string,
  environment: Pick<Environment, 'host' | 'pid' | 'now'>,
): Promise<readonly SpendingNote[]> {
  const found = (await notes?.of(planId)) ?? [];
  const looked = await Promise.all(found.map((note) => isLost(note, environment)));
  return found.filter((_note, index) => looked[index]);
}

async function isLost(
  { id, by }: SpendingNote,
  { host, pid, now }: Pick<Environment, 'host' | 'pid' | 'now'>,
): Promise<boolean> {
  if (by === null) return false;
  if (by.host !== host) return now() - by.at > FOREIGN_NOTE_MS;
  return by.pid === pid ? !kept.has(id) : !(await isRunning(by));
}
