import { Ajv } from 'ajv';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

import { messageOf, PlanError } from '../../kernel/errors.js';
import { everyStep } from '../action-plan.js';
import type { ActionPlan, ActionStep, PlacedStep } from '../action-plan.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../kernel/json/json-value.js';
import { followPath, referencesWithin } from '../references.js';
import type { DraftFinding } from './draft-finding.js';
import type { Tool } from './tools-file.js';

/** Checks the steps of a plan against the tools there are. */
export type ArgumentChecker = (plan: ActionPlan) => readonly DraftFinding[];

/** Errors of one step that are told; the rest are counted. */
const MOST_ERRORS = 20;

/**
 * A checker of tools and their arguments. Schemas may come from anywhere: a reference outside a schema is refused, patterns
 * are matched in linear time, and formats are not checked. An argument that holds a reference is not held
 * against its schema, for its value is only known when the plan runs.
 *
 * @throws PlanError INVALID_INPUT for a schema that cannot be used, naming the tool
 */
export function createArgumentChecker(tools: readonly Tool[]): ArgumentChecker {
  const validators = new Map(tools.map((tool) => [tool.name, compile(tool)]));
  return (plan) =>
    Array.from(everyStep(plan)).flatMap((placed) => {
      const { step, pointer } = placed;
      const validate = validators.get(step.tool);
      if (validate !== undefined) return argumentFindings(placed, validate);
      const known =
        tools.length > 20 ? `${tools.length} tools are` : tools.map(({ name }) => name).join(', ');
      const message = `there is no tool ${JSON.stringify(step.tool)}; known: ${known}`;
      return [
        { rule: 'UNKNOWN_TOOL', severity: 'error', message, pointer: `${pointer}/tool`, step: step.id },
      ];
    });
}

/**
 * A check of the arguments of a call, once they are known: what is wrong with them, or null.
 * @throws PlanError INVALID_INPUT for a schema that cannot be used
 */
export function compileArguments(tool: Tool): (args: JsonObject) => string | null {
  const validate = compile(tool);
  return (args) => {
    if (validate(plainJson(args))) return null;
    const [first, ...more] = validate.errors ?? [];
    if (first === undefined) return `${tool.name}: the arguments are not as its schema asks`;
    return `${tool.name}: ${describe(first)}${more.length === 0 ? '' : `, and ${more.length} more`}`;
  };
}

function compile({ name, inputSchema }: Tool): ValidateFunction {
  try {
    const validate = compileSchema(inputSchema);
    // What it says would be a promise, which is true whatever comes of it.
    if ('$async' in validate) throw new TypeError('it asks to be checked asynchronously');
    return validate;
  } catch (thrown) {
    throw new PlanError(
      'INVALID_INPUT',
      `the schema of the tool ${JSON.stringify(name)} cannot be used: ${messageOf(thrown)}`,
      {
        hint: [
          'It must be a JSON Schema (draft 7 or 2020-12) without references outside itself, its patterns in the syntax of RE2.',
        ],
        details: { tool: name },
      },
    );
  }
}

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  logger: false,
  code: { regExp: linearPattern },
};

const DRAFT_7 = /draft-0[67]/;

/**
 * The check of a schema, by a validator of its own, so that no `$id` of one can stand for another. Whether it is a schema
 * is asked of one validator for all: to make its check of schemas costs ten times what any tool's does.
 */
function compileSchema(schema: Tool['inputSchema']): ValidateFunction {
  const dialect = typeof schema === 'boolean' ? undefined : schema.$schema;
  const isOld = typeof dialect === 'string' && DRAFT_7.test(dialect);
  const known = (ofSchemas[isOld ? 'old' : 'new'] ??= isOld ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS));
  void known.validateSchema(schema, true);
  const options = { ...OPTIONS, validateSchema: false };
  return (isOld ? new Ajv(options) : new Ajv2020(options)).compile(schema);
}

/** What checks that a schema is one. It never learns a schema, and so knows no `$id` of any. */
const ofSchemas: { old?: Ajv; new?: Ajv } = {};

