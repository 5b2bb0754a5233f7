import { isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { legibleJson } from '../../../../kernel/text/safe-text.js';
import type { ToolsFile } from '../../../actions/tools/read-tools-file.js';
import { secretUses } from '../../../actions/tools/secret-uses.js';
import type { ApprovalPart } from '../approving/approval-part.js';

/** A variable of the user that a tools file passes on. */
interface PassedSecret {
  readonly variable: string;
  /** The tool, server or check that it is given to, and where that leads. */
  readonly to: string;
  /** Where it stands in the file. */
  readonly at: string;
}

/** The variables of the user that a tools file passes on, and to whom, in the order of the file. */
export function secretsOf(content: JsonObject): readonly PassedSecret[] {
  return secretUses(content).map(({ variable, at }) => {
    const [kind = '', entry = '', ...rest] = at;
    const holder = memberOf(memberOf(content, kind), entry);
    const name = isJsonObject(holder) && typeof holder.name === 'string' ? holder.name : entry;
    const who = WHO[kind] ?? kind;
    const what = destinationOf(holder);
    return {
      variable,
      to: [who, quoted(name), what === null ? '' : `(${quoted(what)})`]
        .filter((word) => word !== '')
        .join(' '),
      at: [kind, name, ...rest].map(quoted).join('.'),
    };
  });
}

const WHO: Readonly<Record<string, string>> = {
  tools: 'the tool',
  servers: 'the server',
  checks: 'the check',
};

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (isJsonList(value)) return value[Number(name)];
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Where what a tool or a server is given leads: an address, a program, another server or tool. */
function destinationOf(holder: JsonValue | undefined): string | null {
  if (!isJsonObject(holder)) return null;
  const run = isJsonObject(holder.run) ? holder.run : holder;
  const { url = null } = isJsonObject(run.http) ? run.http : run;
  const [program = null] = isJsonList(run.command) ? run.command : [];
  const found = [url, program, run.mcp ?? null, run.tool ?? null].find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : null;
}

/**
 * All that a tools file says, in the order in which it is shown before it is trusted: which secrets go where, then every
 * member of every server and tool. It is made of what was read, so that no member can be forgotten.
 */
export function trustParts({ content, tools }: ToolsFile): readonly ApprovalPart[] {
  const { servers, tools: listed, checks, panes, kits, ...others } = content;
  const effects = new Map(tools.map((tool) => [tool.name, tool.effects]));
  const secrets = secretsOf(content).map(
    ({ variable, to, at }) =>
      `${variable} goes to ${to}, by ${at}${isEarly(at) ? ', as soon as a run is prepared' : ''}`,
  );
  return [
    part('Secrets', secrets),
    part('Servers', namedEntries(servers)),
    part(
      'Tools',
      isJsonList(listed) ? listed.flatMap((tool) => toolLines(tool, effects)) : memberLines(listed),
    ),
    part('Kits', kitLines(kits, tools)),
    part('Checks', namedEntries(checks)),
    part('Panes', memberLines(panes)),
    part('The file', memberLines(others)),
  ].filter(({ lines }) => lines.length > 0);
}

/** Each kit with its options, and the tools that it brings. */
function kitLines(kits: JsonValue | undefined, tools: ToolsFile['tools']): readonly string[] {
  if (!isJsonObject(kits)) return [];
  return Object.entries(kits).flatMap(([kit, options]) => [
    `${quoted(kit)} ${shown(options ?? {})}`,
    ...tools.flatMap(({ name, effects, run }) =>
      run !== null && 'kit' in run && run.kit === kit ? [`  ${quoted(name)} (${effects})`] : [],
    ),
  ]);
}

/** Servers are asked for their tools, and panes for what they are, before anybody approves a run. */
function isEarly(at: string): boolean {
  return at.startsWith('servers.') || at.startsWith('panes.');
}

function part(title: string, lines: readonly string[]): ApprovalPart {
  return { title, lines, kind: 'list' };
}

function namedEntries(entries: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(entries)) return memberLines(entries);
  return Object.entries(entries).flatMap(([name, members]) => [
    quoted(name),
    ...indented(memberLines(members)),
  ]);
}

function toolLines(tool: JsonValue, effects: ReadonlyMap<string, string>): readonly string[] {
  if (!isJsonObject(tool) || typeof tool.name !== 'string') return memberLines(tool);
  const { name, ...members } = tool;
  const isShell = isJsonObject(tool.run) && tool.run.shell === true;
  return [
    `${quoted(name)} (${effects.get(name) ?? 'once'})`,
    ...(isShell ? [`  ${SHELL_WARNING}`] : []),
    ...indented(memberLines(members)),
  ];
}

/** What is said of a tool whose first word is a script. */
export const SHELL_WARNING = 'a shell runs it, which reads its script as a program';

/** Members that hold what carries a tool out: their own members are lines too. */
const OPENED: ReadonlySet<string> = new Set(['run', 'http']);

/** Each member of a value on a line: its way, and its value as JSON. */
function memberLines(value: JsonValue | undefined, before = ''): readonly string[] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) return [`${before}${shown(value)}`];
  return Object.entries(value).flatMap(([name, member]) => {
    const way = /^[A-Za-z_$][\w$-]*$/.test(name) ? name : shown(name);
    return OPENED.has(name) && isJsonObject(member) && Object.keys(member).length > 0
      ? memberLines(member, `${before}${way}.`)
      : [`${before}${way}: ${shown(member)}`];
  });
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** A name, or an address: as it is where nothing in it can be taken for the words around it, else as JSON. */
function quoted(text: string): string {
  return /^[\w.:/?&=%@~+#${}*-]*$/.test(text) ? text : shown(text);
}

function shown(value: JsonValue): string {
  return legibleJson(JSON.stringify(value));
}
