import { Ajv } from 'ajv';
import type { ErrorObject, Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

import { messageOf, PlanError } from '../../../kernel/errors.js';
import { everyStep } from '../model/action-plan.js';
import type { ActionPlan, ActionStep, PlacedStep } from '../model/action-plan.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { followPath, referencesWithin } from '../model/references.js';
import { boundedCheck, EndlessCheckError } from './bounded-check.js';
import type { BoundedCheck } from './bounded-check.js';
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
 * @throws PlanError INVALID_INPUT for a schema that cannot be used, naming the tool; so does the checker for one by which the
 * arguments of a step cannot be checked in bounded time
 */
export function createArgumentChecker(tools: readonly Tool[]): ArgumentChecker {
  const checks = new Map(tools.map((tool) => [tool.name, compile(tool)]));
  return (plan) =>
    Array.from(everyStep(plan)).flatMap((placed) => {
      const { step, pointer } = placed;
      const check = checks.get(step.tool);
      if (check !== undefined) return argumentFindings(placed, check);
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
  const check = compile(tool);
  return (args) => {
    try {
      const [first, ...more] = check(plainJson(args));
      if (first === undefined) return null;
      return `${tool.name}: ${describe(first)}${more.length === 0 ? '' : `, and ${more.length} more`}`;
    } catch (thrown) {
      if (thrown instanceof PlanError) return thrown.message;
      throw thrown;
    }
  };
}

/** The check by the schema of a tool. Both may throw PlanError INVALID_INPUT. */
function compile(tool: Tool): BoundedCheck {
  try {
    const check = compileSchema(tool.inputSchema);
    return (value) => {
      try {
        return check(value);
      } catch (thrown) {
        throw thrown instanceof EndlessCheckError ? unusable(tool, thrown, ENDLESS) : thrown;
      }
    };
  } catch (thrown) {
    throw unusable(tool, thrown, NO_SCHEMA);
  }
}

const NO_SCHEMA =
  'It must be a JSON Schema (draft 7 or 2020-12) without references outside itself, its patterns in the syntax of RE2.';
const ENDLESS =
  'References in a circle, or several to one part at each level, take this long. Remove them from the schema.';

function unusable({ name }: Tool, thrown: unknown, hint: string): PlanError {
  const message = `the schema of the tool ${JSON.stringify(name)} cannot be used: ${messageOf(thrown)}`;
  return new PlanError('INVALID_INPUT', message, { hint: [hint], details: { tool: name } });
}

const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  logger: false,
  // Else what many parts refer to is written out for each of them.
  inlineRefs: false,
  code: { regExp: linearPattern },
};

const DRAFT_7 = /draft-0[67]/;

/**
 * The check of a schema, by a validator of its own, so that no `$id` of one can stand for another. Whether it is a schema
 * is asked of one validator for all: to make its check of schemas costs ten times what any tool's does.
 */
function compileSchema(schema: Tool['inputSchema']): BoundedCheck {
  refuseLongLists(schema);
  const dialect = typeof schema === 'boolean' ? undefined : schema.$schema;
  const isOld = typeof dialect === 'string' && DRAFT_7.test(dialect);
  const known = (ofSchemas[isOld ? 'old' : 'new'] ??= isOld ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS));
  void known.validateSchema(schema, true);
  const options = { ...OPTIONS, validateSchema: false };
  return boundedCheck(isOld ? new Ajv(options) : new Ajv2020(options), schema);
}

/** Parts of a `oneOf`, and names of types: the time that Ajv takes for them grows with their square. */
const LONGEST_LISTS: Readonly<Record<string, number>> = { oneOf: 500, type: 7 };
/** Members of a schema that hold values, and no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** @throws TypeError for a list that is longer than {@link LONGEST_LISTS} */
function refuseLongLists(schema: unknown): void {
  const open: unknown[] = [schema];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    for (const [name, part] of Object.entries(at)) {
      const most = Object.hasOwn(LONGEST_LISTS, name) ? LONGEST_LISTS[name] : undefined;
      if (most !== undefined && Array.isArray(part) && part.length > most)
        throw new TypeError(`${name} has ${part.length} entries, and may have ${most}`);
      if (!VALUES.has(name) && part !== undefined) open.push(part);
    }
  }
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

function argumentFindings({ step, pointer }: PlacedStep, check: BoundedCheck): readonly DraftFinding[] {
  const errors = check(plainJson(step.args));
  const isLeft = leftToTheRun(step);
  const held = errors.filter((error) => !isLeft(error));
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

/** Tells whether what is wrong may be right once references have their values. */
function leftToTheRun(step: ActionStep): (error: ErrorObject) => boolean {
  const loopNames = [step.foreach?.item_name ?? [], step.foreach?.index_name ?? []].flat();
  const places = new Map<string, { readonly isText: boolean; readonly hasReference: boolean }>();
  const placeOf = (instancePath: string) => {
    const path = instancePath
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const at = followPath(step.args, path);
    const found = 'found' in at ? at.found : null;
    return {
      isText: typeof found === 'string',
      hasReference: referencesWithin(found, { loopNames }).length > 0,
    };
  };
  return ({ instancePath, keyword, schemaPath }) => {
    // Of one value a schema may say much.
    const place = places.get(instancePath) ?? placeOf(instancePath);
    places.set(instancePath, place);
    // Of what holds a reference somewhere only what compares it as a whole is in doubt, or chooses between schemas.
    const isInDoubt = place.isText || COMPARING.test(keyword) || CHOOSING.test(schemaPath);
    return isInDoubt && place.hasReference;
  };
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

const compiledSchemas = new WeakMap<object, BoundedCheck>();

/**
 * Checks an argument or another value by a JSON Schema: says what is wrong with it in a line, null when nothing
 * is. Patterns are matched in linear time, and a schema that cannot be used is said as a problem of the value.
 */
export function schemaProblem(schema: JsonObject | boolean, value: JsonValue): string | null {
  const found = firstMismatch(schema, value);
  return found === null || typeof found === 'string'
    ? found
    : describe(found).replace(/^the arguments /, 'it ');
}

/** Returns the first thing that is wrong with a value by a JSON Schema, or why the schema cannot be used; null when nothing is. */
export function firstMismatch(schema: JsonObject | boolean, value: JsonValue): ErrorObject | string | null {
  if (typeof schema === 'boolean') return schema ? null : 'nothing is allowed';
  try {
    const check =
      compiledSchemas.get(schema) ?? compile({ name: 'output', description: '', inputSchema: schema });
    compiledSchemas.set(schema, check);
    return check(plainJson(value))[0] ?? null;
  } catch (cause) {
    return messageOf(cause);
  }
}
