import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { LogContents, LogsOfStore, RunContents, StoreContents, TextsOfStore } from './store-contents.js';

/** What became of one thing that was to be copied. */
export interface Copied {
  readonly kind: 'plan' | 'run' | 'action_plan' | 'output';
  readonly id: string;
  /**
   * `copied`: it is there now; `went_on`: what it had more is there now; `same`: it was there already; `ahead`: the copy has
   * gone on, so nothing was done; `differs`: there is another of that name, and nothing was done; `failed`.
   */
  readonly outcome: 'copied' | 'went_on' | 'same' | 'ahead' | 'differs' | 'failed';
  /** How many events were written. */
  readonly events: number;
  /** Why it was not copied. */
  readonly message?: string;
}

/**
 * Copies what a store holds to another, one thing after the other. What is there already is compared and never changed but
 * for what is added at the end of its log; so it can be broken off and begun again.
 * @throws PlanError STORAGE_FAILED when either store cannot be used at all
 */
export async function* copyContents(from: StoreContents, to: StoreContents): AsyncGenerator<Copied> {
  // What plans name comes before them.
  yield* copyTexts('action_plan', from.actionPlans, to.actionPlans);
  yield* copyLogs('plan', from.plans, to.plans);
}

/** Copies the runs that a store holds to another, after what they name. @throws PlanError as `copyContents` */
export async function* copyRuns(from: RunContents, to: RunContents): AsyncGenerator<Copied> {
  yield* copyLogs('run', from.runs, to.runs);
  yield* copyOutputs(from, to);
}

async function* copyLogs(kind: Copied['kind'], from: LogsOfStore, to: LogsOfStore): AsyncGenerator<Copied> {
  for (const id of [...(await from.ids())].toSorted())
    yield { kind, id, ...(await unlessDamaged(() => copyLog(id, from, to))) };
}

async function copyLog(id: string, from: LogsOfStore, to: LogsOfStore): Promise<Outcome> {
  const source = await from.read(id);
  // Deleted meanwhile.
  if (source === null) return { outcome: 'same', events: 0 };
  const there = await to.read(id);
  const length = there?.lines.length ?? 0;
  const common = commonLength(source, there);
  if (common < Math.min(length, source.lines.length)) return differing(`event ${common + 1} is another`);
  const more = source.lines.length - length;
  if (there !== null && more === 0) return { outcome: 'same', events: 0 };
  if (more < 0) return { outcome: 'ahead', events: 0 };
  const rest = { ...source, lines: source.lines.slice(length) };
  if (!(await to.write(id, rest, there === null ? null : length)))
    return { outcome: 'failed', events: 0, message: 'somebody else wrote there meanwhile; run it again' };
  return { outcome: there === null ? 'copied' : 'went_on', events: more };
}

function commonLength(source: LogContents, there: LogContents | null): number {
  const lines = there?.lines ?? [];
  const end = Math.min(lines.length, source.lines.length);
  let common = 0;
  while (common < end && lines[common] === source.lines[common]) common += 1;
  return common;
}

type Outcome = Pick<Copied, 'outcome' | 'events' | 'message'>;

function differing(message: string): Outcome {
  return { outcome: 'differs', events: 0, message: `there is another one of that name: ${message}` };
}

async function* copyTexts(
  kind: Copied['kind'],
  from: TextsOfStore,
  to: TextsOfStore,
): AsyncGenerator<Copied> {
  for (const id of [...(await from.names())].toSorted())
    yield { kind, id, ...(await unlessDamaged(() => copyText(id, from, to))) };
}

/** What the calls of runs have answered, beside the runs that are there: one whose log is damaged was not copied. */
async function* copyOutputs(from: RunContents, to: RunContents): AsyncGenerator<Copied> {
  const runs = new Set(await to.runs.ids());
  const lost: string[] = [];
  const names = async () => {
    const [kept, others] = partition(await from.values.names(), (name) => runs.has(runOf(name)));
    for (const other of others) lost.push(other);
    return kept;
  };
  yield* copyTexts('output', { ...from.values, names }, to.values);
  for (const id of lost.toSorted())
    yield { kind: 'output', id, outcome: 'failed', events: 0, message: `the run ${runOf(id)} is not there` };
}

function runOf(output: string): string {
  return output.split('/')[0] ?? '';
}

function partition<T>(all: readonly T[], fits: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(fits), all.filter((one) => !fits(one))];
}

async function copyText(id: string, from: TextsOfStore, to: TextsOfStore): Promise<Outcome> {
  const content = await from.read(id);
  if (content === null) return { outcome: 'same', events: 0 };
  if ((await to.read(id)) === null && (await to.write(id, content))) return { outcome: 'copied', events: 0 };
  const there = await to.read(id);
  if (there?.equals(content) === true) return { outcome: 'same', events: 0 };
  return differing('its text is not the same');
}

async function unlessDamaged(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code === 'STORAGE_FAILED') throw thrown;
    return { outcome: 'failed', events: 0, message: messageOf(thrown) };
  }
}
