import { existsSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

import * as z from 'zod';

import { readPlainFile } from '../../../host/files/plain-file.js';
import { endProcesses } from '../../../host/processes/end-processes.js';
import { findHelper } from '../../../host/processes/find-helper.js';
import { markedProcesses } from '../../../host/processes/marked-processes.js';
import { runProgram } from '../../../host/processes/run-program.js';
import type { ProgramEnd } from '../../../host/processes/run-program.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { findSandbox, sandboxed } from '../../runs/runners/sandbox/sandbox.js';
import { readAgentOutput } from './agent-output.js';
import type { AgentReport } from './agent-output.js';
import { cleanerOf } from './clean.js';
import type { Clean } from './clean.js';
import type { Places } from './clone.js';
import type { Agent } from './presets.js';

const MARK = { variable: 'FRCTL_WORK', prefix: 'work-' };
const OUTPUT = 'out.log';
const GRACE_MS = 2000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const LINGER = { beforeKill: 200, afterKill: 500 };
const MOST_RESULT = 800_000;
const SAID = 2000;
const LINE_EACH_MS = 60_000;

/** How an agent is started. */
export interface AgentStart {
  readonly agent: Agent;
  readonly places: Places;
  readonly token: string;
  readonly goal: string;
  readonly tryNumber: number;
  readonly prompt: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Hears about once a minute what was printed last. */
  readonly onLine: (line: string) => void;
  readonly isSandboxed: boolean;
  /** The folder of the user's objects, which the agent's clone reads. */
  readonly objects: string;
  readonly homeFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** How an agent ended; `problem` is null where it ended as it should. */
export interface AgentEnd extends AgentReport {
  readonly kind: ProgramEnd['kind'];
  readonly problem: string | null;
  /** Whether it could not be started, as a shell says it: what it runs is missing, or no program. */
  readonly isMissing: boolean;
}

/** Runs an agent once, bounded in time and output; nothing that it has started is left. @throws PlanError REFUSED */
export async function runAgent(start: AgentStart): Promise<AgentEnd> {
  await mkdir(start.places.home, { recursive: true, mode: 0o700 });
  // What an earlier try printed is not what this one does.
  await writeFile(join(start.places.folder, OUTPUT), '');
  const argv = commandOf(start.agent, { variables: start.variables, folder: start.places.folder });
  const variables = variablesOf(start);
  const confined = start.isSandboxed ? await inSandbox(argv, variables, start) : { argv, variables };
  const clean = cleanerOf(start.agent, start.variables);
  const end = await runProgram({
    ...confined,
    folder: start.places.tree,
    group: 'own',
    input: start.prompt,
    timeoutMs: start.timeoutMs,
    signal: start.signal,
    most: { out: MOST_OUTPUT, error: MOST_OUTPUT },
    isWholeNeeded: true,
    lingerMs: LINGER,
    onOutput: linesTo(start.onLine, clean),
    endRest: async () => endMarked(start.token),
  });
  if (end.kind === 'not_started') {
    const problem = `the agent ${start.agent.name} cannot be started: ${messageOf(end.cause)}`;
    return { ...readAgentOutput('', start.agent.output), kind: end.kind, isMissing: true, problem };
  }
  await writeFile(join(start.places.folder, OUTPUT), Buffer.concat([end.out.bytes, end.error.bytes]));
  // Gemini reports errors on standard error.
  const { bytes } = end.out.bytes.length > 0 ? end.out : end.error;
  const printed = readAgentOutput(bytes.toString('utf8'), start.agent.output);
  const { said, session } = printed;
  const report = {
    ...printed,
    said: said === null ? null : clean(said),
    session: session === null ? null : clean(session),
  };
  const isMissing = end.kind === 'exited' && (end.status === 126 || end.status === 127);
  return {
    ...report,
    kind: end.kind,
    isMissing,
    problem: problemOf(end, report, { timeoutMs: start.timeoutMs, clean }),
  };
}

/** Hands on the last line of each part of the output, once a minute. */
function linesTo(onLine: AgentStart['onLine'], clean: Clean): (part: Buffer) => void {
  let next = performance.now() + LINE_EACH_MS;
  return (part) => {
    if (performance.now() < next) return;
    next = performance.now() + LINE_EACH_MS;
    const line = clean(part.toString('utf8').trimEnd()).split('\n').at(-1) ?? '';
    onLine(truncate(oneLine(line.slice(-SAID)), 80));
  };
}

function problemOf(
  end: Exclude<ProgramEnd, { readonly kind: 'not_started' }>,
  { isError, said }: AgentReport,
  { timeoutMs, clean }: Pick<AgentStart, 'timeoutMs'> & { readonly clean: Clean },
): string | null {
  const words = said ?? lastWords(clean, end.error.bytes, end.out.bytes);
  if (end.kind === 'timed_out')
    return `the agent took longer than ${Math.round(timeoutMs / 1000)} s${said === null ? '' : `: ${said}`}`;
  if (end.kind === 'too_long') return `the agent printed more than ${MOST_OUTPUT / 1024 / 1024} MB`;
  if (end.kind === 'aborted') return 'the agent was stopped';
  const why = words === '' ? '' : `: ${words}`;
  if (end.status !== 0) return `the agent ended with status ${end.status ?? end.by ?? '?'}${why}`;
  return isError ? `the agent reported an error${why}` : null;
}

/** Returns the end of the first of what an agent printed that says anything. */
function lastWords(clean: Clean, ...printed: readonly Buffer[]): string {
  const texts = printed.map((bytes) => clean(bytes.toString('utf8')).slice(-SAID).trim());
  return texts.find((text) => text !== '') ?? '';
}

/** Ends every process of an attempt, also those that have left its group. */
export async function endMarked(token: string): Promise<void> {
  await endProcesses(async () => {
    const marked = await markedProcesses(MARK);
    return marked.flatMap(({ pid, mark }) => (mark === MARK.prefix + token ? [pid] : []));
  }, GRACE_MS);
}

/** Refuses where agents are to run in a sandbox and none can be made. @throws PlanError E_SANDBOX_MISSING */
export async function refuseMissingSandbox(
  isSandboxed: boolean,
  { variables, folder }: { readonly variables: AgentStart['variables']; readonly folder: string },
): Promise<void> {
  if (!isSandboxed || (await findSandbox(variables, folder)) !== null) return;
  throw new PlanError(
    'E_SANDBOX_MISSING',
    'agents run in a sandbox, and bubblewrap (bwrap) cannot be used here',
    {
      hint: {
        commandLine:
          'Install bubblewrap, or say `plan config set work.sandbox none --user`: agents can then change whatever you can.',
      },
    },
  );
}

/** Returns the words that start an agent, of which the first is a path. @throws PlanError REFUSED where no program is there */
export function commandOf(
  { name, command: [program = '', ...rest] }: Agent,
  within: { readonly variables: AgentStart['variables']; readonly folder: string },
): readonly string[] {
  const path = isAbsolute(program) ? program : findHelper(program, within);
  if (path !== null && existsSync(path)) return [path, ...rest];
  throw new PlanError(
    'REFUSED',
    `there is no program ${JSON.stringify(program)}${isAbsolute(program) ? '' : ' on the PATH'}`,
    {
      hint: { commandLine: `Install it, or change work.agents.${name}.command in your own config.` },
    },
  );
}

function variablesOf({
  agent,
  variables,
  places,
  goal,
  tryNumber,
  token,
}: AgentStart): Record<string, string> {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TZ', ...(agent.env ?? [])];
  const given = names.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]]));
  return {
    ...Object.fromEntries(given),
    HOME: places.home,
    FRCTL_GOAL: goal,
    FRCTL_WORK_TRY: String(tryNumber),
    FRCTL_RESULT: places.result,
    [MARK.variable]: MARK.prefix + token,
  };
}

