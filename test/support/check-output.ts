import { existsSync, readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { ALL_OPERATIONS } from '../../src/features.js';
import type { RegisteredOperation } from '../../src/operations/registered-operation.js';

const OPERATIONS = Object.entries<RegisteredOperation>(ALL_OPERATIONS);
const compiled = new Map<string, ValidateFunction | null>();

/**
 * Throws when a document that a command has printed is not as `schemas/operations/` says. Every test that runs a
 * command with `--json` holds the schema this way.
 */
export function checkOutput(args: readonly string[], document: unknown): void {
  // SARIF has a schema of its own, which its test holds.
  if (args.includes('sarif')) return;
  const name = operationOf(args);
  if (name === null) return;
  const validate = validatorOf(name);
  if (validate === null || validate(document)) return;
  const reasons = (validate.errors ?? [])
    .slice(0, 5)
    .map(({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`);
  throw new Error(`plan ${args.join(' ')} prints what its schema does not allow:\n${reasons.join('\n')}`);
}

/** The operation that a command line names, by its name or an alias. */
function operationOf(args: readonly string[]): string | null {
  const words = args.filter((word) => !word.startsWith('-'));
  const [first = '', second = ''] = words[0] === 'plan' ? words.slice(1) : words;
  for (const [name, { aliases = [] }] of OPERATIONS)
    if (name === `${first} ${second}` || name === first || aliases.includes(first)) return name;
  return defaultOf(first);
}

function defaultOf(first: string): string | null {
  for (const [name, { isDefault }] of OPERATIONS)
    if (isDefault === true && name.startsWith(`${first} `)) return name;
  return null;
}

function validatorOf(name: string): ValidateFunction | null {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const path = `schemas/operations/${name.replaceAll(' ', '-')}.output.schema.json`;
  // That each is a schema is held by the test of those that are published.
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  addFormats.default(ajv);
  const validate = existsSync(path) ? ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object) : null;
  compiled.set(name, validate);
  return validate;
}
