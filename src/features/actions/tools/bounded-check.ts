import { _, nil } from 'ajv';
import type { Ajv, Code, ErrorObject, KeywordCxt } from 'ajv';
import { RE2JS } from 're2js';

/**
 * Steps that the check of one value by a schema may take. A step is a keyword of a schema that is applied to a value, and each
 * branch, name, item or member that it goes through.
 */
const MOST_STEPS = 1_000_000;

/** A value cannot be checked by a schema: that takes more than {@link MOST_STEPS}, or leads back to itself without end. */
export class EndlessCheckError extends Error {
  override readonly name = 'EndlessCheckError';
}

/** Says what is wrong with a value by a schema; nothing where it is as the schema asks. @throws EndlessCheckError */
export type BoundedCheck = (value: unknown) => readonly ErrorObject[];

/**
 * The check by a schema, its steps counted. A schema whose parts each refer to the next one twice doubles the steps with every part, and
 * its text does not show it: so they are counted while a value is checked.
 * @param ajv one that has compiled nothing yet
 */
export function boundedCheck(
  ajv: Pick<Ajv, 'RULES' | 'compile' | 'scope'>,
  schema: object | boolean,
): BoundedCheck {
  let left = MOST_STEPS;
  countSteps(ajv, (steps) => {
    left -= steps;
    if (left < 0) throw new EndlessCheckError(TOO_MANY);
  });
  joinOnce(ajv);
  const validate = ajv.compile(schema);
  // What it says would be a promise, which is true whatever comes of it.
  if ('$async' in validate) throw new TypeError('it asks to be checked asynchronously');
  return (value) => {
    left = MOST_STEPS;
    try {
      return validate(value) ? [] : (validate.errors ?? []);
    } catch (thrown) {
      if (thrown instanceof RangeError) throw new EndlessCheckError(TOO_DEEP, { cause: thrown });
      throw thrown;
    } finally {
      validate.errors = null;
    }
  };
}

const TOO_MANY = `checking a value against it takes more than ${MOST_STEPS.toLocaleString('en')} steps`;
const TOO_DEEP = 'checking a value against it goes too deep, or in a circle';

/** Puts before the code of each keyword what counts its steps, for this validator alone. */
function countSteps({ RULES }: Pick<Ajv, 'RULES'>, spend: (steps: number) => void): void {
  const counted: ((value: unknown) => number)[] = [];
  const ref = (keyword: number, value: unknown) => spend(counted[keyword]?.(value) ?? 0);
  for (const rule of Object.values(RULES.all)) {
    if (typeof rule !== 'object' || !('code' in rule.definition)) continue;
    const { definition, keyword } = rule;
    const { code } = definition;
    const withCounter = (context: KeywordCxt, ruleType?: string): void => {
      const counter = context.gen.scopeValue('func', { ref });
      context.gen.code(_`${counter}(${counted.length}, ${context.data})`);
      counted.push(stepsOfKeyword(keyword, context.schema));
      code(context, ruleType);
    };
    rule.definition = { ...definition, code: withCounter };
  }
}

/** Has Ajv join the names of a schema's parts in pairs; it copies all that it has joined for each one more. */
function joinOnce({ scope }: Pick<Ajv, 'scope'>): void {
  scope.scopeRefs = (scopeName, values = {}) =>
    joined(
      Object.values(values).flatMap((names) =>
        Array.from(names instanceof Set ? names : Object.values(names), (name) => {
          if (name?.scopePath === undefined) throw new TypeError('a name of the schema stands for nothing');
          return _`const ${name} = ${scopeName}${name.scopePath};`;
        }),
      ),
    );
}

function joined(parts: readonly Code[]): Code {
  if (parts.length < 2) return parts[0] ?? nil;
  const middle = parts.length / 2;
  return _`${joined(parts.slice(0, middle))}${joined(parts.slice(middle))}`;
}

/** Keywords that are applied to each item or member of a value. */
const PER_ELEMENT: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'items',
  'patternProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** Keywords with a part, or a name that is asked for, in each of their members. */
const BRANCHING: ReadonlySet<string> = new Set([
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
]);

/** Characters in a step of what goes through a text, of what is compared with listed values, and with each other. */
const MATCHED_IN_STEP = 100;
const LISTED_IN_STEP = 1000;
const COMPARED_IN_STEP = 4000;
/** Instructions of a pattern that are tried in a step: for each character of a text perhaps all of them. */
const TRIED_IN_STEP = 1000;

function stepsOfKeyword(keyword: string, schema: unknown): (value: unknown) => number {
  if (keyword === 'enum' || keyword === 'const') {
    const listed = 1 + Math.floor(JSON.stringify(schema).length / LISTED_IN_STEP);
    return () => listed;
  }
  if (keyword === 'uniqueItems') return (value) => 1 + (Array.isArray(value) ? stepsToCompare(value) : 0);
  if (keyword === 'pattern') {
    const size = instructionsOf([schema]);
    return (value) => 1 + (typeof value === 'string' ? Math.floor((value.length * size) / TRIED_IN_STEP) : 0);
  }
  const parts = typeof schema === 'object' && schema !== null ? Object.values(schema) : [];
  if (keyword === 'properties')
    return (value) => 1 + Math.floor(parts.length / MATCHED_IN_STEP) + Math.min(parts.length, sizeOf(value));
  const branches = Array.isArray(schema) || BRANCHING.has(keyword) ? 1 + namesIn(parts) : 1;
  if (keyword === 'patternProperties') {
    const size = instructionsOf(Object.keys(schema ?? {}));
    return (value) =>
      branches * (1 + sizeOf(value)) + Math.floor((lengthOfNames(value) * size) / TRIED_IN_STEP);
  }
  if (PER_ELEMENT.has(keyword)) return (value) => branches * (1 + sizeOf(value));
  return (value) =>
    typeof value === 'string' ? branches + Math.floor(value.length / MATCHED_IN_STEP) : branches;
}

function namesIn(parts: readonly unknown[]): number {
  return parts.reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : 1), 0);
}

/** How many instructions patterns have in RE2, which the counts in them multiply. A pattern that is none is refused elsewhere. */
function instructionsOf(patterns: readonly unknown[]): number {
  return patterns.reduce((sum: number, pattern) => {
    try {
      return sum + RE2JS.compile(String(pattern)).programSize();
    } catch {
      return sum;
    }
  }, 0);
}

function lengthOfNames(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
  return Object.keys(value).reduce((sum, name) => sum + name.length, 0);
}

/** Items or members of a value. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Each item is compared with each other one; numbers and short texts at a glance. */
function stepsToCompare(items: readonly unknown[]): number {
  return Math.floor((JSON.stringify(items).length * items.length) / COMPARED_IN_STEP);
}
