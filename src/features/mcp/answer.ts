import { messageOf, PlanError } from '../../kernel/errors.js';
import { printable } from '../../kernel/text/safe-text.js';
import { asPlanError } from '../../operations/shared/system-error.js';
import { inTools } from './in-tools.js';
import type { ToolAnswer } from './tool.js';

/** An answer on the wire. */
export interface WireAnswer {
  readonly [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * An answer of a tool. A document stands there twice, word for word, for hosts show a model only one of the two; a text stands
 * there alone.
 */
export function wireAnswer(answer: ToolAnswer): WireAnswer {
  if ('text' in answer) return { content: [{ type: 'text', text: printable(answer.text) }] };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer.document) }],
    structuredContent: { ...answer.document },
    ...(answer.isError === true ? { isError: true } : {}),
  };
}

/** The answer to a tool call that failed: what went wrong, with the code of the command and what to do next. */
export function errorAnswer(thrown: unknown): WireAnswer {
  const { code, message, hintParts: hint } = errorOf(thrown);
  const error = { code, message, ...(hint === undefined ? {} : { hint: inTools(hint) }) };
  return {
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    isError: true,
  };
}

function errorOf(thrown: unknown): PlanError {
  const isAbort = thrown instanceof Error && thrown.name === 'AbortError';
  if (isAbort && !(thrown instanceof PlanError)) return new PlanError('INTERRUPTED', thrown.message);
  return asPlanError(thrown, `something went wrong inside frctl: ${messageOf(thrown)}`);
}
