import { oneLine, printable } from '../kernel/text/safe-text.js';
import type { ActionPlan, ActionStep, Check, OnError, Retry } from './action-plan.js';
import { isJsonValue } from '../kernel/json/json-value.js';
import type { JsonObject } from '../kernel/json/json-value.js';
import { textOfJson } from '../kernel/json/json-text.js';
import { redactedMembers, redactedText, secretTexts, withoutSecrets } from './redact.js';
import { truncate } from '../kernel/text/truncate.js';

/** How much of a plan is shown: numbers and status alone, the usual, or whole arguments. */
export type PreviewDetail = 'quiet' | 'normal' | 'verbose';

/** The state of whatever was not carried out yet. */
const PENDING = '[PENDING]';
/** Characters of arguments on one line. */
const LONGEST_LINE = 100;
const INDENT = '  ';

/**
 * What a person sees of a plan before it runs: the plan, its preconditions, its steps with status, verification and what
 * becomes of them when they fail; fallbacks and nested plans below their step. Secrets are left out, and nothing in
 * it can drive a terminal.
 */
export function previewText(plan: ActionPlan, detail: PreviewDetail = 'normal'): string {
  const lines = detail === 'quiet' ? quietLines(plan.steps, '') : planLines(plan, detail === 'verbose');
  const text = `${lines.join('\n')}\n`;
  // What is a secret by its key or its field may be said again in a title.
  return isJsonValue(plan) ? withoutSecrets(text, secretTexts(plan).map(oneLine)) : text;
}

function quietLines(steps: readonly ActionStep[], prefix: string): readonly string[] {
  return steps.flatMap((step, index) => {
    const number = `${prefix}${index + 1}`;
    const inner = step.plan === undefined ? [] : quietLines(step.plan.steps, `${number}.`);
    return [`${number}. ${PENDING}`, ...inner];
  });
}

function planLines(plan: ActionPlan, verbose: boolean): readonly string[] {
  return [
    `Plan: ${shown(plan.title ?? plan.goal ?? plan.id ?? 'untitled')}`,
    ...indented([
      ...field('ID', plan.id),
      `Steps: ${plan.steps.length}`,
      ...field('Goal', plan.goal === plan.title ? undefined : plan.goal),
      ...field('Description', plan.description),
      ...field('Workspace', plan.workspace),
      ...field('Risk', plan.risk),
      ...(verbose ? listed('Assumptions', plan.assumptions) : []),
      ...(verbose ? listed('Rationale', plan.rationale) : []),
      ...listed('Risks', plan.risks),
      ...(verbose ? dataLines('Context', plan.context) : []),
      ...(plan.preconditions === undefined ? [] : ['']),
      ...preconditionLines(plan.preconditions),
      '',
      'Steps:',
      ...indented(stepLines(plan.steps, '', verbose)),
      '',
      `On Failure: ${defaultsLine(plan)}`,
      ...fallbackLines(plan.defaults?.on_error, '', verbose),
    ]),
  ];
}

function defaultsLine({ defaults }: ActionPlan): string {
  const retry = defaults?.retry === undefined ? [] : [retryText(defaults.retry)];
  return [onErrorText(defaults?.on_error ?? { strategy: 'stop' }), ...retry].join('; ');
}

function stepLines(steps: readonly ActionStep[], prefix: string, verbose: boolean): readonly string[] {
  return steps.flatMap((step, index) => {
    const number = `${prefix}${index + 1}`;
    const below = [...stepFields(step, verbose), ...partsOf(step, number, verbose)];
    const gap = verbose && index > 0 ? [''] : [];
    return [...gap, `${number}. ${PENDING} ${shown(step.title ?? step.tool)}`, ...indented(below, '   ')];
  });
}

function stepFields(step: ActionStep, verbose: boolean): readonly string[] {
  const { foreach, verifications = [], on_error: onError, retry } = step;
  const args = verbose ? '' : argumentsText(step.args);
  return [
    ...(verbose ? field('ID', step.id) : []),
    ...field('Detail', verbose ? step.detail : undefined),
    `Action: ${shown(step.tool)}${args}`,
    ...(verbose ? dataLines('Arguments', step.args) : []),
    ...field('After', step.depends_on?.join(', ')),
    ...(foreach === undefined ? [] : [foreachText(foreach)]),
    ...field('Output as', verbose ? step.capture_as : undefined),
    ...preconditionLines(step.preconditions),
    ...verifications.map((check) => `Verification: ${checkText(check)}`),
    ...field('Waits for', step.wait === 'none' ? undefined : step.wait?.replace('_', ' ')),
    ...(step.timeout_ms === undefined ? [] : [`Timeout: ${step.timeout_ms}ms`]),
    ...(step.requires_approval === true ? ['Approval: a person must agree'] : []),
    ...(verbose && step.idempotent !== undefined ? [`Idempotent: ${step.idempotent ? 'yes' : 'no'}`] : []),
    ...(retry === undefined ? [] : [`Retry: ${retryText(retry)}`]),
    ...(onError === undefined ? [] : [`On failure: ${onErrorText(onError)}`]),
  ];
}

