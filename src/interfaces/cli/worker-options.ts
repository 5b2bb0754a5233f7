import type { WorkerOptions } from '../../operations/front-end.js';
import { text } from './planning-options.js';

/** Who works on which plan, from the options of the commands that work on goals. */
export function workerOptions(options: Readonly<Record<string, unknown>>): WorkerOptions {
  return { plan: text(options.plan), by: text(options.by) };
}

/** An option that may be given several times. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
