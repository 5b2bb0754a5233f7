import { compileArguments } from '../../actions/tools/argument-checker.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import type { FileState, ToolDefinition } from '../model/tool.js';

const compiled = new WeakMap<object, (args: JsonObject) => string | null>();

/** What is wrong with the arguments of a call by the schema of its tool; null when nothing is. */
export function argumentsProblem({ name, inputSchema }: ToolDefinition, args: JsonObject): string | null {
  if (inputSchema === true) return null;
  if (inputSchema === false) return `${name} takes no arguments`;
  const known = compiled.get(inputSchema);
  const check = known ?? compileArguments({ name, description: '', inputSchema });
  if (known === undefined) compiled.set(inputSchema, check);
  return check(args);
}

/** The digest of the arguments of a call, as they are given, and of the files that they name. */
export function argsDigest(args: JsonObject, named: readonly FileState[] = []): string {
  if (named.length === 0) return sha256(canonicalJson(args));
  return sha256(canonicalJson([args, named.map(({ path, sha256: held }) => [path, held])]));
}
