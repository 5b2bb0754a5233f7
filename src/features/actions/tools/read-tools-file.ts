import { PlanError } from '../../../kernel/errors.js';
import { isJsonObject, isJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type {
  Binding,
  CheckBinding,
  Effects,
  KitBinding,
  PanesBinding,
  SandboxKind,
  ServerBinding,
} from './bindings.js';
import { effectsOfBinding, FILE_TOOLS } from './file-tools.js';
import { toolsFileSchema, toolsOf } from './tools-file.js';
import type { Tool } from './tools-file.js';
import { toolsFileV3Schema } from './tools-file-v3.js';
import type { ToolsFileV3 } from './tools-file-v3.js';
import { readYaml } from '../../../kernel/yaml.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';

/** A tool of a file, with what carries it out. */
export interface BoundTool extends Tool {
  readonly annotations: JsonObject | null;
  readonly effects: Effects;
  /** Null for a tool that can only be drafted with. */
  readonly run: Binding | KitBinding | null;
  /** Whether the file says what its arguments are; else an MCP server does. */
  readonly hasSchema: boolean;
  /** The JSON Schema of what it brings, where a kit says it. */
  readonly outputSchema?: JsonObject | undefined;
  /** The check that is waited for before each call. */
  readonly ready?: string | undefined;
}

/** A tools file as it is run by. */
export interface ToolsFile {
  readonly tools: readonly BoundTool[];
  readonly servers: ReadonlyMap<string, ServerBinding>;
  readonly checks: ReadonlyMap<string, CheckBinding | KitBinding>;
  readonly panes: PanesBinding | KitBinding | null;
  /** The options of kits, by name; `withKits` adds what they bind. */
  readonly kits: JsonObject;
  /** As {@link KitContents} has it; `withKits` adds it. */
  readonly workflows: ReadonlyMap<string, string>;
  readonly sandbox: SandboxKind;
  readonly requireSandbox: boolean;
  /** All that the file says, as it stands there. */
  readonly content: JsonObject;
}

/**
 * Reads a tools file, JSON or YAML: the form of docs/running.md, or one of docs/drafting.md, whose tools cannot be run.
 * @param file its name, for messages
 * @throws PlanError INVALID_INPUT with file and line: neither JSON nor YAML, another shape, a name used twice
 */
export function readToolsFile(text: string, file: string): ToolsFile {
  const value = parseYaml(text, file);
  const read = isRunnable(value) ? fromV3(value, file) : fromV1(value, file);
  const names = new Set<string>();
  for (const { name } of read.tools) {
    if (names.has(name)) throw invalid(`${file}: the tool ${JSON.stringify(name)} is listed twice`);
    names.add(name);
  }
  return read;
}

const FILE_MEMBERS = ['servers', 'checks', 'panes', 'sandbox', 'require_sandbox', 'kits'];
const TOOL_MEMBERS = ['run', 'effects', 'ready'];

function isRunnable(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { tools } = value;
  return (
    FILE_MEMBERS.some((name) => Object.hasOwn(value, name)) ||
    (Array.isArray(tools) &&
      tools.some(
        (one: unknown) => isJsonObject(one) && TOOL_MEMBERS.some((name) => Object.hasOwn(one, name)),
      ))
  );
}

function fromV1(value: unknown, file: string): ToolsFile {
  const result = toolsFileSchema.safeParse(value);
  if (!result.success)
    throw invalid(`${file}: this is not a list of tools; each needs a name, and its arguments a JSON Schema`);
  const tools = toolsOf(result.data).map((tool): BoundTool => ({
    ...tool,
    annotations: null,
    effects: 'once',
    run: null,
    hasSchema: true,
  }));
  return {
    tools,
    servers: new Map(),
    checks: new Map(),
    panes: null,
    kits: {},
    workflows: new Map(),
    sandbox: 'none',
    requireSandbox: false,
    content: plainJson(Array.isArray(value) ? { tools: value } : value),
  };
}

function fromV3(value: unknown, file: string): ToolsFile {
  const result = toolsFileV3Schema.safeParse(value, IN_OUR_WORDS);
  if (!result.success) {
    const issue = result.error.issues[0];
    const path = (issue?.path ?? []).map(String).join('.');
    throw invalid(
      `${file}: ${path === '' ? '' : `${path}: `}${issue === undefined ? 'not a tools file' : issueText(issue)}`,
    );
  }
  const {
    servers = {},
    tools = [],
    checks = {},
    panes = null,
    kits = {},
    sandbox = 'none',
    require_sandbox = false,
  } = result.data;
  const offered = offeredTools(servers, file);
  const own = tools.map((tool) => boundTool(tool, offered.get(tool.name)));
  const names = new Set(own.map(({ name }) => name));
  const read: ToolsFile = {
    tools: [...own, ...[...offered.values()].filter(({ name }) => !names.has(name))],
    servers: new Map(Object.entries(servers)),
    checks: new Map(Object.entries(checks)),
    panes,
    kits: plainJson(kits),
    workflows: new Map(),
    sandbox,
    requireSandbox: require_sandbox,
    content: plainJson(result.data),
  };
  refuseUnknownServers(read, file, { checks, panes });
  return read;
}

/** Of a union zod says what each of its members misses; what the nearest one does is what helps. */
function issueText(issue: {
  readonly message: string;
  readonly code?: string;
  readonly errors?: unknown;
}): string {
  const errors: unknown = issue.errors;
  if (issue.code !== 'invalid_union' || !Array.isArray(errors)) return issue.message;
  const told = errors.flatMap((one: unknown) => (Array.isArray(one) ? [one.map(shortIssue)] : []));
  const nearest = told.toSorted((a, b) => a.length - b.length)[0];
  return nearest === undefined || nearest.length === 0 ? issue.message : nearest.slice(0, 3).join('; ');
}

function shortIssue(issue: unknown): string {
  const { path, message } = isJsonObject(issue) ? issue : { path: [], message: 'not allowed' };
  const at = Array.isArray(path) ? path.map(String).join('.') : '';
  const said = typeof message === 'string' ? message : 'not allowed';
  return at === '' ? said : `${at}: ${said}`;
}

function boundTool(
  tool: NonNullable<ToolsFileV3['tools']>[number],
  offered: BoundTool | undefined,
): BoundTool {
  const run = tool.run ?? offered?.run ?? null;
  const builtIn = run !== null && 'file' in run ? FILE_TOOLS[run.file] : undefined;
  return {
    name: tool.name,
    description: tool.description ?? builtIn?.description ?? '',
    inputSchema: tool.input_schema ?? builtIn?.inputSchema ?? true,
    annotations: jsonObject(tool.annotations),
    effects: tool.effects ?? offered?.effects ?? effectsOfBinding(run),
    run,
    hasSchema: tool.input_schema !== undefined || builtIn !== undefined,
    ready: tool.ready,
  };
}

/** The tools that the file takes from its servers by their own names. */
function offeredTools(
  servers: NonNullable<ToolsFileV3['servers']>,
  file: string,
): ReadonlyMap<string, BoundTool> {
  const found = new Map<string, BoundTool>();
  for (const [server, { tools = [] }] of Object.entries(servers))
    for (const entry of tools) {
      const { name, effects = 'once' } = typeof entry === 'string' ? { name: entry } : entry;
      if (found.has(name)) throw invalid(`${file}: two servers offer the tool ${JSON.stringify(name)}`);
      const run = { mcp: `${server}/${name}` };
      found.set(name, {
        name,
        description: '',
        inputSchema: true,
        annotations: null,
        effects,
        run,
        hasSchema: false,
      });
    }
  return found;
}

/** What a file looks at with tools of its own. */
type Looking = Pick<NonNullable<ToolsFileV3>, 'checks'> & { readonly panes: PanesBinding | null };

function refuseUnknownServers(
  { tools, servers, kits, checks: known }: ToolsFile,
  file: string,
  { checks = {}, panes }: Looking,
): void {
  const names = new Set(tools.map(({ name }) => name));
  const hasKits = Object.keys(kits).length > 0;
  for (const { name, run } of tools) {
    const server = run !== null && 'mcp' in run ? run.mcp.slice(0, run.mcp.indexOf('/')) : null;
    if (server !== null && !servers.has(server))
      throw invalid(
        `${file}: ${name} names the server ${JSON.stringify(server)}, which the file does not define`,
      );
  }
  for (const { name, ready } of tools)
    if (ready !== undefined && !hasKits && !known.has(ready))
      throw invalid(
        `${file}: ${name} waits for the check ${JSON.stringify(ready)}, which the file does not define`,
      );
  const asking = [
    ...Object.entries(checks).map(([type, { tool }]) => [`the check ${type} names`, tool] as const),
    ...(panes === null ? [] : [['panes names', panes.tool] as const]),
  ];
  for (const [who, tool] of asking)
    if (!hasKits && !names.has(tool) && !servers.has(tool.slice(0, Math.max(0, tool.indexOf('/')))))
      throw invalid(`${file}: ${who} the tool ${JSON.stringify(tool)}, which the file does not define`);
}

function jsonObject(value: unknown): JsonObject | null {
  return isJsonObject(value) && isJsonValue(value) ? value : null;
}

/** What YAML knows and JSON does not, such as `.inf`, is null. */
function plainJson(value: unknown): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) ? plain : {};
}

function parseYaml(text: string, file: string): unknown {
  const read = readYaml(text);
  if ('problem' in read) throw invalid(`${file}:${read.line}: ${read.problem}`);
  return read.value;
}

function invalid(message: string): PlanError {
  return new PlanError('INVALID_INPUT', message, {
    hint: {
      commandLine:
        'docs/drafting.md and docs/running.md show what a tools file holds; `plan schema tools-v3` prints its schema.',
    },
  });
}
