import { dirname } from 'node:path';

import { programWarnings } from '../runners/programs/program-warnings.js';
import { openToolbox, sandboxWarnings } from '../runners/toolbox.js';
import { neededTools, toolWarnings, unboundNames } from '../model/tools/needed-tools.js';
import type { NeededTools } from '../model/tools/needed-tools.js';
import { builtInNames } from '../model/builtins.js';
import { realFolder } from '../../../host/files/folders.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Context } from '../../../operations/shared/context.js';
import { userConfigPath } from '../../../operations/shared/environment.js';
import { KIT_CARRIER } from '../parts.js';
import type { ToolsOfRun, ToolsWanted } from './tools-wanted.js';
import { trustedToolsFile } from './trust/trusted-tools-file.js';

/**
 * Opens the tools of a tools file that the user has trusted. What the plan names and the file does not bind is left out.
 * @throws PlanError E_TOOL_UNTRUSTED, E_UNSAFE_VARIABLE, E_TOOL_CHANGED, E_SANDBOX_MISSING, REFUSED, FILE_NOT_FOUND, INVALID_INPUT
 */
export async function openToolsFile(
  context: Context,
  { plan, file: name, run, keep, prepared, confinement = {} }: ToolsWanted,
): Promise<Omit<ToolsOfRun, 'unbound'>> {
  const file = await trustedToolsFile(context, name);
  const all = neededTools(plan);
  const unbound = unboundNames(all, file);
  const needed: NeededTools = {
    tools: all.tools.filter((one) => !unbound.tools.includes(one)),
    conditions: all.conditions.filter((one) => !unbound.conditions.includes(one)),
    panes: all.panes ?? false,
  };
  const { environment } = context;
  const root = realFolder(context.projectFolder() ?? environment.workingFolder);
  const own = realFolder(dirname(userConfigPath(environment)));
  const folder = context.storeFolder();
  const store = folder === null ? [] : [realFolder(folder)];
  const runner = {
    root,
    forbidden: [...store, own],
    hidden: [own],
    variables: environment.variables,
    allowedVariables: (await context.userConfig()).tools?.allow_env,
    keep,
    sandbox: confinement.sandbox,
    requireSandbox: confinement.require_sandbox,
  };
  const approvedServers = prepared === undefined ? undefined : serversOf(prepared);
  const kits = Object.keys(file.kits).length === 0 ? null : await context.partIfAny(KIT_CARRIER);
  const toolbox = await openToolbox({ file, needed, run, environment: runner, approvedServers, kits });
  const found = [
    ...toolWarnings(needed, file),
    ...(await sandboxWarnings({ file, needed, environment: runner })),
    ...(await programWarnings({ file, needed, environment: runner })),
  ];
  const warnings = found.map(({ tool, message }) => `${tool}: ${message}`);
  const tools = file.tools.flatMap(({ name: each, run: isBound }) => (isBound === null ? [] : [each]));
  const bound = { tools, conditions: [...file.checks.keys()] };
  return { toolbox, file: file.path, bound, warnings };
}

/** What the programs of the servers of a prepared run were, by the names of the servers. */
function serversOf({
  tools,
  conditions = [],
}: NonNullable<ToolsWanted['prepared']>): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  const see = (binding: JsonObject) => {
    const { mcp, server } = binding;
    if (typeof mcp === 'string' && isJsonObject(server)) {
      const { program } = server;
      const held = isJsonObject(program) && typeof program.sha256 === 'string' ? program.sha256 : null;
      found.set(mcp.slice(0, mcp.indexOf('/')), held);
    } else
      // What a condition, or what a tool waits for, is looked at with.
      for (const part of [binding.tool, binding.binding]) if (isJsonObject(part)) see(part);
    if (isJsonObject(binding.ready)) see(binding.ready);
  };
  for (const { binding } of [...tools, ...conditions]) see(binding);
  return found;
}

/** Whether all that a plan names needs no binding, so that no tools file is looked for. */
export function needsNoFile({ plan }: ToolsWanted): boolean {
  const { tools, conditions } = neededTools(plan);
  return [...tools, ...conditions].every((name) => builtInNames().has(name));
}
