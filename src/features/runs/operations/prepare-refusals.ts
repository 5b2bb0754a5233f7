import { checkPlan } from '../../actions/lint/check-plan.js';
import type { Finding } from '../../actions/lint/finding.js';
import type { PreparedPolicy } from '../../actions/policy/prepared-policy.js';
import { createArgumentChecker } from '../../actions/tools/argument-checker.js';
import { orderOf } from '../model/steps/order.js';
import type { RunStep, RunSteps } from '../model/steps/run-step.js';
import { argumentsKnownLater, referencesOfRunStep } from '../model/steps/step-references.js';
import { namesSomething } from '../model/values/resolve.js';
import { PlanError } from '../../../kernel/errors.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { nearestWord } from '../../../kernel/text/nearest-word.js';
import { wrongScopes } from './preparing/approval-scopes.js';
import { conditionProblems } from './condition-problems.js';
import { unreachableReferences } from './preparing/unreachable-references.js';
import type { PrepareProblem } from './preparing/prepare-problem.js';
import type { RunSource } from './run-source.js';
import type { ToolsOfRun } from './tools-wanted.js';

/**
 * Refuses to prepare a plan that breaks a rule, and gives the findings of one that does not. What the plan itself
 * wants to be passed over counts all the same.
 * @throws PlanError INVALID_INPUT naming each error
 */
export function lintForRun({ text, read }: RunSource, policy: PreparedPolicy): readonly Finding[] {
  const { findings, risk } = checkPlan(text, policy, {
    dialect: read.dialect,
    sidecar: read.sidecar ?? undefined,
    suppressions: 'never',
  });
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw cannotBePrepared(
      errors.map(({ rule, message, step, pointer }) => ({ rule, message, step, path: pointer })),
    );
  if (risk.reached)
    throw cannotBePrepared([
      { rule: 'RISK', message: 'the risk of the plan reaches what the policy allows', step: null },
    ]);
  return findings;
}

/** Refuses to prepare what could not run to its end, before anything of it runs. @throws PlanError INVALID_INPUT */
export function refuseUnrunnable(
  steps: RunSteps,
  tools: ToolsOfRun,
  workspaces: readonly (string | undefined)[],
): void {
  const wrong = wrongArguments(steps, tools);
  const problems = [
    ...(steps.root.steps.length === 0
      ? [{ rule: 'EMPTY_PLAN', message: 'the plan has no steps', step: null }]
      : []),
    ...unboundNames(tools),
    ...duplicates(steps),
    ...steps.all.flatMap((step) => problemsOfStep(step, steps, tools)),
    ...cycles(steps),
    ...wrong,
    ...wrongScopes(steps, workspaces),
    ...unreachableReferences(steps, tools),
    ...refusedCalls(steps, tools, new Set(wrong.map(({ step }) => step))),
    ...conditionProblems(steps, tools.toolbox).map((one) => ({ rule: 'WRONG_CONDITION', ...one })),
  ];
  if (problems.length > 0) throw cannotBePrepared(problems, howToBind(problems, tools));
}

/**
 * Calls that the bindings of their tools refuse whenever they are made, as far as the arguments stand in the plan.
 * @param wrong steps of which more is known to be wrong
 */
function refusedCalls(
  { all, dialect }: RunSteps,
  { toolbox }: ToolsOfRun,
  wrong: ReadonlySet<string | null>,
): readonly PrepareProblem[] {
  return all.flatMap((step) => {
    const { raw, id, nested } = step;
    const tool = toolbox.tools.get(raw.tool);
    if (tool === undefined || nested !== null || wrong.has(id)) return [];
    const later = argumentsKnownLater(step, dialect);
    const { wait } = step.step;
    const call = { args: raw.args, later, ...(wait === 'none' ? {} : { wait }) };
    const problem =
      tool.problem?.(call) ?? (later.size === 0 ? (tool.ready?.problem?.(raw.args) ?? null) : null);
    if (problem === null) return [];
    const { code, message } =
      typeof problem === 'string' ? { code: 'REFUSED_CALL', message: problem } : problem;
    return [{ rule: code, message: `${raw.tool} cannot be called so: ${message}`, step: id }];
  });
}

/** What to do where the first problem is one of bindings; undefined for others, which the checks tell. */
function howToBind([first]: readonly PrepareProblem[], { file, bound }: ToolsOfRun): string | undefined {
  if (first?.rule === 'REFUSED_CALL')
    return `Nothing was prepared. Correct the arguments of the step, or the binding${file === null ? '' : ` in ${file}`}.`;
  if (first?.rule === 'ARGUMENT_TOO_LONG')
    return `Nothing was prepared. Give it to the program by \`stdin\` of the binding${file === null ? '' : ` in ${file}`}, such as \`stdin: '\${text}'\`.`;
  if (first?.rule === 'UNREACHABLE_REFERENCE')
    return 'Nothing was prepared. Correct the reference; or write `output: value` into the binding, where the JSON that a program prints or a server answers is to be the output itself.';
  if (first?.rule === 'CODE_IN_PLAN')
    return 'Nothing was prepared. Remove the step; no binding carries it out. `plan prepare` prints the code where a person must agree, and `plan approve` takes it.';
  if (first?.rule !== 'UNBOUND_TOOL' && first?.rule !== 'UNBOUND_CONDITION') return undefined;
  const isTool = first.rule === 'UNBOUND_TOOL';
  const names = isTool ? bound.tools : bound.conditions;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const where = file ?? 'The program';
  const there = names.length === 0 ? `binds no ${isTool ? 'tools' : 'conditions'}` : `binds ${shown}${more}`;
  return `Nothing was prepared. ${where} ${there}. Correct the name in the plan, or bind it ${file === null ? 'too' : 'in that file'}.`;
}

