import { ambiguitiesOf } from '../../model/ambiguities.js';
import { memberOf, readJsonDocument } from '../../../../kernel/json/json-document.js';
import type { JsonNode } from '../../../../kernel/json/json-scanner.js';
import { valueOfTree } from '../../../../kernel/json/json-tree.js';
import { isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import type { CompatPolicy } from '../../policy/compat-policy.js';
import { schemaRefusal } from './compat-schema.js';
import { numberInJson } from '../number-in-json.js';
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

/** A step as the original knows it. */
interface CompatStep {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/**
 * Judges the text of a plan as Plan-Lint 0.0.x does, its mistakes included, so that a move from there can be compared run by run:
 * ids are looked for as substrings, two references in one step are a loop, every `sql.*` tool but `sql.query_ro` is denied, any run
 * of 32 letters and digits is a secret, bounds read no nested or dotted names, and weights never take effect, because
 * the original looks them up under names such as `errorcode.tool_deny`. What its schema refuses is refused, steps with
 * `parameters` among it. A document that is two plans at once is refused as everywhere here, though the original takes
 * the last of two keys, and `args`.
 * @throws PlanError INVALID_INPUT for what is no JSON
 */
export function compatVerdict(text: string, policy: CompatPolicy): CompatVerdict {
  const document = readJsonDocument(text);
  const { root } = document;
  const [ambiguity] = ambiguitiesOf(document, '');
  const refusal = ambiguity?.message ?? schemaRefusal(root);
  if (refusal !== null) return schemaError(refusal);
  const steps = stepsOf(root);
  const errors = [
    ...tooMany(steps, policy),
    ...loop(steps),
    ...steps.flatMap((step, index) => ofStep(step, index, policy)),
    ...steps.flatMap((step, index) => builtInSecrets(step, index, policy)),
    ...sqlTools(steps),
  ];
  return verdictOf(errors);
}

function stepsOf(root: JsonNode): readonly CompatStep[] {
  const steps = memberOf(root, 'steps');
  if (steps?.kind !== 'array') return [];
  return steps.elements.map((step) => {
    const [id, tool, args] = ['id', 'tool', 'args'].map((key) => memberOf(step, key));
    const given = args == null ? {} : valueOfTree(args);
    return {
      id: id?.kind === 'string' ? id.value : '',
      tool: tool?.kind === 'string' ? tool.value : '',
      args: isJsonObject(given) ? given : {},
    };
  });
}

/** What the original says of a plan that its schema refuses; it prints the problem and has no report. */
function schemaError(msg: string): CompatVerdict {
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

function tooMany(steps: readonly CompatStep[], { maxSteps }: CompatPolicy): readonly CompatError[] {
  if (steps.length <= maxSteps) return [];
  const msg = `Plan has ${steps.length} steps, exceeding max of ${maxSteps}`;
  return [{ step: null, code: 'MAX_STEPS_EXCEEDED', msg }];
}

/** A step whose arguments hold two other ids is a loop to the original, wherever these occur. */
function loop(steps: readonly CompatStep[]): readonly CompatError[] {
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

function ofStep(step: CompatStep, index: number, policy: CompatPolicy): readonly CompatError[] {
  const { allowTools: allowed } = policy;
  const denied = allowed.length > 0 && !allowed.includes(step.tool);
  return [
    ...(denied
      ? [{ step: index, code: 'TOOL_DENY' as const, msg: `Tool '${step.tool}' is not allowed by policy` }]
      : []),
    ...bounds(step, index, policy),
    ...deniedTokens(step, index, policy),
  ];
}

/** The tool is what is before the first dot, so no tool with a dot has bounds. */
function bounds({ tool, args }: CompatStep, index: number, policy: CompatPolicy): readonly CompatError[] {
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

function deniedTokens({ args }: CompatStep, index: number, policy: CompatPolicy): readonly CompatError[] {
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
  // Letters and digits of every script, as Python's \w means them.
  /passw(?:or)?d\s*[=:]\s*['"]?[\p{L}\p{N}_\-!@#$%^&*()]{8,}/u,
  /AKIA[0-9A-Z]{16}/,
];

/** A rule of its own in the original, which looks for the policy's patterns once more. */
function builtInSecrets(step: CompatStep, index: number, policy: CompatPolicy): readonly CompatError[] {
  const text = pythonText(step.args);
  const found = SECRETS.some((pattern) => pattern.test(text));
  const msg = 'Potentially sensitive data detected in arguments';
  return [
    ...deniedTokens(step, index, policy),
    ...(found ? [{ step: index, code: 'RAW_SECRET' as const, msg }] : []),
  ];
}

const SQL_WORDS = ['INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER', 'CREATE'];

/** The original's rule breaks off at a query that is no text, and then nothing that it found counts. */
function sqlTools(steps: readonly CompatStep[]): readonly CompatError[] {
  const isBroken = steps.some(
    ({ tool, args }) =>
      tool === 'sql.query_ro' && Object.hasOwn(args, 'query') && typeof args.query !== 'string',
  );
  return isBroken ? [] : steps.flatMap(sqlTool);
}

function sqlTool({ tool, args }: CompatStep, index: number): readonly CompatError[] {
  const denied = (msg: string): readonly CompatError[] => [{ step: index, code: 'TOOL_DENY', msg }];
  if (!tool.startsWith('sql.')) return [];
  if (tool !== 'sql.query_ro') return denied(`SQL write operation '${tool}' is not allowed`);
  const query: JsonValue | undefined = Object.hasOwn(args, 'query') ? args.query : undefined;
  const word =
    typeof query === 'string' ? SQL_WORDS.find((one) => query.toUpperCase().includes(one)) : undefined;
  return word === undefined ? [] : denied(`SQL query contains write operation '${word}'`);
}
