import type { Documents } from './documents.js';
import type { Maintenance } from './maintenance.js';
import type { PlanStore, Stamp, StoreWarning } from './plan-store.js';

/** A store that is open, whatever keeps it. Nothing is read, or connected to, before something is asked. */
export interface OpenedStore {
  /** `files`, `memory`, or the name by which a feature brings it. */
  readonly kind: string;
  /** The folder of the store, in which its config is; null where there is none. */
  readonly folder: string | null;
  readonly stamp: Stamp;
  /** The same object for every change of a workspace, by which what lives as long as that is found. */
  readonly workspace: object;
  /** @throws PlanError INVALID_INPUT for a folder of other files, INVALID_CONFIG */
  plans(): Promise<PlanStore>;
  documents(): Promise<Documents>;
  /** @throws PlanError as `plans` */
  maintenance(): Promise<Maintenance>;
  /** Ends its connections; it opens others when it needs one. */
  close(): Promise<void>;
}

/** What a store that a feature brings is opened with. */
export interface StoreOpening extends Pick<OpenedStore, 'folder' | 'stamp' | 'workspace'> {
  /** Where it is, as the user alone says; undefined where he does not. */
  readonly url: () => Promise<string | undefined>;
  /** The documents in the folder of the store. */
  readonly documents: () => Promise<Documents>;
  /** Now, in milliseconds since 1970, by the clock of this machine. */
  readonly now: () => number;
  /** Is told where the time of the store is found, in milliseconds since 1970; null before it was asked anything. */
  readonly noteClock: (now: () => number | null) => void;
  /** Told what failed after a change was stored. */
  readonly warn: (warning: StoreWarning) => void;
}

/** Opens a store of a kind. */
export type OpenStore = (this: void, opening: StoreOpening) => OpenedStore;
