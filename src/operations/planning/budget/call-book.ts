import type { Caller } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';

/** Where calls are entered before they are made. */
export interface CallBook {
  /** The log of the plan; null as long as there is none. */
  log: PlanLog | null;
  /** Who makes them, asked for at each. */
  readonly caller: () => Promise<Caller>;
  readonly newId: () => string;
}
