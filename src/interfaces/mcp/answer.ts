import { PlanError } from '../../kernel/errors.js';
import { printable } from '../../kernel/text/safe-text.js';
import { refusedBySystem } from '../../operations/shared/system-error.js';
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
  };
}

/** The answer to a tool call that failed: what went wrong, with the code of the command and what to do next. */
export function wireError(thrown: unknown): WireAnswer {
  const { code, message, hint } = asPlanError(thrown);
  const error = { code, message, ...(hint === undefined ? {} : { hint: inTools(hint) }) };
  return {
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    isError: true,
  };
}

function asPlanError(thrown: unknown): PlanError {
  if (thrown instanceof PlanError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Error && thrown.name === 'AbortError') return new PlanError('INTERRUPTED', message);
  return (
    refusedBySystem(thrown) ?? new PlanError('INTERNAL', `something went wrong inside frctl: ${message}`)
  );
}
