import { PlanError } from '../../../kernel/errors.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { CommandBinding } from './bindings.js';
import type { ToolsFile } from './read-tools-file.js';
import { reasonAgainstName } from './unsafe-names.js';

/** A variable that a tools file sets and that chooses which program runs, or has one load code. */
export interface UnsafeVariable {
  readonly name: string;
  /** Which tool or server, and where in it. */
  readonly place: string;
  /** What it is set to. */
  readonly value: string;
  readonly reason: string;
}

/** What starts a program: a binding of a tool, or a server. */
type Started = Pick<CommandBinding, 'command' | 'env'>;

/**
 * Finds the variables that a tools file sets and must not: in `env`, and in words of a command that read as an assignment
 * (`env PATH=… tool`). A name that passes on the user's own value is none.
 * @param allowed names that the user's own config allows
 */
export function unsafeVariables(file: ToolsFile, allowed: ReadonlySet<string>): readonly UnsafeVariable[] {
  const tools = file.tools.flatMap(({ name, run }) =>
    run !== null && 'command' in run ? [[`the tool ${name}`, run] as const] : [],
  );
  const servers = Array.from(file.servers).flatMap(([name, server]) =>
    'command' in server ? [[`the server ${name}`, server] as const] : [],
  );
  return [...servers, ...tools].flatMap(([who, started]) => unsafeOf(who, started, allowed));
}

/**
 * Refuses a tools file that sets a variable which chooses a program, or has one load code.
 * @throws PlanError E_UNSAFE_VARIABLE naming each, and how the user allows one
 */
export function refuseUnsafeVariables(
  file: ToolsFile,
  { name, allowed, config }: { name: string; allowed: readonly string[]; config: string },
): void {
  const found = unsafeVariables(file, new Set(allowed));
  const [first] = found;
  if (first === undefined) return;
  const more = found.length === 1 ? '' : ` (and ${found.length - 1} more)`;
  const names = JSON.stringify([...new Set([...allowed, ...found.map((one) => one.name)])]);
  throw new PlanError(
    'E_UNSAFE_VARIABLE',
    `${name}: ${oneLine(first.place)} sets ${first.name} to ${JSON.stringify(truncate(oneLine(first.value), 80))}, and ${first.reason}${more}`,
    {
      hint: {
        commandLine: `Take it out, or pass on your own value (\`env: [${first.name}]\`). If you know what it does, allow the name by hand in your own config, ${config}: {"tools": {"allow_env": ${truncate(names, 200)}}}.`,
      },
      details: { variables: found.slice(0, 100) },
    },
  );
}

function unsafeOf(
  who: string,
  { command, env = [] }: Started,
  allowed: ReadonlySet<string>,
): readonly UnsafeVariable[] {
  const listed = Array.isArray(env) ? [] : Object.entries(env);
  const set = listed.map(([name, value]) => ({ name, value, place: `env of ${who}` }));
  const words = command.flatMap((word, index) =>
    assignmentsIn(word).map((one) => ({ ...one, place: `word ${index + 1} of the command of ${who}` })),
  );
  return [...set, ...words].flatMap((one) => {
    const reason =
      allowed.has(one.name) || one.value === `\${env:${one.name}}` ? null : reasonAgainstName(one.name);
    return reason === null ? [] : [{ ...one, reason }];
  });
}

/**
 * Says why a word of a command must not be, once the arguments of a step are in it: they make it set a variable as above.
 * @param template the word as the tools file has it, which was looked at when the file was read
 */
export function problemOfWord(word: string, template: string, allowed: readonly string[]): string | null {
  const name = nameSetBy(word);
  if (name === null || name === nameSetBy(template) || allowed.includes(name) || !isTyped(name)) return null;
  const reason = reasonAgainstName(name);
  return reason === null ? null : `${JSON.stringify(template)} would set ${name}, and ${reason}`;
}

function nameSetBy(word: string): string | null {
  return /^([A-Za-z_]\w*)\+?=/.exec(word)?.[1] ?? null;
}

/** Assignments that a word of a command makes, or may make: of a script, as a shell reads it. */
function assignmentsIn(word: string): readonly { readonly name: string; readonly value: string }[] {
  const isScript = /[\s;&|]/.test(word);
  // A shell, and `env -S`, take `P"AT"H` for PATH.
  const found = isScript
    ? [word.replaceAll(/["'\\]/g, ''), word].flatMap((one) => inScript(one))
    : inWord(word);
  const each = new Map(found.map((one) => [one.name, one]));
  return [...each.values()].filter(({ name }) => isTyped(name));
}

/** In a command line the case counts: `path=` of a tool's own is no PATH. */
function isTyped(name: string): boolean {
  return name === name.toUpperCase() || /^npm_|_proxy$|^shell_escape$/.test(name);
}

function inScript(script: string): readonly { readonly name: string; readonly value: string }[] {
  const found = script.matchAll(/(?<![\w$-])([A-Za-z_]\w*)\+?=/g);
  return Array.from(found, ({ 1: name = '', index }) => {
    // `env -S` writes a space as \_ and a tab as \t.
    const isEscaped = script[index - 1] === '\\';
    const value = script.slice(script.indexOf('=', index) + 1);
    return { name: isEscaped ? name.slice(1) : name, value: /^\S*/.exec(value)?.[0] ?? '' };
  });
}

/** `NAME=…`, `--setenv=NAME=…`, or behind the letters of short options, as in `-iSNAME=…` of env. */
function inWord(word: string): readonly { readonly name: string; readonly value: string }[] {
  const [, name, value = ''] = /^(?:--[\w-]+=|-[i0vu]{0,4}[eESv])?([A-Za-z_]\w*)\+?=(.*)$/s.exec(word) ?? [];
  return name === undefined ? [] : [{ name, value }];
}
