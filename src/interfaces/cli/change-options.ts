import type { ChangeOptions } from '../../operations/front-end.js';
import { text } from './planning-options.js';
import { texts, workerOptions } from './worker-options.js';

/** Who changes which plan, and why, from the options of the commands that edit. */
export function changeOptions(options: Readonly<Record<string, unknown>>): ChangeOptions {
  return { ...workerOptions(options), because: text(options.because) };
}

/** Where a goal is to stand. */
export function placeOptions({ under, before, after, at }: Readonly<Record<string, unknown>>) {
  return {
    under: text(under),
    before: text(before),
    after: text(after),
    at: typeof at === 'number' ? at : undefined,
  };
}

/** An option that may be given several times; undefined when it was not given at all. */
export function optionalTexts(value: unknown): readonly string[] | undefined {
  return value === undefined ? undefined : texts(value);
}
