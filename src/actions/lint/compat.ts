import type { ActionStep } from '../action-plan.js';
import type { JsonValue } from '../json-value.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import type { ReadActionPlan } from '../read-action-plan.js';
import { numberInJson } from './number-in-json.js';
import { pythonText } from './python-text.js';

/** A finding of the original tool. */
interface CompatError {
  /** Place among the steps, from 0; null for the plan as a whole. */
  readonly step: number | null;
  readonly code:
    | 'SCHEMA_INVALID'
    | 'TOOL_DENY'
    | 'BOUND_VIOLATION'
    | 'RAW_SECRET'
    | 'LOOP_DETECTED'
    | 'MAX_STEPS_EXCEEDED';
  readonly msg: string;
}

/** The verdict of the original tool, with the fields of its JSON report. */
export interface CompatVerdict {
  readonly status: 'pass' | 'error';
  readonly risk_score: number;
  readonly errors: readonly CompatError[];
  /** Always empty: nothing in the original makes one. */
  readonly warnings: readonly never[];
}

/**
 * Judges a plan as Plan-Lint 0.0.x does, its mistakes included, so that a move from there can be compared run by run:
 * ids are looked for as substrings, two references in one step are a loop, every `sql.*` tool but `sql.query_ro` is denied, any run
 * of 32 letters and digits is a secret, bounds read no nested or dotted names, and weights never take effect, because
 * the original looks them up under names such as `errorcode.tool_deny`. `parameters` are read as if they were `args`.
 */
export function compatVerdict(read: ReadActionPlan, policy: PreparedPolicy): CompatVerdict {
  const missing = missingOf(read);
  if (missing !== null) return schemaError(missing);
  const { steps } = read.plan;
  const errors = [
    ...tooMany(steps, policy),
    ...loop(steps),
    ...steps.flatMap((step, index) => ofStep(step, index, policy)),
    ...steps.flatMap((step, index) => builtInSecrets(step, index, policy)),
    ...steps.flatMap((step, index) => sqlTool(step, index)),
  ];
  return verdictOf(errors);
}

/** What the original says of a plan that its schema refuses; it prints the problem and has no report. */
export function schemaError(msg: string): CompatVerdict {
  return {
    status: 'error',
    risk_score: 0,
    errors: [{ step: null, code: 'SCHEMA_INVALID', msg }],
    warnings: [],
  };
}

function verdictOf(errors: readonly CompatError[]): CompatVerdict {
  const score = [...new Set(errors.map(({ code }) => code))].reduce((sum) => sum + 0.2, 0);
  return {
    status: errors.length > 0 ? 'error' : 'pass',
    risk_score: Math.min(score, 1),
    errors,
    warnings: [],
  };
}

/** The original's code knows `args` and requires a goal; its documents have `parameters`, and the goal may be left out. */
function missingOf({ plan, variant, dialect }: ReadActionPlan): string | null {
  if (dialect !== 'plan-lint') return `this is a plan of ${dialect}, which Plan-Lint does not read`;
  return plan.goal === undefined && variant === 'args' ? "'goal' is a required property" : null;
}

function tooMany(steps: readonly ActionStep[], { maxSteps }: PreparedPolicy): readonly CompatError[] {
  if (steps.length <= maxSteps) return [];
  const msg = `Plan has ${steps.length} steps, exceeding max of ${maxSteps}`;
  return [{ step: null, code: 'MAX_STEPS_EXCEEDED', msg }];
}

/** A step whose arguments hold two other ids is a loop to the original, wherever these occur. */
function loop(steps: readonly ActionStep[]): readonly CompatError[] {
  const ids = [...new Set(steps.map(({ id }) => id))];
  const visited = new Set<string>();
  for (const [index, { id, args }] of steps.entries()) {
    const text = pythonText(args);
    for (const other of ids) {
      if (other === id || !text.includes(other)) continue;
      if (visited.has(id))
        return [{ step: index, code: 'LOOP_DETECTED', msg: `Cycle detected involving step ${id}` }];
      visited.add(id);
    }
  }
  return [];
}

function ofStep(step: ActionStep, index: number, policy: PreparedPolicy): readonly CompatError[] {
  const { allow_tools: allowed = [] } = policy.source;
  const denied = allowed.length > 0 && !allowed.includes(step.tool);
  return [
    ...(denied
      ? [{ step: index, code: 'TOOL_DENY' as const, msg: `Tool '${step.tool}' is not allowed by policy` }]
      : []),
    ...bounds(step, index, policy),
    ...deniedTokens(step, index, policy),
  ];
}

/** The tool is what stands before the first dot, so no tool with a dot has bounds. */
function bounds({ tool, args }: ActionStep, index: number, policy: PreparedPolicy): readonly CompatError[] {
  return policy.bounds.flatMap(({ key, least, greatest }) => {
    const dot = key.indexOf('.');
    const name = key.slice(dot + 1);
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const number = numberInJson(value);
    if (key.slice(0, dot) !== tool || number === null || (number >= least && number <= greatest)) return [];
    const msg = `Argument '${name}' value ${pythonText(value ?? null)} is outside bounds [${least}, ${greatest}]`;
    return [{ step: index, code: 'BOUND_VIOLATION' as const, msg }];
  });
}

function deniedTokens({ args }: ActionStep, index: number, policy: PreparedPolicy): readonly CompatError[] {
  const text = pythonText(args);
  return policy.patterns
    .filter(({ find }) => find(text) !== null)
    .map(({ source }) => ({
      step: index,
      code: 'RAW_SECRET' as const,
      msg: `Potentially sensitive data matching pattern '${source}' found in arguments`,
    }));
}

const SECRETS: readonly RegExp[] = [
  /[a-zA-Z0-9]{32,}/,
  /key-[a-zA-Z0-9]{16,}/,
  /token-[a-zA-Z0-9]{16,}/,
  /[a-zA-Z0-9_-]{24}\.[a-zA-Z0-9_-]{6}\.[a-zA-Z0-9_-]{27}/,
  /passw(?:or)?d\s*[=:]\s*['"]?[\w\-!@#$%^&*()]{8,}/,
  /AKIA[0-9A-Z]{16}/,
];

/** A rule of its own in the original, which looks for the policy's patterns once more. */
function builtInSecrets(step: ActionStep, index: number, policy: PreparedPolicy): readonly CompatError[] {
  const text = pythonText(step.args);
  const found = SECRETS.some((pattern) => pattern.test(text));
  const msg = 'Potentially sensitive data detected in arguments';
  return [
    ...deniedTokens(step, index, policy),
    ...(found ? [{ step: index, code: 'RAW_SECRET' as const, msg }] : []),
  ];
}

const SQL_WORDS = ['INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER', 'CREATE'];

function sqlTool({ tool, args }: ActionStep, index: number): readonly CompatError[] {
  const denied = (msg: string): readonly CompatError[] => [{ step: index, code: 'TOOL_DENY', msg }];
  if (!tool.startsWith('sql.')) return [];
  if (tool !== 'sql.query_ro') return denied(`SQL write operation '${tool}' is not allowed`);
  const query: JsonValue | undefined = Object.hasOwn(args, 'query') ? args.query : undefined;
  const word =
    typeof query === 'string' ? SQL_WORDS.find((one) => query.toUpperCase().includes(one)) : undefined;
  return word === undefined ? [] : denied(`SQL query contains write operation '${word}'`);
}
