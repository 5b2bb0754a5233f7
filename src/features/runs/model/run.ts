import { layeredMap } from '../../../kernel/layered-map.js';
import type { LayeredMap } from '../../../kernel/layered-map.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { instanceMap } from './packed-instances.js';
import { PENDING } from './instance.js';
import { scopeOfStep } from './steps/instance-names.js';
import type { Instance } from './instance.js';
import { countPeople } from './approvals/count-people.js';
import type { Agreeing } from './approvals/count-people.js';
import type { PreparedRun } from './prepared-run.js';
import type { FileState } from './tool.js';

/** For what a run waits. */
export interface RunWaiting {
  readonly step: string;
  readonly for: 'approval' | 'outcome';
  readonly summary: string;
  readonly at: string;
  /** The arguments that are asked about, whole; in a file where they are long. */
  readonly args: JsonObject | undefined;
  readonly args_file: string | undefined;
  /** Files that they name, as they were. */
  readonly named: readonly FileState[] | undefined;
  /** Of the arguments as they would be given, and of these files. */
  readonly args_digest: string | undefined;
  /** The one-time code of a step that asks for approval, as it is stored. */
  readonly code: string | undefined;
  /** Whose key has drawn it; undefined also where the log is of a version that did not say so. */
  readonly code_key: string | undefined;
  readonly expires_at: string | undefined;
  /** How many people must agree. */
  readonly needed: number;
}

/** That a person agreed, to the run or to one step. */
export interface RunApproval {
  readonly approval: string;
  readonly scope: string;
  readonly via: 'terminal' | 'page' | 'ssh';
  readonly signer: string | undefined;
  /** The fingerprint of the key that signed. */
  readonly signer_key: string | undefined;
  readonly at: string;
  readonly by: string;
  readonly expires_at: string;
  readonly args_digest: string | undefined;
  /** Of a step that was approved before it asked: the approval of the run that it was given with. */
  readonly granted_with: string | undefined;
  readonly proof: string;
  /** Whether a start has named it. */
  readonly used: boolean;
}

