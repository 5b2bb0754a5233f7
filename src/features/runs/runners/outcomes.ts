import { UnfilledError } from '../../actions/tools/template.js';
import { jsonDocumentValue } from '../../../kernel/json/json-document.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import type { Outcome, ToolFailure } from '../model/tool.js';
import { MOST_ERROR } from './limits.js';
import type { Secrets } from './secrets.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';

/** Nothing was done, and nothing can have happened. */
export function notSentOutcome(code: string, message: string, retryable = false): Outcome {
  return { outcome: 'not_sent', error: toolFailure(code, message, retryable) };
}

/** Nobody knows what happened: the time is up. */
export function timedOutOutcome(timeoutMs: number, what: string): Outcome {
  return {
    outcome: 'timed_out',
    error: toolFailure('TIMEOUT', `${what} took longer than ${timeoutMs} ms`, true),
  };
}

/** Nobody knows what happened. */
export function lostOutcome(code: string, message: string): Outcome {
  return { outcome: 'lost', error: toolFailure(code, message, true) };
}

/** Statuses below 500 after which the same request may succeed. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** A server has answered with a status that says no. @param message has the status */
export function statusFailure(status: number, message: string): ToolFailure {
  return toolFailure('HTTP_STATUS', message, status >= 500 || RETRYABLE.has(status));
}

/** Why an attempt did not succeed. */
export function toolFailure(code: string, message: string, retryable: boolean): ToolFailure {
  return { code, message, retryable };
}

/** Why a call was refused before anything happened; thrown within a runner, and told as an outcome. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The outcome of a call whose text is JSON, which is the output itself; what brought structure is as it is. */
export function withValueAlone(outcome: Outcome, what: string): Outcome {
  if (outcome.outcome !== 'succeeded' || !isTextAlone(outcome.output)) return outcome;
  const value = jsonDocumentValue(outcome.output.text);
  if (value !== undefined) return { ...outcome, output: value };
  const error = toolFailure('OUTPUT_INVALID', `${what} answered no JSON`, false);
  return { ...outcome, outcome: 'failed', error };
}

function isTextAlone(output: JsonValue): output is { readonly text: string } {
  return isJsonObject(output) && typeof output.text === 'string' && Object.keys(output).length === 1;
}

/** The outcome of a call, without the secrets that it read; what it throws before anything is sent is `not_sent`. */
export async function concluded(secrets: Secrets, call: () => Promise<Outcome>): Promise<Outcome> {
  return withoutSecrets(await call().catch(refusedOutcome), secrets);
}

function refusedOutcome(thrown: unknown): Outcome {
  if (thrown instanceof UnfilledError) return notSentOutcome('VALIDATION_ERROR', thrown.message);
  if (thrown instanceof RefusedCall) return notSentOutcome(thrown.code, thrown.message);
  throw thrown;
}

function withoutSecrets(outcome: Outcome, secrets: Secrets): Outcome {
  if (outcome.outcome === 'succeeded') return { ...outcome, output: secrets.blot(outcome.output) };
  const error = { ...outcome.error, message: shortened(secrets.blotText(outcome.error.message)) };
  return outcome.outcome === 'failed' && outcome.output !== undefined
    ? { ...outcome, error, output: secrets.blot(outcome.output) }
    : { ...outcome, error };
}

/** Only after the secrets are gone: the beginning of one would not be known. */
function shortened(message: string): string {
  return wellFormed(message.length > MOST_ERROR ? `${message.slice(0, MOST_ERROR)}…` : message);
}
