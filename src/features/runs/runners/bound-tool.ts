import type { Binding, KitBinding, ServerBinding } from '../../actions/tools/bindings.js';
import type { BoundTool, ToolsFile } from '../../actions/tools/read-tools-file.js';
import { fillMembers } from '../../actions/tools/template.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { isJsonObject, isJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { KnownCall, Outcome, Tool, ToolDefinition } from '../model/tool.js';
import { callCommand, folderOfCommand, problemOfCommand } from './command.js';
import { callFile, inputsOfFile, problemOfFile, removeLeftoversOfFile } from './file.js';
import { callHttp, problemOfHttp } from './http.js';
import { knownProblem, knownValues } from './known-problem.js';
import type { KitCarrier } from './kit-carrier.js';
import type { McpServer, OfferedTool } from './mcp/mcp-server.js';
import { outputSchemaOf } from '../../actions/tools/output-schemas.js';
import { concluded, notSentOutcome, RefusedCall, withValueAlone } from './outcomes.js';
import { commandFiles } from './programs/command-files.js';
import { programOf } from './programs/program-files.js';
import { settledFile } from './settled-file.js';
import { narrower } from './sandbox/sandbox.js';
import { createSecrets } from './secrets.js';
import { readWrittenFiles } from './written-files.js';
import type { RunnerEnvironment } from './runner-environment.js';

/** What tools and conditions are bound with. */
export interface BindingContext {
  readonly file: ToolsFile;
  readonly environment: RunnerEnvironment;
  readonly serverOf: (name: string) => { readonly server: McpServer; readonly binding: ServerBinding };
  /** As {@link ToolboxOptions} has it. */
  readonly approvedServers: ReadonlyMap<string, string | null>;
  /** What carries out the tools of kits. */
  readonly kits: KitCarrier | null;
  /** A mark for processes of a look at a condition, another each time. */
  readonly markOfLook: () => string;
}

/**
 * The bound tool of a name that steps use.
 * @throws RefusedCall for one without a binding, or that its server has no longer
 */
export async function boundTool(name: string, box: BindingContext): Promise<Tool> {
  const tool = box.file.tools.find((one) => one.name === name);
  if (tool === undefined || tool.run === null) throw new RefusedCall('NOT_STARTED', `${name} has no binding`);
  return toolBoundTo(tool, tool.run, box);
}

/** A tool as it is bound: with what carries it out. @throws RefusedCall for one that its server has no longer */
export async function toolBoundTo(
  tool: BoundTool,
  run: Binding | KitBinding,
  box: BindingContext,
): Promise<Tool> {
  const { environment } = box;
  if ('kit' in run) return kitTool(tool, run, box);
  const limits = { timeoutMs: timeoutOf(run), settleMs: settleOf(run), outputSchema: outputSchemaOf(run) };
  if ('file' in run) {
    const definition = definitionOf(tool, toolJson(run));
    return {
      ...limits,
      definition: () => definition,
      inputs: (args, later) => inputsOfFile(run, args, environment, later).catch(refuseInputs),
      checksInputs: true,
      problem: (call) => problemOfFile(run, call, environment),
      call: (call) => callFile(run, call, environment),
      ...(tool.effects === 'once'
        ? { settled: (args, before) => settledFile(run, args, before, environment) }
        : {}),
      removeLeftovers: (call) => removeLeftoversOfFile(run, call, environment),
    };
  }
  if ('http' in run) {
    const definition = definitionOf(tool, toolJson(run));
    return {
      ...limits,
      definition: () => definition,
      problem: (call) => problemOfHttp(run, call),
      call: (call) => callHttp(run, call, environment),
    };
  }
  if ('mcp' in run) return remoteTool(tool, run, box);
  const folder = folderOfCommand(run.folder, environment.root);
  const files = commandFiles(run, folder, environment);
  const inputs = (args: JsonObject, later: ReadonlySet<string> = new Set()) =>
    readWrittenFiles(files.written({ args, later }), { folder, root: environment.root });
  const program = async () => programOf(await files.ofBinding());
  const approved = await program();
  const kind = narrower(run.sandbox ?? 'none', environment.sandbox ?? 'none');
  const definition = definitionOf(tool, withProgram({ ...toolJson(run), sandbox: kind }, approved));
  return {
    ...limits,
    definition: () => definition,
    problem: (call) => problemOfCommand(run, call, environment),
    inputs,
    named: (call, seen) => files.ofCall(call, seen),
    async call(call) {
      const now = await program();
      if (now?.sha256 !== approved?.sha256) return programChanged(tool.name, approved ?? now);
      const outcome = await callCommand(run, call, environment);
      return outcome.outcome === 'not_sent' ? outcome : { ...outcome, files: await inputs(call.args) };
    },
  };
}

function withProgram(binding: JsonObject, program: JsonObject | null): JsonObject {
  return program === null ? binding : { ...binding, program };
}

/** What a server that is started is approved with of its program. */
async function programOfServer(
  binding: ServerBinding,
  environment: RunnerEnvironment,
): Promise<JsonObject | null> {
  if (!('command' in binding)) return null;
  const folder = folderOfCommand(binding.folder, environment.root);
  return programOf(await commandFiles(binding, folder, environment, 'programs').ofBinding());
}

