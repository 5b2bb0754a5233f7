import { randomBytes } from 'node:crypto';

import type { ToolsFile } from '../../actions/tools/read-tools-file.js';
import { PlanError } from '../../../kernel/errors.js';
import type { Condition, Tool, Toolbox } from '../model/tool.js';
import type { NeededTools, ToolWarning } from '../model/tools/needed-tools.js';
import { boundTool } from './bound-tool.js';
import type { BindingContext } from './bound-tool.js';
import { boundCondition } from './condition.js';
import type { KitCarrier } from './kit-carrier.js';
import { createMcpServer } from './mcp/mcp-server.js';
import type { McpServer } from './mcp/mcp-server.js';
import { endMarkedOrphans } from './programs/orphans.js';
import { RefusedCall } from './outcomes.js';
import { boundPanes } from './panes.js';
import { findSandbox, narrower } from './sandbox/sandbox.js';
import type { RunnerEnvironment } from './runner-environment.js';

/** What a toolbox is made of. */
export interface ToolboxOptions {
  readonly file: ToolsFile;
  /** Tools and conditions that are bound; see `unboundNames`. */
  readonly needed: NeededTools;
  readonly environment: RunnerEnvironment;
  /** What carries out the tools of kits; nothing where it is left out. */
  readonly kits?: KitCarrier | null | undefined;
  /** The id of the run, by which its servers are found again. */
  readonly run: string;
  /** What the programs of servers were when the run was prepared, by the names of servers; none is started that is another. */
  readonly approvedServers?: ReadonlyMap<string, string | null> | undefined;
}

/**
 * Binds what a plan calls to what a tools file says: MCP servers are started, and asked for their tools. Trust in the
 * file is for the caller to see to.
 * @throws PlanError E_TOOL_CHANGED for a tool that a server has no longer, REFUSED for a server that cannot be used,
 *   E_SANDBOX_MISSING
 */
export async function openToolbox({
  file,
  needed,
  environment: given,
  run,
  kits = null,
  approvedServers = new Map(),
}: ToolboxOptions): Promise<Toolbox> {
  const environment = withSandbox(given, file);
  // Another process, even one of the same id, has other marks.
  const marks = `${run}/server/`;
  const own = `${marks}${process.pid}-${randomBytes(6).toString('hex')}/`;
  let looks = 0;
  const servers = new Map<string, McpServer>();
  const box: BindingContext = {
    file,
    environment,
    kits,
    approvedServers,
    markOfLook: () => `${own}look/${(looks += 1)}`,
    serverOf: (name) => serverOf(name, { file, environment, servers, mark: own }),
  };
  const close = async () => {
    await Promise.all([...Array.from(servers.values(), (server) => server.close()), kits?.close(box)]);
  };
  try {
    await refuseMissingSandbox(box, needed);
    const tools = new Map<string, Tool>();
    for (const name of needed.tools) tools.set(name, await whenReady(await boundTool(name, box), name, box));
    const conditions = new Map<string, Condition>();
    for (const type of needed.conditions) conditions.set(type, await boundCondition(type, box));
    const panes = file.panes === null || !needed.panes ? undefined : await boundPanes(file.panes, box);
    return {
      tools,
      conditions,
      panes,
      async endOrphan(attempt) {
        // The servers of an executor that is gone are nobody's either.
        await endMarkedOrphans(
          (mark) => mark === attempt || (mark.startsWith(marks) && !mark.startsWith(own)),
        );
      },
      close,
    };
  } catch (cause) {
    await close();
    if (cause instanceof RefusedCall) throw refusal(cause);
    throw cause;
  }
}

/** A tool that is waited for, as its file says. What is waited for is part of what is approved. */
async function whenReady(tool: Tool, name: string, box: BindingContext): Promise<Tool> {
  const type = box.file.tools.find((one) => one.name === name)?.ready;
  if (type === undefined) return tool;
  const ready = await boundCondition(type, box);
  const own = tool.definition();
  const definition = { ...own, binding: { ...own.binding, ready: ready.definition().binding } };
  return { ...tool, ready, definition: () => definition };
}

function withSandbox(
  environment: RunnerEnvironment,
  { sandbox, requireSandbox }: ToolsFile,
): RunnerEnvironment {
  return {
    ...environment,
    sandbox: narrower(sandbox, environment.sandbox ?? 'none'),
    requireSandbox: requireSandbox || environment.requireSandbox === true,
  };
}

interface Servers {
  readonly file: ToolsFile;
  readonly environment: RunnerEnvironment;
  readonly servers: Map<string, McpServer>;
  readonly mark: string;
}

function serverOf(
  name: string,
  { file, environment, servers, mark }: Servers,
): ReturnType<BindingContext['serverOf']> {
  const binding = file.servers.get(name);
  if (binding === undefined) throw new RefusedCall('NOT_STARTED', `the tools file has no server ${name}`);
  const server = servers.get(name) ?? createMcpServer(name, binding, environment, mark + name);
  servers.set(name, server);
  return { server, binding };
}

function refusal({ code, message }: RefusedCall): PlanError {
  const known = code === 'E_TOOL_CHANGED' || code === 'E_SANDBOX_MISSING' ? code : 'REFUSED';
  const hint =
    known === 'E_TOOL_CHANGED'
      ? 'Prepare the plan again, and look at what the tool is now.'
      : known === 'E_SANDBOX_MISSING'
        ? 'Install bubblewrap (`bwrap`), or ask for no sandbox.'
        : 'Mend the tools file, or start what it names.';
  return new PlanError(known, message, { hint: { commandLine: hint } });
}

/** Says of each tool of a toolbox whose sandbox cannot be had here that it runs without. */
export async function sandboxWarnings({
  file,
  needed,
  environment: given,
}: Omit<ToolboxOptions, 'run'>): Promise<readonly ToolWarning[]> {
  const environment = withSandbox(given, file);
  const names = new Set(needed.tools);
  const asking = file.tools.filter(
    ({ name, run }) =>
      names.has(name) &&
      run !== null &&
      'command' in run &&
      narrower(run.sandbox ?? 'none', environment.sandbox ?? 'none') !== 'none',
  );
  if (asking.length === 0 || (await isSandboxThere(environment))) return [];
  const message = 'its sandbox needs bubblewrap, which cannot be used here; it runs without';
  return asking.map(({ name }) => ({ tool: name, message }));
}

async function isSandboxThere({ variables, root }: RunnerEnvironment): Promise<boolean> {
  return (await findSandbox(variables, root)) !== null;
}

async function refuseMissingSandbox(
  { file, environment }: BindingContext,
  needed: NeededTools,
): Promise<void> {
  if (environment.requireSandbox !== true) return;
  const names = new Set(needed.tools);
  const asked = [
    environment.sandbox,
    ...file.tools.flatMap(({ name, run }) =>
      names.has(name) && run !== null && 'command' in run ? [run.sandbox] : [],
    ),
    ...Array.from(file.servers.values(), (server) => ('command' in server ? server.sandbox : undefined)),
  ];
  if (asked.every((kind) => (kind ?? 'none') === 'none') || (await isSandboxThere(environment))) return;
  throw new RefusedCall(
    'E_SANDBOX_MISSING',
    'a sandbox is demanded, and bubblewrap (bwrap) is not there or may make none',
  );
}
