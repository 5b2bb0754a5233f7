import type { Context } from '../../../operations/shared/context.js';
import { PlanError } from '../../../kernel/errors.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import type { GoalCheck } from '../../../plan/goal-work-schema.js';
import type { ToolsFile } from '../../actions/tools/read-tools-file.js';
import { trustedToolsFile } from '../../runs/operations/trust/trusted-tools-file.js';
import type { Tool } from '../../runs/model/tool.js';
import { openToolbox } from '../../runs/runners/toolbox.js';
import type { Clean } from './clean.js';

const TIMEOUT_MS = 600_000;
const SAID = 2000;

/** The tools that checks are bound to, as the user has trusted them. */
export interface CheckTools {
  readonly file: ToolsFile;
  readonly environment: Pick<Context['environment'], 'variables'>;
  readonly isSandboxed: boolean;
}

/**
 * Returns the tools file that checks need, trusted as it is.
 * @throws PlanError E_TOOL_UNTRUSTED, FILE_NOT_FOUND; REFUSED for a tool that is not there or has effects
 */
export async function toolsOfChecks(
  context: Context,
  names: readonly string[],
  isSandboxed: boolean,
): Promise<CheckTools | null> {
  if (names.length === 0) return null;
  const file = await trustedToolsFile(context, undefined);
  for (const name of names) refuseNoCheck(file, name);
  return { file, environment: context.environment, isSandboxed };
}

/** @throws PlanError REFUSED */
function refuseNoCheck(file: ToolsFile, name: string): void {
  const tool = file.tools.find((one) => one.name === name);
  const wrong =
    tool === undefined || tool.run === null
      ? 'the tools file has no such tool'
      : tool.effects === 'none'
        ? null
        : 'it has effects';
  if (wrong === null) return;
  throw new PlanError('REFUSED', `${JSON.stringify(name)} cannot be a check: ${wrong}`, {
    hint: { commandLine: 'A check is a tool under `tools:` of .plans/tools.yaml with `effects: none`.' },
    details: { reason: 'unknown_check', check: name },
  });
}

/** Returns what the tools of checks run, for looking up which files they name. */
export function commandsOf({ file }: CheckTools, checks: readonly GoalCheck[]): readonly string[] {
  return checks.flatMap(({ tool, args }) => [
    JSON.stringify(file.tools.find(({ name }) => name === tool)?.run ?? null),
    ...Object.values(args).map(String),
  ]);
}

/**
 * Runs checks one after the other in a folder.
 * @param mark begins with the token of the attempt
 * @returns why the first failed; null where all succeeded
 */
export async function runChecks(
  { file, environment, isSandboxed }: CheckTools,
  checks: readonly GoalCheck[],
  {
    root,
    mark,
    signal,
    clean,
  }: { readonly root: string; readonly mark: string; readonly signal: AbortSignal; readonly clean: Clean },
): Promise<string | null> {
  const tools = [...new Set(checks.map(({ tool }) => tool))];
  const toolbox = await openToolbox({
    file,
    needed: { tools, conditions: [] },
    run: mark,
    environment: {
      root,
      forbidden: [],
      hidden: [],
      variables: environment.variables,
      keep: async () => Promise.resolve(''),
      sandbox: isSandboxed ? 'workspace' : 'none',
      requireSandbox: isSandboxed,
    },
  });
  try {
    for (const [index, check] of checks.entries()) {
      const tool = toolbox.tools.get(check.tool);
      if (tool === undefined) return `${check.tool}: there is no such tool`;
      const attempt = `run-${mark}/check/${index}`;
      const outcome = await tool.call({
        args: argumentsOf(tool, check),
        key: attempt,
        attempt,
        timeoutMs: tool.timeoutMs ?? TIMEOUT_MS,
        signal,
      });
      await toolbox.endOrphan(attempt);
      if (outcome.outcome !== 'succeeded') return failureOf(check.tool, outcome, clean);
    }
    return null;
  } finally {
    await toolbox.close();
  }
}

function failureOf(
  tool: string,
  outcome: { readonly error: { readonly message: string }; readonly output?: JsonValue },
  clean: Clean,
): string {
  const output = outcome.output === undefined ? '' : `\n${clean(wordsOf(outcome.output))}`;
  return `the check ${tool} failed: ${outcome.error.message}${output}`.slice(0, 200) + output.slice(-SAID);
}

function wordsOf(output: JsonValue): string {
  if (typeof output === 'string') return output;
  if (!isJsonObject(output)) return JSON.stringify(output);
  return Object.values(output)
    .filter((value) => typeof value === 'string')
    .join('\n');
}

/** The arguments of a check, whose texts become numbers and truth values where the tool takes such. */
function argumentsOf(tool: Tool, { args }: GoalCheck): JsonObject {
  const { inputSchema } = tool.definition();
  const properties =
    isJsonObject(inputSchema) && isJsonObject(inputSchema.properties) ? inputSchema.properties : {};
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const schema = properties[name];
      const type = isJsonObject(schema) ? schema.type : undefined;
      const text = String(value);
      if ((type === 'integer' || type === 'number') && Number.isFinite(Number(text)))
        return [name, Number(text)];
      return [name, type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text];
    }),
  );
}