/** As many names as anybody reads. */
const MOST_NAMED = 12;

function unboundNames({ unbound, bound, file }: ToolsOfRun): readonly PrepareProblem[] {
  const where = file === null ? '' : ` in ${file}`;
  return [
    ...unbound.tools
      .filter((name) => name !== CODE_CHECK)
      .map((name) => ({
        rule: 'UNBOUND_TOOL',
        message: `nothing${where} is bound to the tool ${name}${meant(name, bound.tools)}`,
        step: null,
      })),
    ...unbound.conditions.map((name) => ({
      rule: 'UNBOUND_CONDITION',
      message: `nothing${where} is bound to the condition ${name}${meant(name, bound.conditions)}`,
      step: null,
    })),
  ];
}

function meant(name: string, among: readonly string[]): string {
  const near = nearestWord(name, among);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Ids must be unique in what can name them, whatever a policy says of that. */
function duplicates({ all }: RunSteps): readonly PrepareProblem[] {
  const scopes = new Set(all.map(({ scoped }) => scoped.scope));
  return [...scopes].flatMap(({ byId }) =>
    [...byId]
      .filter(([, found]) => found.length > 1)
      .map(([id]) => ({ rule: 'DUPLICATE_ID', message: `several steps are called ${id}`, step: id })),
  );
}

function problemsOfStep(step: RunStep, steps: RunSteps, { unbound }: ToolsOfRun): readonly PrepareProblem[] {
  const { raw, id } = step;
  const problem = (rule: string, message: string) => ({ rule, message, step: id });
  const unknown = [...referencesOfRunStep(step, steps.dialect)]
    .filter(({ reference }) => !namesSomething(reference, step, steps))
    .map(({ reference }) => problem('UNKNOWN_REFERENCE', `${reference.text} names nothing that there is`));
  return [
    ...unknown,
    ...(raw.retry?.max_attempts === 0
      ? [problem('SCHEMA_INVALID', 'a step is attempted at least once')]
      : []),
    ...(holdsApprovalCode(step) || (raw.tool === CODE_CHECK && unbound.tools.includes(CODE_CHECK))
      ? [
          problem(
            'CODE_IN_PLAN',
            'it gives the code of an approval, which no plan may hold, for it would stand in the log; a person gives it with `plan approve` before the run begins',
          ),
        ]
      : []),
    ...(raw.plan?.steps.length === 0 ? [problem('EMPTY_PLAN', 'the nested plan has no steps')] : []),
    ...(raw.tool.startsWith('soul:') && hasEmptyText(raw.args)
      ? [problem('SCHEMA_INVALID', 'a url, a locator or a text of it is empty')]
      : []),
  ];
}

const LOCATING: ReadonlySet<string> = new Set(['url', 'Css', 'name', 'content']);

/** Whether what a browser would look for is empty. */
function hasEmptyText(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) =>
    typeof member === 'string' ? member === '' && LOCATING.has(key) : hasEmptyText(member),
  );
}

function cycles(steps: RunSteps): readonly PrepareProblem[] {
  return orderOf(steps).cycles.map((cycle) => ({
    rule: 'LOOP_DETECTED',
    message: `steps need each other: ${cycle.map(({ id }) => id).join(', ')}`,
    step: cycle[0]?.id ?? null,
  }));
}

/** What the schemas of the tools say already, before references have their values. */
function wrongArguments({ root }: RunSteps, { toolbox }: ToolsOfRun): readonly PrepareProblem[] {
  const tools = Array.from(toolbox.tools.values(), (tool) => {
    const { name, description, inputSchema } = tool.definition();
    return { name, description, inputSchema };
  });
  return createArgumentChecker(tools)(root.plan)
    .filter(({ severity, rule }) => severity === 'error' && rule !== 'UNKNOWN_TOOL')
    .map(({ rule, message, step }) => ({ rule, message, step }));
}

/**
 * The refusal of a plan, with the first problem in words and the others in its details; there must be one.
 * @param hint what to do, where the checks of plans do not tell it
 */
export function cannotBePrepared(
  problems: readonly PrepareProblem[],
  hint = 'Nothing was prepared. `plan lint` shows where each of the checks of plans stands.',
): PlanError {
  const [first] = problems;
  const more = problems.length === 1 ? '' : `, and ${problems.length - 1} more`;
  const place = first?.step ?? first?.path ?? '';
  const where = place === '' ? '' : `${place}: `;
  return new PlanError('INVALID_INPUT', `this plan cannot be run: ${where}${first?.message ?? ''}${more}`, {
    hint: { commandLine: hint },
    details: { rule: first?.rule ?? 'SCHEMA_INVALID', problems: problems.slice(0, 50) },
  });
}

/** Whether a step would have a code of an approval stand in the log of the run, from which it could be read or guessed. */
function holdsApprovalCode({ raw: { tool, args } }: RunStep): boolean {
  return tool === CODE_CHECK && typeof args.approval_code === 'string';
}

/** The action of wa that gives the code of an approval. */
const CODE_CHECK = 'wa:validate_approval';
