import { resolve } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';

import type { CommandBinding } from '../../actions/tools/bindings.js';
import { problemOfWord } from '../../actions/tools/unsafe-variables.js';
import { fillKnown, fillText, fillValue } from '../../actions/tools/template.js';
import type { TemplateValues } from '../../actions/tools/template.js';
import { jsonDocumentValue } from '../../../kernel/json/json-document.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import { CANCELLED } from '../model/events/attempt-ended.js';
import type { CallProblem, KnownCall, Outcome, ToolCall } from '../model/tool.js';
import { runChild } from './programs/child.js';
import type { ChildEnd } from './programs/child.js';
import { confinedCommand, renamedMessage } from './sandbox/confine.js';
import { knownProblem, knownValues } from './known-problem.js';
import { MOST_OUTPUT } from './limits.js';
import { cutSize, whyNotKept } from './output-limits.js';
import { ATTEMPT_VARIABLE } from './programs/orphans.js';
import {
  concluded,
  toolFailure,
  lostOutcome,
  notSentOutcome,
  RefusedCall,
  timedOutOutcome,
} from './outcomes.js';
import { createSecrets } from './secrets.js';
import type { Secrets } from './secrets.js';
import type { RunnerEnvironment } from './runner-environment.js';

/** Runs the program of a binding once. */
export function callCommand(
  binding: CommandBinding,
  call: ToolCall,
  environment: RunnerEnvironment,
): Promise<Outcome> {
  const secrets = createSecrets(environment.variables);
  return concluded(secrets, async () => {
    const values = { args: call.args, secret: secrets.read, call: { ...call } };
    const argv =
      binding.shell === true
        ? shellLine(binding, values)
        : argumentVector(binding.command, values, environment);
    const folder = folderOfCommand(binding.folder, environment.root);
    const variables = {
      ...variablesOfCommand(binding.env, environment, values, secrets),
      FRCTL_STEP_KEY: call.key,
      [ATTEMPT_VARIABLE]: call.attempt,
    };
    const input = inputOf(binding, values);
    const confined = await confinedCommand({ argv, folder, variables }, binding, environment);
    refuseLongLine(confined.argv, confined.variables);
    const ended = await runChild({
      ...confined,
      input,
      environment: confined.variables,
      attempt: call.attempt,
      timeoutMs: call.timeoutMs,
      signal: call.signal,
      // What is beyond the limit is cut after the secrets are gone, so that no part of one is left at the end.
      most: {
        out: (binding.max_output ?? MOST_OUTPUT) + secrets.longest(),
        error: MOST_OUTPUT + secrets.longest(),
      },
    });
    const renamed = renamedMessage(await confined.release());
    const outcome = outcomeOf(ended, binding, call, secrets);
    return renamed === null ? outcome : renamingOutcome(outcome, renamed);
  });
}

/** Why a program of a binding could not be called so, whenever it is; null where it could. */
export function problemOfCommand(
  binding: CommandBinding,
  call: KnownCall,
  environment: Allowing = {},
): string | CallProblem | null {
  const { command, shell } = binding;
  const values = knownValues(call);
  const words = shell === true ? command.slice(1) : command;
  const parts = words.map(
    (template, index) => () =>
      shell === true ? passedWord(template, values) : argumentWord(command, index, values, environment),
  );
  const problem = knownProblem([...parts, () => inputOf(binding, values)]);
  if (problem !== null) return problem;
  const known = words.map((template) => fillKnown(template, values));
  return longLineProblem(known);
}

/** The most that the system takes: bytes of a word, and of a command line with its variables. */
const MOST_WORD = 131_071;
const MOST_LINE = 1_500_000;

/** Why no system starts a program with such words; null where it does. */
function longLineProblem(words: readonly string[]): CallProblem | null {
  const sizes = words.map((word) => Buffer.byteLength(word));
  const longest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const all = sizes.reduce((sum, size) => sum + size + 1, 0);
  if (longest <= MOST_WORD && all <= MOST_LINE) return null;
  const what =
    longest > MOST_WORD
      ? `a word of its command line would have ${longest} bytes, and ${MOST_WORD} are the most`
      : `its command line would have ${all} bytes, and ${MOST_LINE} are the most`;
  return {
    code: 'ARGUMENT_TOO_LONG',
    message: `${what}; \`stdin\` of the binding gives a program what is long on its standard input`,
  };
}

