import { LaterError, UnfilledError } from '../../actions/tools/template.js';
import type { TemplateValues } from '../../actions/tools/template.js';
import type { KnownCall } from '../model/tool.js';
import { RefusedCall } from './outcomes.js';

/** A key as calls have it; which one it is decides nothing that is known before. */
const ANY_KEY = '0'.repeat(32);

/** What templates are filled from before a call: secrets and some arguments are known only when it is made. */
export function knownValues({ args, later, wait }: KnownCall): TemplateValues {
  return {
    args,
    later,
    secret: () => {
      throw new LaterError();
    },
    call: { key: ANY_KEY, attempt: ANY_KEY, wait },
  };
}

/**
 * Does parts of what a call does with its arguments before anything is sent.
 * @returns why the first of them refuses; null when none does. What is known only later is passed over
 */
export function knownProblem(parts: readonly (() => unknown)[]): string | null {
  for (const part of parts) {
    try {
      part();
    } catch (thrown) {
      if (thrown instanceof LaterError) continue;
      if (thrown instanceof UnfilledError || thrown instanceof RefusedCall) return thrown.message;
      throw thrown;
    }
  }
  return null;
}
