import type {
  ActionPlan,
  ActionStep,
  ContextRequest,
  Foreach,
  OnError,
  Retry,
} from '../model/action-plan.js';
import { present, unlessEmpty } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { riskOf } from '../model/risk.js';
import { OBSIDIAN_CONTEXT_KINDS, OBSIDIAN_OUTPUTS } from './obsidian-words.js';

/** The version of Obsidian's form that is written. */
const VERSION = '1.0';
const MOST_ATTEMPTS = 10;
const LONGEST_DELAY = 600_000;
const OUTPUTS: ReadonlySet<string> = new Set(OBSIDIAN_OUTPUTS);

/** Writes a plan as Obsidian's schema has it; what that has no word for is left out. */
export function writeObsidian(plan: ActionPlan): JsonObject {
  const hints = present({ title: filled(plan.title), summary: filled(plan.description) });
  return present({
    version: VERSION,
    goal: filled(plan.goal) ?? filled(plan.title) ?? filled(plan.description) ?? 'Carry out the steps',
    assumptions: unlessEmpty(plan.assumptions?.filter((text) => text !== '')),
    riskLevel: plan.risk ?? riskOf(plan),
    contextRequests: unlessEmpty(plan.context_requests?.flatMap(writeRequest)),
    defaults: writeDefaults(plan.defaults),
    steps: plan.steps.map(writeStep),
    outputs: writeOutputs(plan.outputs),
    uiHints: Object.keys(hints).length === 0 ? undefined : hints,
  });
}

function writeStep(step: ActionStep): JsonValue {
  return present({
    id: step.id,
    tool: step.tool,
    args: step.args,
    preview: filled(step.title),
    dependsOn: unlessEmpty(step.depends_on && [...new Set(step.depends_on)]),
    foreach: step.foreach && writeForeach(step.foreach),
    captureAs:
      step.capture_as !== undefined && /^[A-Za-z][\w.-]*$/.test(step.capture_as)
        ? step.capture_as
        : undefined,
    onError: step.on_error && writeOnError(step.on_error),
    retry: step.retry && writeRetry(step.retry),
    timeoutMs: step.timeout_ms === undefined || step.timeout_ms < 1 ? undefined : step.timeout_ms,
    tags: unlessEmpty(step.tags?.filter((tag) => tag !== '')),
  });
}

function writeForeach({ from, item_name, index_name, concurrency }: Foreach): JsonObject {
  return present({ from, itemName: item_name, indexName: index_name, concurrency });
}

function writeOnError({ strategy }: OnError): string | undefined {
  return strategy === 'stop' || strategy === 'skip' || strategy === 'retry' ? strategy : undefined;
}

function writeRetry({ max_attempts, initial_delay_ms }: Retry): JsonObject {
  return present({
    maxAttempts: Math.min(MOST_ATTEMPTS, Math.max(1, max_attempts)),
    backoffMs: initial_delay_ms === undefined ? undefined : Math.min(LONGEST_DELAY, initial_delay_ms),
  });
}

function writeDefaults(defaults: ActionPlan['defaults']): JsonObject | undefined {
  const written = present({
    onError: defaults?.on_error && writeOnError(defaults.on_error),
    retry: defaults?.retry && writeRetry(defaults.retry),
  });
  return Object.keys(written).length === 0 ? undefined : written;
}

function writeRequest({ kind, options }: ContextRequest): readonly JsonObject[] {
  return OBSIDIAN_CONTEXT_KINDS.has(kind) ? [present({ kind, options })] : [];
}

function writeOutputs(outputs: JsonObject | undefined): JsonObject | undefined {
  const known = Object.entries(outputs ?? {}).filter(
    ([key, value]) => OUTPUTS.has(key) && typeof value === 'boolean',
  );
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The schema refuses empty texts. */
function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