/** @throws RefusedCall ARGUMENT_TOO_LONG */
function refuseLongLine(argv: readonly string[], variables: Readonly<Record<string, string>>): void {
  const words = [...argv, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
  const problem = longLineProblem(words);
  if (problem !== null) throw new RefusedCall(problem.code, problem.message);
}

/** What a program reads: a text as it is, anything else as JSON. @throws UnfilledError */
function inputOf({ stdin }: CommandBinding, values: TemplateValues): string | undefined {
  if (stdin === undefined) return undefined;
  const filled = fillValue(stdin, values);
  return typeof filled === 'string' ? wellFormed(filled) : textOfJson(filled);
}

/** @throws RefusedCall for a value that the program would read as an option or an unsafe variable, or cannot be given */
function argumentVector(
  command: readonly string[],
  values: TemplateValues,
  environment: Allowing,
): readonly string[] {
  return command.map((_template, index) => argumentWord(command, index, values, environment));
}

type Allowing = Pick<RunnerEnvironment, 'allowedVariables'>;

function argumentWord(
  command: readonly string[],
  index: number,
  values: TemplateValues,
  { allowedVariables = [] }: Allowing,
): string {
  const template = command[index] ?? '';
  const text = passedWord(template, values);
  const unsafe = problemOfWord(text, template, allowedVariables);
  if (unsafe !== null) throw new RefusedCall('E_UNSAFE_VARIABLE', unsafe);
  const isOption = text.startsWith('-') && !template.startsWith('-');
  if (isOption && !command.slice(0, index).some((before) => before === '--' || before === '--end-of-options'))
    throw new RefusedCall(
      'VALIDATION_ERROR',
      `${JSON.stringify(template)} would become the option ${JSON.stringify(truncate(text, 80))}; a value that begins with - needs -- before it in the binding`,
    );
  return text;
}

/** @throws RefusedCall for a value that no program can be given */
function passedWord(template: string, values: TemplateValues): string {
  const text = fillText(template, values);
  if (text.includes('\0'))
    throw new RefusedCall(
      'VALIDATION_ERROR',
      `${JSON.stringify(template)} would hold a NUL, which cannot be passed to a program`,
    );
  return text;
}

/** The script is the binding's own, and arguments are its $1, $2, …: none of them is read as a program. */
function shellLine(
  { command: [script = '', ...rest] }: CommandBinding,
  values: TemplateValues,
): readonly string[] {
  return ['/bin/sh', '-c', script, 'sh', ...rest.map((template) => passedWord(template, values))];
}

/** A folder of the workspace that a binding names. @throws RefusedCall for one outside */
export function folderOfCommand(folder: string | undefined, root: string): string {
  const path = resolve(root, folder ?? '.');
  if (path === root || isBelow(path, root)) return path;
  throw new RefusedCall(
    'VALIDATION_ERROR',
    `the folder ${JSON.stringify(folder)} is not within the workspace`,
  );
}

const ALWAYS = ['PATH', 'HOME', 'LANG', 'TZ'];

/** The variables of a program: a few of everybody's, and those that its binding lists, whose values are secrets. */
export function variablesOfCommand(
  listed: CommandBinding['env'],
  { variables }: RunnerEnvironment,
  values: TemplateValues,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const name of ALWAYS) passed[name] = variables[name] ?? '';
  if (Array.isArray(listed)) for (const name of listed) passed[name] = secrets.read(name) ?? '';
  else for (const [name, template] of Object.entries(listed ?? {})) passed[name] = fillText(template, values);
  return Object.fromEntries(Object.entries(passed).filter(([, value]) => value !== ''));
}

/** A command that has succeeded has failed; of another it is said too. */
function renamingOutcome(outcome: Outcome, renamed: string): Outcome {
  if (outcome.outcome !== 'succeeded')
    return { ...outcome, error: { ...outcome.error, message: `${outcome.error.message}; ${renamed}` } };
  const { output, exit } = outcome;
  const error = toolFailure('POLICY_DENIED', renamed, false);
  return { outcome: 'failed', error, output, ...(exit === undefined ? {} : { exit }) };
}

function outcomeOf(ended: ChildEnd, binding: CommandBinding, call: ToolCall, secrets: Secrets): Outcome {
  const program = binding.shell === true ? 'the script' : (binding.command[0] ?? '');
  if (ended.kind === 'not_started')
    return notSentOutcome('NOT_STARTED', `${program} could not be started: ${ended.reason}`);
  if (ended.kind === 'timed_out') return timedOutOutcome(call.timeoutMs, program);
  if (ended.kind === 'dropped') return lostOutcome(CANCELLED, `${program} was ended before it was done`);
  if (ended.status === null)
    return lostOutcome('KILLED', `${program} was killed by ${ended.by ?? 'a signal'}`);
  const exit = ended.status;
  const brought = outputOf(ended, exit, binding, secrets);
  const told = 'problem' in brought ? {} : brought;
  if ((binding.ok ?? [0]).includes(exit))
    return 'problem' in brought
      ? {
          outcome: 'failed',
          error: toolFailure('OUTPUT_INVALID', `${program} ${brought.problem}`, false),
          exit,
        }
      : { outcome: 'succeeded', ...brought, exit };
  const said = ended.error.bytes.toString('utf8').trim();
  const message = `${program} ended with status ${exit}${said === '' ? '' : `: ${said}`}`;
  return { outcome: 'failed', error: toolFailure('EXIT_STATUS', message, true), ...told, exit };
}

/** What a program brought, or why that is not what its binding asks for. */
function outputOf(
  { out }: Extract<ChildEnd, { out: unknown }>,
  exit: number,
  { output = 'text', max_output: most = MOST_OUTPUT }: CommandBinding,
  secrets: Secrets,
): { readonly output: JsonValue } | { readonly problem: string } {
  const all = secrets.blotText(out.bytes.toString('utf8'));
  const isCut = out.isCut || all.length > most;
  // The beginning of a secret may stand where it was cut.
  const whole = out.isCut ? all.slice(0, Math.max(0, all.length - secrets.longest())) : all;
  const text = wellFormed(whole.slice(0, most));
  const told = { text, exit, ...(isCut ? { truncated: true } : {}) };
  if ((output === 'json' || output === 'value') && isCut)
    return { problem: `printed ${cutSize(out.size, most)}, so its JSON cannot be read` };
  const unkept = whyNotKept(text, output !== 'text');
  if (unkept !== null) return { problem: `printed what cannot be kept: ${unkept}` };
  if (output === 'lines') return { output: { ...told, lines: linesOf(text) } };
  if (output === 'text') return { output: told };
  const json = jsonDocumentValue(text);
  if (json === undefined) return { problem: 'printed no JSON' };
  return { output: output === 'value' ? json : { ...told, json } };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