/** What is drawn below a step: the steps of its fallback, and the plan that it is. */
function partsOf(
  { on_error: onError, plan }: ActionStep,
  number: string,
  verbose: boolean,
): readonly string[] {
  const nested =
    plan === undefined
      ? []
      : [
          `Nested plan: ${shown(plan.title ?? plan.goal ?? plan.id ?? 'untitled')}`,
          ...indented([
            ...preconditionLines(plan.preconditions),
            ...stepLines(plan.steps, `${number}.`, verbose),
            ...(plan.defaults?.on_error === undefined
              ? []
              : [`On failure: ${onErrorText(plan.defaults.on_error)}`]),
          ]),
        ];
  return [...fallbackLines(onError, number, verbose), ...nested];
}

function fallbackLines(onError: OnError | undefined, number: string, verbose: boolean): readonly string[] {
  return onError?.strategy === 'fallback' ? indented(stepLines(onError.steps, `${number}f`, verbose)) : [];
}

function preconditionLines(checks: readonly Check[] = []): readonly string[] {
  if (checks.length === 0) return [];
  return ['Preconditions:', ...indented(checks.map((check) => `${PENDING} ${checkText(check)}`))];
}

function checkText({ type, args, description, timeout_ms }: Check): string {
  const name = shown(type.replace(/^(?:wa|soul):/, ''));
  const what = `${name}${argumentsText(args)}`;
  const limit = timeout_ms === undefined ? '' : ` within ${timeout_ms}ms`;
  return description === undefined ? `${what}${limit}` : `${shown(description)} (${what})${limit}`;
}

function onErrorText(onError: OnError): string {
  switch (onError.strategy) {
    case 'stop':
      return onError.message === undefined ? 'abort' : `abort: ${shown(onError.message)}`;
    case 'skip':
      return onError.warn === true ? 'skip, with a warning' : 'skip';
    case 'retry':
      return 'retry, then abort';
    case 'fallback':
      return `fall back to ${onError.steps.length} ${onError.steps.length === 1 ? 'step' : 'steps'}`;
    case 'approval':
      return `ask a person: ${shown(onError.summary)}`;
  }
}

function retryText({ max_attempts, initial_delay_ms, max_delay_ms, multiplier, jitter }: Retry): string {
  return [
    `${max_attempts} ${max_attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(initial_delay_ms === undefined ? [] : [`first after ${initial_delay_ms}ms`]),
    ...(multiplier === undefined ? [] : [`each wait ${multiplier} times as long`]),
    ...(max_delay_ms === undefined ? [] : [`at most ${max_delay_ms}ms`]),
    ...(jitter === undefined ? [] : [jitter ? 'with jitter' : 'without jitter']),
  ].join(', ');
}

function foreachText({
  from,
  item_name,
  index_name,
  concurrency,
}: NonNullable<ActionStep['foreach']>): string {
  const index = index_name === undefined ? '' : ` with ${shown(index_name)}`;
  const most = concurrency === undefined ? '' : `, ${concurrency} at once`;
  return `For each: ${shown(item_name)}${index} in ${shown(from)}${most}`;
}

/** Arguments on one line: ` pane_id 0, text "/compact"`. */
function argumentsText(args: JsonObject): string {
  const parts = Object.entries(redactedMembers(args)).map(([name, value]) => `${name} ${textOfJson(value)}`);
  if (parts.length === 0) return '';
  return ` ${truncate(oneLine(parts.join(', ')), LONGEST_LINE)}`;
}

function dataLines(name: string, data: JsonObject | undefined): readonly string[] {
  if (data === undefined || Object.keys(data).length === 0) return [];
  return [`${name}:`, ...indented(printable(textOfJson(redactedMembers(data), '  ')).split('\n'))];
}

function field(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [`${name}: ${shown(value)}`];
}

function listed(name: string, texts: readonly string[] = []): readonly string[] {
  return texts.length === 0 ? [] : [`${name}:`, ...texts.map((text) => `${INDENT}- ${shown(text)}`)];
}

function shown(text: string): string {
  return oneLine(redactedText(text));
}

function indented(lines: readonly string[], by = INDENT): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `${by}${line}`));
}