async function inSandbox(
  argv: readonly string[],
  variables: Readonly<Record<string, string>>,
  { variables: own, places, objects, agent, homeFolder }: AgentStart,
) {
  const program = await findSandbox(own, places.folder);
  if (program === null) throw new PlanError('E_SANDBOX_MISSING', 'bubblewrap cannot be used here');
  const real = await realpath(argv[0] ?? '');
  const named = argv.filter((word) => isAbsolute(word) && existsSync(word));
  const home = (agent.home ?? []).map((name) => [join(homeFolder, name), join(places.home, name)] as const);
  const command = sandboxed(argv, {
    program,
    kind: 'workspace',
    root: places.tree,
    guard: { pinned: [], readOnly: [] },
    hidden: [],
    read: [...new Set([objects, ...named, dirname(real)])].filter(
      (path) => !/^\/(?:usr|bin|sbin|lib\w*)(?:\/|$)/.test(path),
    ),
    network: true,
    folder: places.tree,
    variables,
    home: places.home,
    write: home.filter(([path]) => existsSync(path)),
  });
  return { ...command, variables: { [MARK.variable]: variables[MARK.variable] } };
}

/** Reads the end of what an agent printed when it ran last; empty where it has not ended yet. */
export async function readAgentLog(folder: string): Promise<string> {
  const text = await readPlainFile(join(folder, OUTPUT), 2 * MOST_OUTPUT).catch(() => '');
  return text.slice(-2 * SAID).replace(/^[\uDC00-\uDFFF]/, '');
}

const resultSchema = z.object({
  summary: z.string().trim().min(1).max(20_000).optional(),
  decisions: z.array(z.string().trim().min(1).max(2000)).max(100).optional(),
});

/** Reads what the agent says came of its work; nothing where it says nothing that is of the form. */
export async function readAgentResult(
  { result }: Places,
  clean: Clean,
): Promise<z.infer<typeof resultSchema>> {
  try {
    const { summary, decisions } = resultSchema.parse(JSON.parse(await readPlainFile(result, MOST_RESULT)));
    return { summary: summary === undefined ? undefined : clean(summary), decisions: decisions?.map(clean) };
  } catch {
    return {};
  }
}
