import type { Capabilities } from './capabilities.js';

/** What happens while a model is asked, for progress and logs. Holds no key and no prompt. */
export type ModelEvent =
  | {
      readonly kind: 'retry';
      readonly model: string;
      /** Faults of this request so far. */
      readonly failures: number;
      readonly wait_ms: number;
      readonly reason: string;
    }
  | {
      readonly kind: 'throttled';
      readonly model: string;
      readonly concurrency: number;
      readonly wait_ms: number;
    }
  | {
      readonly kind: 'learnt';
      readonly model: string;
      readonly capabilities: Capabilities;
      readonly reason: string;
    }
  | { readonly kind: 'fallback'; readonly from: string; readonly to: string; readonly reason: string };
