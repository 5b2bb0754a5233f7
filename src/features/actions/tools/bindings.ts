import * as z from 'zod';

import { isJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { parseTemplate, placeholdersIn } from './template.js';
import type { TemplatePart } from './template.js';

/** Whether every template in a value can be read, and which placeholders may be in it. */
function templates(value: JsonValue, allowed: readonly TemplatePart['kind'][]): string | null {
  try {
    const otherDialect = placeholdersIn(value).find(({ kind }) => !allowed.includes(kind));
    return otherDialect === undefined ? null : `no ${otherDialect.kind} is allowed here`;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

const ANY = ['argument', 'secret', 'call'] as const;

/** A text with placeholders. */
const templateOf = (allowed: readonly TemplatePart['kind'][]) =>
  z
    .string()
    .max(20_000)
    .check(({ value, issues }) => {
      const problem = value.includes('\0') ? 'a NUL cannot be passed on' : templates(value, allowed);
      if (problem !== null) issues.push({ code: 'custom', message: problem, input: value });
    });

const jsonTemplate = z
  .unknown()
  .check(({ value, issues }) => {
    const problem = isJsonValue(value, 50) ? templates(value, ANY) : 'must be JSON';
    if (problem !== null) issues.push({ code: 'custom', message: problem, input: value });
  })
  .pipe(z.custom<JsonValue>());

const literal = templateOf([]);
const variable = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'not the name of a variable')
  .refine((name) => !name.startsWith('FRCTL_'), 'this variable cannot be set');
const milliseconds = z.int().positive().max(86_400_000);
const limits = {
  timeout_ms: milliseconds
    .optional()
    .describe('What an attempt may take where the step says nothing; 60,000 when left out.'),
  settle_ms: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe('After so long a request that was on its way has had its effect; 5,000 when left out.'),
};

/** The most that `max_output` may ask for, in bytes. */
export const MOST_MAX_OUTPUT = 64 * 1024 * 1024;

const maxOutput = (otherwise: string) =>
  z
    .int()
    .positive()
    .max(MOST_MAX_OUTPUT)
    .optional()
    .describe(
      `Bytes of what it brings that are kept; ${otherwise} when left out. Of more a run keeps the beginning, and no step can use it.`,
    );

const valueAlone = (what: string) =>
  z.enum(['value']).optional().describe(`The JSON of its ${what} is the output itself.`);

/** How much a command can reach: all, or the workspace alone, or the workspace without writing. */
export const SANDBOXES = ['none', 'workspace', 'read-only'] as const;
export type SandboxKind = (typeof SANDBOXES)[number];

const confinement = {
  sandbox: z.enum(SANDBOXES).optional().describe('Runs it under bubblewrap; `none` when left out.'),
  network: z.boolean().optional().describe('Whether it has a network within its sandbox; no when left out.'),
  read: z
    .array(literal)
    .max(50)
    .optional()
    .describe('Folders that can be read within the sandbox besides the system’s and the workspace.'),
};

const variables = z
  .union([z.array(variable).max(100), z.record(variable, templateOf(['secret', 'text']))])
  .describe('Variables besides PATH, HOME, LANG and TZ: names that are passed on, or their values.');

const commandLine = z.array(z.string().max(20_000)).min(1).max(500);

const commandBinding = z
  .strictObject({
    command: commandLine.describe(
      'The program and its arguments. With `shell`, a script for /bin/sh as it is, then its $1, $2, ….',
    ),
    shell: z.boolean().optional(),
    output: z
      .enum(['text', 'lines', 'json', 'value'])
      .optional()
      .describe('What is made of its text: also lines, also JSON, or `value`: the JSON alone is the output.'),
    stdin: jsonTemplate
      .optional()
      .describe(
        'Written to its standard input: a text as it is, anything else as JSON; nothing when left out.',
      ),
    max_output: maxOutput('1,048,576'),
    env: variables.optional(),
    folder: literal.optional().describe('Where it runs, relative to the workspace.'),
    writes: z
      .array(templateOf(['argument', 'text']))
      .max(64)
      .optional()
      .describe(
        'Files of its command line that it writes, as they stand there, also as `${name}`: what they hold is no part of what is approved.',
      ),
    ok: z
      .array(z.int().min(0).max(255))
      .min(1)
      .optional()
      .describe('Exit statuses of success; 0 when left out.'),
    ...confinement,
    ...limits,
  })
  .check(({ value: { command, shell, writes = [] }, issues }) => {
    for (const [index, text] of command.entries()) {
      const problem = commandProblem(text, index, shell === true);
      if (problem !== null)
        issues.push({ code: 'custom', message: problem, input: text, path: ['command', index] });
    }
    for (const { file, index } of outputsNamed(command)) {
      if (writes.includes(file)) continue;
      const message = `the program seems to write ${file}, but a file on a command line must not change: add \`writes: [${file}]\``;
      issues.push({ code: 'custom', message, input: file, path: ['command', index] });
    }
  })
  .describe('Runs a program, without a shell.');

/** Options after which programs take the file that they write. */
const OUTPUT =
  /^(?:-o|--out|--out-?file|--output|--output-?file|--dest|--destination|--log-?file|--report-?file)$/;

/** The files that a command line says are written, as far as common options tell it. */
function outputsNamed(
  command: readonly string[],
): readonly { readonly file: string; readonly index: number }[] {
  return command.flatMap((word, index) => {
    const [option = '', ...value] = word.split('=');
    const inOne = value.length > 0 && OUTPUT.test(option) ? value.join('=') : null;
    const file = inOne ?? (OUTPUT.test(command[index - 1] ?? '') ? word : '');
    const isFile = /[^./]\.\w+$|\//.test(file) && !/^[-/]|=/.test(file) && !file.includes('${');
    return index > 0 && isFile ? [{ file, index }] : [];
  });
}

/** The program is not chosen by data; a script is the shell’s own, whose `${…}` are its variables. */
function commandProblem(text: string, index: number, isShell: boolean): string | null {
  if (text.includes('\0')) return 'a NUL cannot be passed on';
  if (index > 0) return templates(text, ANY);
  if (text === '') return 'the program has no name';
  return isShell ? null : templates(text, []);
}

/** What the built-in file tools do. */
const FILE_ACTIONS = ['read', 'write', 'append', 'move', 'remove', 'list'] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

const fileBinding = z
  .strictObject({
    file: z.enum(FILE_ACTIONS),
    root: literal.optional().describe('The folder below which it stays, relative to the workspace.'),
    ...limits,
  })
  .describe('One of the built-in file tools.');

const headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'not the name of a header'),
  templateOf(ANY),
);

