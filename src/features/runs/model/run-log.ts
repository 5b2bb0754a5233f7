import type { JsonValue } from '../../../kernel/json/json-value.js';
import type { RunEvent, RunPayload } from './run-events.js';
import type { RunRefusal } from './run-refusals.js';
import type { Run } from './run.js';

/** What became of an event that was appended. */
export interface RunAppend {
  readonly event: RunEvent;
  /** Why it changed nothing; null when it was accepted. */
  readonly refused: RunRefusal | null;
}

/** A part of the log of a run that could not be read. */
export interface RunDamage {
  readonly kind: string;
  /** Where it is, for messages: `byte 120` of a file, `event 3` of a database. */
  readonly place: string;
  readonly offset: number;
  readonly reason: string;
}

/** One run that is open: its state as far as it was read, and the way to change it. */
export interface RunLog {
  readonly run: Run;

  /** What in the log could not be read. While there is any but a torn line, the run is not gone on with. */
  readonly damage: readonly RunDamage[];

  /**
   * Writes events and reads up to them. When the promise resolves they are durable, and `run` holds them and whatever
   * others wrote before. Calls that come while a write is under way are written together, in their order.
   * @throws PlanError E_PLAN_NOT_FOUND when the run is gone, STORAGE_FAILED: then none of them is acknowledged
   */
  append(payloads: readonly RunPayload[]): Promise<readonly RunAppend[]>;

  /** Reads what others have written since. @throws PlanError E_PLAN_NOT_FOUND when the run is gone, STORAGE_FAILED */
  refresh(): Promise<Run>;

  /** The events in their order, accepted or not. */
  events(): Promise<readonly RunEvent[]>;

  /** The output that an event has, read again. @throws PlanError STORAGE_FAILED, STORE_DAMAGED where it is gone */
  output(event: string): Promise<JsonValue>;

  /**
   * Keeps a value in the folder of the run; durable when the promise resolves.
   * @returns the SHA-256 of its JSON, by which it is found again
   * @throws PlanError STORAGE_FAILED
   */
  keep(value: JsonValue): Promise<string>;

  /**
   * The same for the content of a file that is about to be overwritten, which may be nobody else's to read.
   * @returns the SHA-256 of its bytes
   */
  keepBytes(content: Buffer): Promise<string>;

  /** A value that was kept. @throws PlanError STORAGE_FAILED, STORE_DAMAGED where it is not what was kept */
  read(sha256: string): Promise<JsonValue>;

  /** The folder for files of the run, where the store has one; it need not be there yet. */
  readonly folder: string | null;
}