/** What Ajv uses in place of RegExp. The second member is for code that it writes to files, which is never done. */
function linearPattern(source: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(source);
  // Ajv tells patterns apart by their text.
  return { test: (text) => compiled.matcher(text).find(), toString: () => `/${source}/` };
}
linearPattern.code = 'linearPattern';

function argumentFindings(
  { step, pointer }: PlacedStep,
  validate: ValidateFunction,
): readonly DraftFinding[] {
  if (validate(plainJson(step.args))) return [];
  const held = (validate.errors ?? []).filter((error) => !isLeftToTheRun(error, step));
  const findings = held.slice(0, MOST_ERRORS).map((error): DraftFinding => ({
    rule: 'INVALID_ARGUMENT',
    severity: 'error',
    message: `${step.tool}: ${describe(error)}`,
    pointer: `${pointer}/args${error.instancePath}`,
    step: step.id,
  }));
  if (held.length <= MOST_ERRORS) return findings;
  const message = `${step.tool}: and ${held.length - MOST_ERRORS} more`;
  return [
    ...findings,
    { rule: 'INVALID_ARGUMENT', severity: 'error', message, pointer: `${pointer}/args`, step: step.id },
  ];
}

/** Whether what is wrong may be right once references have their values. */
function isLeftToTheRun({ instancePath, keyword, schemaPath }: ErrorObject, step: ActionStep): boolean {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = followPath(step.args, path);
  if (!('found' in found)) return false;
  // Of what holds a reference somewhere only what compares it as a whole is in doubt, or chooses between schemas.
  const isInDoubt = typeof found.found === 'string' || COMPARING.test(keyword) || CHOOSING.test(schemaPath);
  const loopNames = [step.foreach?.item_name ?? [], step.foreach?.index_name ?? []].flat();
  return isInDoubt && referencesWithin(found.found, { loopNames }).length > 0;
}

const COMPARING = /^(?:anyOf|oneOf|not|if|const|enum|uniqueItems|contains)$/;
const CHOOSING = /\/(?:anyOf|oneOf|not|if|then|else|contains)\//;

function describe({
  instancePath,
  keyword,
  message = 'is not as its schema asks',
  params,
}: ErrorObject): string {
  const path = instancePath === '' ? 'the arguments' : instancePath;
  const detail =
    keyword === 'additionalProperties'
      ? ` (${JSON.stringify(params.additionalProperty)})`
      : keyword === 'enum'
        ? ` (${JSON.stringify(params.allowedValues).slice(0, 200)})`
        : '';
  return `${path} ${message}${detail}`;
}

/** The arguments with numbers as Ajv knows them. */
function plainJson(value: JsonValue): unknown {
  if (isExactNumber(value)) return Number(value);
  if (isJsonList(value)) return value.map(plainJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
}

/** Why arguments cannot be checked by a JSON Schema, such as a pattern that is none; null where they can. */
export function unusableSchema(schema: JsonObject | boolean): string | null {
  if (typeof schema === 'boolean') return null;
  try {
    compile({ name: 'output', description: '', inputSchema: schema });
    return null;
  } catch (cause) {
    return messageOf(cause);
  }
}

const compiledSchemas = new WeakMap<object, ValidateFunction>();

/**
 * Checks an argument or another value by a JSON Schema: says what is wrong with it in a line, null when nothing
 * is. Patterns are matched in linear time, and a schema that cannot be used is said as a problem of the value.
 */
export function schemaProblem(schema: JsonObject | boolean, value: JsonValue): string | null {
  if (typeof schema === 'boolean') return schema ? null : 'nothing is allowed';
  try {
    const validate =
      compiledSchemas.get(schema) ?? compile({ name: 'output', description: '', inputSchema: schema });
    compiledSchemas.set(schema, validate);
    if (validate(plainJson(value))) return null;
    const [first] = validate.errors ?? [];
    if (first === undefined) return 'it is not as its schema asks';
    return describe(first).replace(/^the arguments /, 'it ');
  } catch (cause) {
    return messageOf(cause);
  }
}