const httpBinding = z
  .strictObject({
    http: z.strictObject({
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
      url: templateOf(ANY),
      headers: headers.optional(),
      body: jsonTemplate.optional().describe('Sent as JSON; a text as it is.'),
      key_header: z.string().min(1).max(100).optional().describe('A header that gets the key of the step.'),
      ok: z
        .array(z.int().min(100).max(599))
        .min(1)
        .optional()
        .describe('Statuses of success; 200 to 299 when left out.'),
      origins: z
        .array(literal)
        .min(1)
        .max(100)
        .optional()
        .describe('Where requests may go, as https://example.org; the origin of `url` when left out.'),
      output: valueAlone('answer'),
      max_output: maxOutput('10,485,760'),
      private: z.boolean().optional().describe('Whether the server may be at an address that is not public.'),
      ...limits,
    }),
    ...limits,
  })
  .describe('Makes a request.');

const mcpBinding = z
  .strictObject({
    mcp: z.string().regex(/^[^/]+\/.+$/, 'must be server/tool'),
    args: z
      .record(z.string(), jsonTemplate)
      .optional()
      .describe('Its arguments; those of the step when left out.'),
    output: valueAlone('text'),
    ...limits,
  })
  .describe('Calls a tool of an MCP server.');

/** What carries a tool out. */
export const bindingSchema = z.union([commandBinding, fileBinding, httpBinding, mcpBinding]);

export type CommandBinding = z.infer<typeof commandBinding>;
export type FileBinding = z.infer<typeof fileBinding>;
export type HttpBinding = z.infer<typeof httpBinding>;
export type Binding = z.infer<typeof bindingSchema>;

/** What carries out a tool or a condition of a kit: what a run is approved with of it besides its name and its schema. */
export interface KitBinding {
  readonly kit: string;
  /** Raised when the tool behaves otherwise: then no approval of before holds. */
  readonly rev: number;
  /** The kit's own options, and what else decides what it does, such as the digest of its rules. */
  readonly options: JsonObject;
  readonly timeout_ms?: number | undefined;
  readonly settle_ms?: number | undefined;
}

/** What running a tool does to the world; see `Effects` of the port. */
export const effectsSchema = z
  .enum(['none', 'idempotent', 'once'])
  .describe('`none` reads, `idempotent` does no harm when it is done again, `once` must not be done twice.');

/** What running a tool does to the world; what nobody has said is `once`. */
export type Effects = z.infer<typeof effectsSchema>;

const offered = z
  .array(
    z.union([
      z.string().min(1).max(200),
      z.strictObject({ name: z.string().min(1).max(200), effects: effectsSchema.optional() }),
    ]),
  )
  .max(1000)
  .optional()
  .describe('Its tools that steps may use by their own names.');

/** An MCP server: a program that is started, or an address. */
export const serverSchema = z.union([
  z.strictObject({
    command: z.array(templateOf([])).min(1).max(500),
    env: variables.optional(),
    folder: literal.optional(),
    tools: offered,
    start_ms: milliseconds.optional().describe('How long it may take to answer first; 30,000 when left out.'),
    ...confinement,
  }),
  z.strictObject({
    url: templateOf(['secret', 'text']),
    headers: z.record(z.string(), templateOf(['secret', 'text'])).optional(),
    tools: offered,
    start_ms: milliseconds.optional(),
  }),
]);

export type ServerBinding = z.infer<typeof serverSchema>;

/** A condition: a tool that is called, and what its output must be. */
export const checkSchema = z.strictObject({
  tool: z.string().min(1).max(400).describe('A tool of this file, or server/tool. It must only read.'),
  args: z
    .record(z.string(), jsonTemplate)
    .optional()
    .describe('Its arguments; those of the condition when left out.'),
  expect: jsonTemplate.describe('A JSON Schema that the output must satisfy.'),
  ...limits,
});

/** How a pane of wa is known: a tool that is asked, and what of its output makes the pane the one it is. */
export const panesSchema = z.strictObject({
  tool: z.string().min(1).max(400).describe('A tool of this file, or server/tool. It must only read.'),
  args: z
    .record(z.string(), jsonTemplate)
    .optional()
    .describe('Its arguments; `{pane_id: ${pane_id}}` when left out.'),
  identity: z
    .string()
    .regex(/^[\w-]+(?:\.[\w-]+)*$/, 'must be names with dots between them')
    .describe('Where in its output the identity stands, such as `json.uuid`.'),
});

export type PanesBinding = z.infer<typeof panesSchema>;

export type CheckBinding = z.infer<typeof checkSchema>;

/** Whether a template in a binding is text alone. */
export function isLiteral(template: string): boolean {
  return parseTemplate(template).every(({ kind }) => kind === 'text');
}