/** The process that runs a run, or did. */
export interface RunExecutor {
  /** Id of the event that says so. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly process_start?: string | undefined;
  readonly at: string;
}

/** That a run was left to workers, and how they are to carry it out. */
export interface RunWorkers {
  /** Id of the event that says so. */
  readonly id: string;
  readonly on_unknown: 'verify' | 'ask' | 'fail' | undefined;
  readonly snapshot: boolean | undefined;
}

/** One look at a condition. */
export interface RunCheck {
  readonly step: string | null;
  readonly kind: 'precondition' | 'verification';
  readonly index: number;
  readonly ok: boolean;
  readonly detail: string;
  readonly at: string;
}

/** One carrying-out of an action plan, as its log tells. It changes through `applyRun` and in no other way. */
export interface Run {
  readonly id: string;
  readonly prepared: PreparedRun;
  readonly prepared_at: string;
  readonly prepared_by: string;
  readonly approvals: readonly RunApproval[];
  /** How many wrong codes were given, by whose key; those of nobody knows whom have an empty one. */
  readonly wrong_codes: ReadonlyMap<string, number>;
  /** The last one that has started it; null before any has. */
  readonly executor: RunExecutor | null;
  /** Whether that one is at it, as far as the log tells. */
  readonly running: boolean;
  readonly interrupted: 'signal' | 'executor_lost' | null;
  /** Null where it was not left to workers, or was taken from them. */
  readonly workers: RunWorkers | null;
  /** Whether somebody asked its executor to begin nothing more. */
  readonly pausing: boolean;
  /** Why somebody asked to end it; null while nobody has. */
  readonly abort_requested: string | null;
  /** The signals that it was given. */
  readonly signals: ReadonlySet<string>;
  readonly instances: LayeredMap<Instance>;
  /** What each foreach runs over. */
  readonly loops: LayeredMap<{ readonly count: number; readonly digest: string }>;
  readonly waiting: readonly RunWaiting[];
  /** The last look at each condition that did not hold; null where it holds by now. */
  readonly checks: LayeredMap<RunCheck | null>;
  readonly ended: RunEnd | null;
  readonly updated_at: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly outcome: 'succeeded' | 'failed' | 'aborted';
  readonly failed: string | null;
  readonly reason: string | null;
  readonly at: string;
}

/** How far a run is. `expired` is told by the clock; that no executor lives is for the caller to look at. */
export type RunStatus =
  | 'prepared'
  | 'approved'
  | 'running'
  | 'waiting'
  | 'interrupted'
  | 'succeeded'
  | 'failed'
  | 'aborted'
  | 'expired';

/** So many wrong codes of one user and a run takes no code of this user any more. */
export const MOST_WRONG_CODES = 5;

/**
 * How many wrong codes were given that could have been one of a key: with that key, or with one that nobody knows.
 * @param key of the code; where that is not known, all were
 */
export function wrongCodesOfRun({ wrong_codes: wrong }: Run, key: string | undefined): number {
  if (key === undefined) return [...wrong.values()].reduce((sum, count) => sum + count, 0);
  return (wrong.get(key) ?? 0) + (wrong.get('') ?? 0);
}

/**
 * Whether a run takes no code of a key any more, because too many were guessed.
 * @param key as {@link wrongCodesOfRun} has it
 */
export function isCodeVoid(run: Run, key: string | undefined): boolean {
  return wrongCodesOfRun(run, key) >= MOST_WRONG_CODES;
}

/** The state of a run that was prepared, before anything else is known of it. */
export function newRun(prepared: PreparedRun, { at, by }: { readonly at: string; readonly by: string }): Run {
  return {
    id: prepared.run,
    prepared,
    prepared_at: at,
    prepared_by: by,
    approvals: [],
    wrong_codes: new Map(),
    executor: null,
    running: false,
    interrupted: null,
    workers: null,
    pausing: false,
    abort_requested: null,
    signals: new Set(),
    instances: instanceMap(),
    loops: layeredMap(),
    waiting: [],
    checks: layeredMap(),
    ended: null,
    updated_at: at,
  };
}

/** What is known of an instance. */
export function instanceInRun(run: Run, name: string): Instance {
  return run.instances.get(name) ?? PENDING;
}

/**
 * Returns the approvals of a step, as far as the log says: to begin with it with just these arguments, or to go on after
 * it failed.
 */
export function approvalsOfStep(
  run: Run,
  name: string,
  phase: 'before' | 'after',
  digest: string | undefined,
): readonly RunApproval[] {
  const ids = instanceInRun(run, name).approved[phase];
  return run.approvals.filter(
    ({ approval, scope, args_digest, granted_with }) =>
      (ids.includes(approval) || (phase === 'before' && granted_with !== undefined)) &&
      scope === scopeOfStep(name) &&
      args_digest === digest,
  );
}

/** A run in which something else is known of an instance. */
export function withInstance(run: Run, name: string, changes: Partial<Instance>): Run {
  return { ...run, instances: run.instances.with(name, { ...instanceInRun(run, name), ...changes }) };
}

/** The state of a run in which nobody is waited for because of a step. */
export function noLongerWaiting(run: Run, step: string): Run {
  if (run.waiting.every((one) => one.step !== step)) return run;
  return { ...run, waiting: run.waiting.filter((one) => one.step !== step) };
}

/** A run whose attempts under way are of unknown outcome: whoever made them is gone. */
export function withUnknownOutcomes(run: Run): Run {
  const open = [...run.instances].filter(([, { state }]) => state === 'started');
  return open.reduce((next, [name]) => withInstance(next, name, { state: 'unknown' }), run);
}

/** Whoever gave an approval, as far as the log says. */
export function agreeingInLog({ signer, signer_key }: RunApproval): Agreeing {
  return { names: signer === undefined ? [] : [signer], key: signer_key };
}

/** Whether as many people as must have agreed to the run, as far as its log says, and nobody has used that yet. */
function isApproved(run: Run, now: number): boolean {
  const open = run.approvals.filter(
    ({ scope, used, expires_at }) => scope === 'run' && !used && Date.parse(expires_at) >= now,
  );
  return countPeople(open.map(agreeingInLog)) >= (run.prepared.approvers?.min ?? 1);
}

/** How far a run is. @param now milliseconds since 1970, by which what nobody has begun expires */
export function runStatus(run: Run, now: number): RunStatus {
  if (run.ended !== null) return run.ended.outcome;
  if (run.waiting.length > 0) return 'waiting';
  if (run.running) return 'running';
  if (run.executor !== null) return 'interrupted';
  if (Date.parse(run.prepared.expires_at) < now) return 'expired';
  return isApproved(run, now) ? 'approved' : 'prepared';
}