function programChanged(tool: string, program: JsonObject | null): Outcome {
  const path = typeof program?.path === 'string' ? program.path : tool;
  const what = path.includes(', ') ? `one of ${path} holds` : `${path} holds`;
  return notSentOutcome(
    'E_TOOL_CHANGED',
    `${what} something else than what was approved; a file that ${tool} itself writes is named under \`writes\` of its binding`,
  );
}

async function remoteTool(
  tool: BoundTool,
  run: Extract<Binding, { mcp: string }>,
  box: BindingContext,
): Promise<Tool> {
  const slash = run.mcp.indexOf('/');
  const [name, remote] = [run.mcp.slice(0, slash), run.mcp.slice(slash + 1)];
  const { server, binding } = box.serverOf(name);
  const program = () => programOfServer(binding, box.environment);
  const started = await program();
  const expected = box.approvedServers.get(name);
  if (expected !== undefined && expected !== (started?.sha256 ?? null))
    throw new RefusedCall(
      'E_TOOL_CHANGED',
      `what the server ${name} is started with has changed since the run was prepared, and it was not started`,
    );
  const offered = (await server.tools()).find((one) => one.name === remote);
  if (offered === undefined)
    throw new RefusedCall('E_TOOL_CHANGED', `the server ${name} offers no tool ${remote}`);
  const definition = remoteDefinition(
    tool,
    { ...toolJson(run), server: withProgram(toolJson(binding), started), offered: offered.said },
    offered,
  );
  const approved = canonicalJson(offered.said);
  const isSame = (now: OfferedTool | null) => now !== null && canonicalJson(now.said) === approved;
  return {
    timeoutMs: timeoutOf(run),
    settleMs: settleOf(run),
    definition: () => definition,
    problem: (call) => problemOfMembers(run.args, call),
    call: (call) =>
      concluded(createSecrets({}), async () => {
        // One that has died is started anew by the call.
        const now = await program();
        if (now?.sha256 !== started?.sha256) return programChanged(tool.name, started ?? now);
        const secrets = createSecrets(box.environment.variables);
        const filled =
          run.args === undefined
            ? call.args
            : fillMembers(run.args, { args: call.args, secret: secrets.read, call: { ...call } });
        return concluded(secrets, async () => {
          const outcome = await server.call(remote, { ...call, args: filled }, isSame);
          return run.output === 'value' ? withValueAlone(outcome, run.mcp) : outcome;
        });
      }),
  };
}

/** Why the arguments of a remote tool cannot be filled so, whenever they are; null where they can. */
function problemOfMembers(template: JsonObject = {}, call: KnownCall): string | null {
  const values = knownValues(call);
  return knownProblem(
    Object.entries(template).map(
      ([name, member]) =>
        () =>
          fillMembers({ [name]: member }, values),
    ),
  );
}

/** Where the file does not say what a tool takes, its server does. */
function remoteDefinition(tool: BoundTool, binding: JsonObject, offered: OfferedTool): ToolDefinition {
  const own = definitionOf(tool, binding);
  const { annotations } = offered.said;
  const takesAll = 'mcp' in binding && !('args' in binding);
  return {
    ...own,
    description: tool.description === '' ? offered.description : tool.description,
    inputSchema: tool.hasSchema || !takesAll ? own.inputSchema : offered.inputSchema,
    ...(own.annotations === undefined && isJsonObject(annotations) ? { annotations } : {}),
  };
}

function definitionOf(
  { name, description, inputSchema, annotations, effects }: BoundTool,
  binding: JsonObject,
): ToolDefinition {
  return {
    name,
    description,
    inputSchema: jsonSchema(inputSchema),
    effects,
    binding,
    ...(annotations === null ? {} : { annotations }),
  };
}

function jsonSchema(schema: BoundTool['inputSchema']): JsonObject | boolean {
  return isJsonObject(schema) && isJsonValue(schema) ? schema : schema !== false;
}

/** What was parsed as JSON, as the JSON it is. */
export function toolJson(value: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) ? plain : {};
}

/** The tool of a kit, as it is carried out. */
async function kitTool(tool: BoundTool, run: KitBinding, box: BindingContext): Promise<Tool> {
  const { timeout_ms: timeoutMs, settle_ms: settleMs, ...binding } = run;
  const carried = await carrierOf(run, box).tool(tool.name, run, box);
  // What an upgrade says of it in other words is the same tool.
  const bound = toolJson({ ...binding, output_schema: tool.outputSchema });
  const definition = { ...definitionOf(tool, bound), description: '' };
  const { outputSchema } = tool;
  return { timeoutMs, settleMs, outputSchema, ...carried, definition: () => definition };
}

/** What carries out kits. @throws RefusedCall where nothing does */
export function carrierOf({ kit }: KitBinding, { kits }: BindingContext): KitCarrier {
  if (kits === null) throw new RefusedCall('NOT_STARTED', `nothing here carries out the kit ${kit}`);
  return kits;
}

function timeoutOf(run: Binding): number | undefined {
  return run.timeout_ms ?? ('http' in run ? run.http.timeout_ms : undefined);
}

function settleOf(run: Binding): number | undefined {
  return run.settle_ms ?? ('http' in run ? run.http.settle_ms : undefined);
}

/** A name that no file can have is told when the call is made, as any other argument that is wrong. */
function refuseInputs(cause: unknown): readonly [] {
  if (cause instanceof RefusedCall) return [];
  throw cause;
}
