import { foldLines } from '../../../kernel/text/fold-lines.js';
import { legible, legibleJson, legibleLine, widestColumns } from '../../../kernel/text/legible.js';
import type { ActionPlan, ActionStep, Check, OnError, Retry } from './action-plan.js';
import { isJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { redactedMembers, redactedText, secretTexts, withoutSecrets } from './redact.js';
import { truncate } from '../../../kernel/text/truncate.js';

/**
 * How much of a plan is shown: numbers and status alone, the usual, all of it, or all that decides what runs, for whoever
 * is to agree to it.
 */
export type PreviewDetail = 'quiet' | 'normal' | 'verbose' | 'whole';

/** The state of whatever was not carried out yet. */
const PENDING = '[PENDING]';
/** Characters of arguments on one line. */
const LONGEST_LINE = 100;
/** Columns of a call with its arguments behind it, where those are shown whole. */
const SHORT_LINE = 68;
/** A name of an argument that could be taken for nothing else: the names of lines begin with a capital. */
const WORD = /^[a-z_$][\w.$-]*$/;
/** Columns of what is shown whole: no terminal that is as wide breaks a line of it. */
const COLUMNS = 78;
const INDENT = '  ';

/**
 * What a person sees of a plan before it runs: the plan, its preconditions, its steps with status, verification and what
 * becomes of them when they fail; fallbacks and nested plans below their step. Nothing in it can drive a terminal. Secrets
 * are left out, but not of what a person is to agree to: what is not shown runs all the same.
 */
export function previewText(plan: ActionPlan, detail: PreviewDetail = 'normal'): string {
  const lines = detail === 'quiet' ? quietLines(plan.steps, '') : planLines(plan, detail);
  const text = `${lines.join('\n')}\n`;
  if (detail === 'whole') return foldLines(text.split('\n'), COLUMNS).join('\n');
  // What is a secret by its key or its field may be said again in a title.
  const shownText = isJsonValue(plan) ? withoutSecrets(text, formsOf(secretTexts(plan))) : text;
  return foldLines(shownText.split('\n'), Infinity).join('\n');
}

/** Secrets as they stand in a preview; on lines of JSON escaped. */
function formsOf(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((one) => [legible(one), legibleJson(textOfJson(one)).slice(1, -1)]);
}

function quietLines(steps: readonly ActionStep[], prefix: string): readonly string[] {
  return steps.flatMap((step, index) => {
    const number = `${prefix}${index + 1}`;
    const inner = step.plan === undefined ? [] : quietLines(step.plan.steps, `${number}.`);
    return [`${number}. ${PENDING}`, ...inner];
  });
}

type Shown = Exclude<PreviewDetail, 'quiet'>;

function planLines(plan: ActionPlan, detail: Shown): readonly string[] {
  const verbose = detail === 'verbose';
  return [
    `Plan: ${shown(plan.title ?? plan.goal ?? plan.id ?? 'untitled', detail)}`,
    ...indented([
      ...field('ID', plan.id, detail),
      `Steps: ${plan.steps.length}`,
      ...field('Goal', plan.goal === plan.title ? undefined : plan.goal, detail),
      ...field('Description', plan.description, detail),
      ...field('Workspace', plan.workspace, detail),
      ...field('Risk', plan.risk, detail),
      ...(verbose ? listed('Assumptions', plan.assumptions, detail) : []),
      ...(verbose ? listed('Rationale', plan.rationale, detail) : []),
      ...listed('Risks', plan.risks, detail),
      ...(detail === 'normal' ? [] : dataLines('Context', plan.context, detail)),
      ...(plan.preconditions === undefined ? [] : ['']),
      ...preconditionLines(plan.preconditions, detail),
      '',
      'Steps:',
      ...indented(stepLines(plan.steps, '', detail)),
      '',
      `On Failure: ${defaultsLine(plan, detail)}`,
      ...fallbackLines(plan.defaults?.on_error, '', detail),
    ]),
  ];
}

function defaultsLine({ defaults }: ActionPlan, detail: Shown): string {
  const retry = defaults?.retry === undefined ? [] : [retryText(defaults.retry)];
  return [onErrorText(defaults?.on_error ?? { strategy: 'stop' }, detail), ...retry].join('; ');
}

function stepLines(steps: readonly ActionStep[], prefix: string, detail: Shown): readonly string[] {
  return steps.flatMap((step, index) => {
    const number = `${prefix}${index + 1}`;
    const below = [...stepFields(step, detail), ...partsOf(step, number, detail)];
    const gap = detail === 'verbose' && index > 0 ? [''] : [];
    return [
      ...gap,
      `${number}. ${PENDING} ${shown(step.title ?? step.tool, detail)}`,
      ...indented(below, '   '),
    ];
  });
}

function stepFields(step: ActionStep, detail: Shown): readonly string[] {
  const { foreach, verifications = [], on_error: onError, retry } = step;
  const verbose = detail === 'verbose';
  return [
    ...(verbose ? field('ID', step.id, detail) : []),
    ...field('Detail', verbose ? step.detail : undefined, detail),
    ...(verbose
      ? [`Action: ${shown(step.tool, detail)}`, ...dataLines('Arguments', step.args, detail)]
      : callLines(`Action: ${shown(step.tool, detail)}`, step.args, detail)),
    ...field('After', step.depends_on?.join(', '), detail),
    ...(foreach === undefined ? [] : [foreachText(foreach, detail)]),
    ...field('Output as', detail === 'normal' ? undefined : step.capture_as, detail),
    ...preconditionLines(step.preconditions, detail),
    ...verifications.flatMap((check) => checkLines('Verification: ', check, detail)),
    ...field('Waits for', step.wait === 'none' ? undefined : step.wait?.replace('_', ' '), detail),
    ...(step.timeout_ms === undefined ? [] : [`Timeout: ${step.timeout_ms}ms`]),
    ...(step.requires_approval === true ? ['Approval: a person must agree'] : []),
    ...(detail !== 'normal' && step.idempotent !== undefined
      ? [`Idempotent: ${step.idempotent ? 'yes' : 'no'}`]
      : []),
    ...(retry === undefined ? [] : [`Retry: ${retryText(retry)}`]),
    ...(onError === undefined ? [] : [`On failure: ${onErrorText(onError, detail)}`]),
  ];
}

/** What is drawn below a step: the steps of its fallback, and the plan that it is. */
function partsOf({ on_error: onError, plan }: ActionStep, number: string, detail: Shown): readonly string[] {
  const nested =
    plan === undefined
      ? []
      : [
          `Nested plan: ${shown(plan.title ?? plan.goal ?? plan.id ?? 'untitled', detail)}`,
          ...indented([
            ...(detail === 'whole' ? dataLines('Context', plan.context, detail) : []),
            ...preconditionLines(plan.preconditions, detail),
            ...stepLines(plan.steps, `${number}.`, detail),
            ...(plan.defaults?.on_error === undefined
              ? []
              : [`On failure: ${onErrorText(plan.defaults.on_error, detail)}`]),
          ]),
        ];
  return [...fallbackLines(onError, number, detail), ...nested];
}

function fallbackLines(onError: OnError | undefined, number: string, detail: Shown): readonly string[] {
  return onError?.strategy === 'fallback' ? indented(stepLines(onError.steps, `${number}f`, detail)) : [];
}

function preconditionLines(checks: readonly Check[] = [], detail: Shown): readonly string[] {
  if (checks.length === 0) return [];
  return ['Preconditions:', ...indented(checks.flatMap((check) => checkLines(`${PENDING} `, check, detail)))];
}

function checkLines(
  lead: string,
  { type, args, description, timeout_ms }: Check,
  detail: Shown,
): readonly string[] {
  const name = shown(type.replace(/^(?:wa|soul):/, ''), detail);
  const limit = timeout_ms === undefined ? '' : ` within ${timeout_ms}ms`;
  if (detail !== 'whole' || isShort(name, args)) {
    const what = `${name}${argumentsText(args, detail)}`;
    return [
      lead +
        (description === undefined ? `${what}${limit}` : `${shown(description, detail)} (${what})${limit}`),
    ];
  }
  const what = description === undefined ? name : `${shown(description, detail)} (${name})`;
  return [`${lead}${what}${limit}`, ...argumentLines(args)];
}

function onErrorText(onError: OnError, detail: Shown): string {
  switch (onError.strategy) {
    case 'stop':
      return onError.message === undefined ? 'abort' : `abort: ${shown(onError.message, detail)}`;
    case 'skip':
      return onError.warn === true ? 'skip, with a warning' : 'skip';
    case 'retry':
      return 'retry, then abort';
    case 'fallback':
      return `fall back to ${onError.steps.length} ${onError.steps.length === 1 ? 'step' : 'steps'}`;
    case 'approval':
      return `ask a person: ${shown(onError.summary, detail)}`;
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

function foreachText(
  { from, item_name, index_name, concurrency }: NonNullable<ActionStep['foreach']>,
  detail: Shown,
): string {
  const index = index_name === undefined ? '' : ` with ${shown(index_name, detail)}`;
  const most = concurrency === undefined ? '' : `, ${concurrency} at once`;
  return `For each: ${shown(item_name, detail)}${index} in ${shown(from, detail)}${most}`;
}

/** What is called, with its arguments behind it; those that are shown whole and are long stand below it. */
function callLines(call: string, args: JsonObject, detail: Shown): readonly string[] {
  return detail === 'whole' && !isShort(call, args)
    ? [call, ...argumentLines(args)]
    : [`${call}${argumentsText(args, detail)}`];
}

/** Whether arguments can stand whole on the line of what is called, and are told apart there. */
function isShort(call: string, args: JsonObject): boolean {
  const text = `${call} ${partsOfArguments(args).join(', ')}`;
  const isWhole = widestColumns(text) <= SHORT_LINE && legibleLine(text) === text;
  return isWhole && Object.keys(args).every((name) => WORD.test(name));
}

/** Arguments on one line: ` pane_id 0, text "/compact"`. */
function argumentsText(args: JsonObject, detail: Shown): string {
  const parts = partsOfArguments(detail === 'whole' ? args : redactedMembers(args));
  return parts.length === 0 ? '' : ` ${truncate(legibleLine(parts.join(', ')), LONGEST_LINE)}`;
}

function partsOfArguments(args: JsonObject): readonly string[] {
  return Object.entries(args).map(([name, value]) => `${nameOf(name)} ${textOfJson(value)}`);
}

/** Arguments a line each, with all that they hold. */
function argumentLines(args: JsonObject): readonly string[] {
  return indented(
    Object.entries(args).map(([name, value]) => `${nameOf(name)}: ${legibleJson(textOfJson(value))}`),
  );
}

/** A name that is no word could be taken for a value and another name. */
function nameOf(name: string): string {
  return WORD.test(name) ? name : legibleJson(textOfJson(name));
}

function dataLines(name: string, data: JsonObject | undefined, detail: Shown): readonly string[] {
  if (data === undefined || Object.keys(data).length === 0) return [];
  if (detail === 'whole') return [`${name}:`, ...argumentLines(data)];
  return [`${name}:`, ...indented(legibleJson(textOfJson(redactedMembers(data), '  ')).split('\n'))];
}

function field(name: string, value: string | undefined, detail: Shown): readonly string[] {
  return value === undefined || value === '' ? [] : [`${name}: ${shown(value, detail)}`];
}

function listed(name: string, texts: readonly string[] = [], detail: Shown): readonly string[] {
  return texts.length === 0 ? [] : [`${name}:`, ...texts.map((text) => `${INDENT}- ${shown(text, detail)}`)];
}

/** A text on one line, of what is agreed to with all that it says. */
function shown(text: string, detail: Shown): string {
  return legible(detail === 'whole' ? text : redactedText(text));
}

function indented(lines: readonly string[], by = INDENT): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `${by}${line}`));
}
