import type { AgentConfig } from '../../../operations/settings/work-config.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';

/** What an agent's output says besides its words. */
export interface AgentReport {
  readonly isError: boolean;
  readonly said: string | null;
  readonly cost_usd: number | null;
  readonly session: string | null;
}

const NOTHING: AgentReport = { isError: false, said: null, cost_usd: null, session: null };

/** Reads what an agent printed. What is not of its form says nothing. */
export function readAgentOutput(text: string, form: AgentConfig['output'] = 'text'): AgentReport {
  if (form === 'text') return NOTHING;
  // Gemini prints a line before an error.
  const documents =
    form === 'gemini' ? [parsed(text.slice(Math.max(0, text.indexOf('{'))))] : text.split('\n').map(parsed);
  return documents.reduce(
    (report: AgentReport, one) => (one === null ? report : readOne(report, one)),
    NOTHING,
  );
}

function readOne(report: AgentReport, one: JsonObject): AgentReport {
  const { type, is_error: isError, total_cost_usd: cost, session_id: session, thread_id: thread } = one;
  const isEnd =
    type === 'result' || type === 'error' || type === 'turn.failed' || 'response' in one || 'error' in one;
  const why = isJsonObject(one.error) ? one.error.message : undefined;
  const said = [one.result, one.response, one.message, why].find((text) => typeof text === 'string');
  return {
    isError: report.isError || isError === true || type === 'turn.failed' || isJsonObject(one.error),
    said: isEnd && typeof said === 'string' ? said : report.said,
    cost_usd: typeof cost === 'number' && cost >= 0 ? cost : report.cost_usd,
    session: [session, thread].find((text) => typeof text === 'string')?.slice(0, 200) ?? report.session,
  };
}

function parsed(text: string): JsonObject | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
