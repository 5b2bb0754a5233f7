import type { WorkerOptions } from '../../operations/front-end.js';
import { text } from './planning-options.js';
import { workerOptions } from './worker-options.js';

/** Who changes which plan, and why, from the options of the commands that edit. */
export function changeOptions(
  options: Readonly<Record<string, unknown>>,
): WorkerOptions & { readonly because?: string | undefined } {
  return { ...workerOptions(options), because: text(options.because) };
}
