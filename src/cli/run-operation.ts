import type { Command } from 'commander';

import { PlanError } from '../kernel/errors.js';
import { startRun } from '../operations/planning/planning-progress.js';
import { streamed } from '../operations/shared/streamed.js';
import { asPlanning, libraryOf } from '../operations/library.js';
import { OPERATIONS } from '../operations/registry.js';
import type { Operation, RunContext, StopSignals } from '../operations/operation.js';
import { parseInput } from '../operations/parse-input.js';
import type { Context } from '../operations/shared/context.js';
import { nameOnCommandLine } from './command-line.js';
import type { CommandLine } from './command-line.js';
import type { LoadedAction, LoadedCommand } from './load-command.js';
import { canAsk } from './confirm.js';
import { isPlain } from './input/plain-input.js';
import { isPlanArgument, onceRead, PLAN_OPTION, readInput, readOptions } from './input/read-input.js';
import type { Renderer, View } from './renderer.js';
import { wrapped } from './render/parts/wrapped.js';
import type { Terminal } from './terminal.js';

/** What a command came to: the document for `--json`, else text for people, and the exit status. */
export interface CommandOutcome {
  readonly document: unknown;
  readonly text: string;
  readonly status: number;
}

/** What a command runs with. */
export interface CommandContext {
  readonly context: Context;
  readonly terminal: Terminal;
  /** Whether standard output must hold exactly one JSON document. */
  readonly json: boolean;
  /** Told which operation the command line asks for, before it runs. */
  readonly onChosen: (operation: Operation) => void;
}

/** Runs the operation that a command line asks for, and shows what it came to. @throws PlanError */
export async function runOperation(
  loaded: LoadedCommand,
  command: Command,
  given: CommandContext,
): Promise<CommandOutcome> {
  const { name, action, line } = chosenAction(loaded, command);
  const { operation, renderer, own, plain, streams } = action;
  const { terminal, json } = given;
  const standardInput = onceRead(terminal.stdin);
  const context = { ...given.context, standardInput };
  const world = { ...given, context };
  world.onChosen(operation);
  const shared = {
    terminal,
    json,
    options: readOptions(own, command),
    workspace: libraryOf(context, OPERATIONS),
    context,
    folder: context.environment.workingFolder,
  };
  const read = await readInput(line, command, standardInput);
  const parsed =
    plain !== null && isPlain(read, plain)
      ? read
      : withUsage(
          () => parseInput(operation.input, read, (path) => nameOnCommandLine(path, line)),
          name,
          line,
        );
  const agreed = await confirmed(renderer, parsed, shared);
  const input = json || renderer.prepare === undefined ? agreed : renderer.prepare(agreed, shared);
  const view: View = { ...shared, input };
  const early: Promise<void>[] = [];
  const result: unknown = await performed(action, world, view, (standing) => {
    if (!json) early.push(showNow(renderer, standing, view));
  });
  await Promise.all(early);
  const status = operation.exitStatus?.(result) ?? 0;
  const stopped = streams === 'planning' ? whyStopped(result) : null;
  renderer.remark?.(result, view);
  if (!json) {
    const text =
      early.length === 0 ? await renderer.render(result, view) : (renderer.rest?.(result, view) ?? '');
    // Written here, for what follows comes below it.
    terminal.out(shown(result, view, renderer, text));
    renderer.after?.(result, view);
    if (stopped !== null) throw stopped;
    if (operation.mutates)
      await (await import('./print-plan-notice.js')).printPlanNotice(loaded.group, result, world);
    return { document: null, text: '', status };
  }
  if (stopped !== null) throw stopped;
  const document = renderer.document?.(result, view) ?? operation.document?.(result) ?? result;
  return { document, text: '', status };
}

/** The input of what may be done, after a yes where one is needed. @throws PlanError REFUSED without it */
async function confirmed(
  renderer: Renderer,
  input: View['input'],
  view: Omit<View, 'input'>,
): Promise<View['input']> {
  if (view.options.yes === true) return input;
  const asked = (await renderer.confirm?.(input, view)) ?? null;
  if (asked === null) return renderer.ask?.(input, view) ?? input;
  const { confirm } = await import('./confirm.js');
  await confirm(asked, view.terminal, view.json);
  return asked.input;
}

/** Shows a result that stands before all that was asked for is done. */
async function showNow(renderer: Renderer, result: unknown, view: View): Promise<void> {
  view.terminal.out(shown(result, view, renderer, await renderer.render(result, view)));
}

/** What was rendered of a result, as it stands on the terminal. */
function shown(result: unknown, view: View, { verbatim }: Renderer, text: string): string {
  return verbatim?.(result, view) === true ? text : wrapped(text, view.terminal.columns);
}

/** The operation that was asked for; of a command that stands for several, by the first argument. */
function chosenAction(
  { name, actions, defaultAction }: LoadedCommand,
  command: Command,
): { readonly name: string; readonly action: LoadedAction; readonly line: CommandLine } {
  const single = actions.get('');
  if (single !== undefined) return { name, action: single, line: single.line };
  // Where one of the actions takes a list, the last of what was given is one.
  const [word = defaultAction, ...rest]: readonly unknown[] = command.processedArgs
    .flat()
    .filter((value) => value !== undefined);
  const action = actions.get(String(word));
  if (action === undefined) throw new PlanError('USAGE', `${name} ${String(word)} is not a command`);
  refuseOptionsOfOthers(`${name} ${String(word)}`, action, command, rest);
  refuseMissing(`${name} ${String(word)}`, action, rest);
  // The rest of the arguments are those of the operation.
  command.processedArgs = listedLast(rest, action.line);
  return { name: `${name} ${String(word)}`, action, line: action.line };
}

/** What was given for the arguments of an operation, with a list for the last of them where it takes one. */
function listedLast(given: readonly unknown[], { arguments: named }: CommandLine): unknown[] {
  const last = named.length - 1;
  const takesList = named[last]?.many === true && given.length > last;
  return takesList ? [...given.slice(0, last), given.slice(last)] : [...given];
}

/** Refuses what another operation of the same command takes. */
function refuseOptionsOfOthers(
  name: string,
  { line, own }: LoadedAction,
  command: Command,
  given: readonly unknown[],
): void {
  const known = new Set([...line.options, ...own].map(({ flags }) => flags));
  if (line.arguments.some(isPlanArgument)) known.add(PLAN_OPTION);
  for (const option of command.options) {
    const isShared = command.parent?.options.some(({ flags }) => flags === option.flags) === true;
    if (isShared || known.has(option.flags)) continue;
    if (command.getOptionValueSource(option.attributeName()) === 'cli')
      throw new PlanError('USAGE', `plan ${name} takes no ${option.long ?? option.flags}`);
  }
  const takesList = line.arguments.at(-1)?.many === true;
  const tooMany = takesList ? undefined : given[line.arguments.length];
  if (tooMany !== undefined)
    throw new PlanError('USAGE', `plan ${name} takes no ${JSON.stringify(tooMany)}`, {
      hint: { commandLine: usageOf(name, line) },
    });
}

/** Refuses a command line without an argument that must be there. */
function refuseMissing(name: string, { line }: LoadedAction, given: readonly unknown[]): void {
  const missing = line.arguments.find(
    ({ flags }, index) => flags.startsWith('<') && given[index] === undefined,
  );
  if (missing !== undefined)
    throw new PlanError('USAGE', `plan ${name} needs ${missing.flags}`, {
      hint: { commandLine: usageOf(name, line) },
    });
}

function usageOf(name: string, line: CommandLine): string {
  return `plan ${[name, ...line.arguments.map(({ flags }) => flags)].join(' ')}`;
}

/** What reading an input gives; an error without a hint shows how the command is used, with the options that it must have. */
function withUsage<T>(read: () => T, name: string, line: CommandLine): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.hint !== undefined) throw thrown;
    const needed = line.options.flatMap(({ flags, required }) => (required === true ? [flags] : []));
    throw new PlanError(thrown.code, thrown.message, {
      hint: {
        commandLine: `Usage: ${[usageOf(name, line), ...needed].join(' ')} [options]. Add --help to see more.`,
      },
      details: thrown.details,
    });
  }
}

/** Runs an operation: with events live on a terminal, or simply, with notices on standard error. */
async function performed(
  { operation, renderer: { watch }, streams }: LoadedAction,
  { context, terminal, json }: CommandContext,
  view: View,
  onStanding: (result: unknown) => void,
): Promise<unknown> {
  const { input } = view;
  if (watch !== undefined)
    return watch(
      terminal,
      (signals) =>
        streamed<unknown, unknown>((tell) =>
          operation.run({ ...context, ...signals, emit: () => undefined, tell }, input),
        ),
      view,
    );
  if (streams === 'planning' && input.review === true && canAsk(terminal, json)) {
    const { runReviewed } = await import('./watch/review-levels.js');
    return runReviewed(terminal, (given) =>
      startRun(async (emit) => asPlanning(await operation.run({ ...context, ...given, emit }, input))),
    );
  }
  if (streams === 'planning') {
    const { watchPlanning } = await import('./watch/watch-planning.js');
    return watchPlanning(terminal, (signals) =>
      startRun(async (emit) => asPlanning(await operation.run({ ...context, ...signals, emit }, input))),
    );
  }
  const own: Pick<RunContext, 'emit'> = {
    emit: (event) => {
      if (event.type === 'partialResult') onStanding(event.result);
      if (event.type === 'notice') terminal.tell(event.message, { isDim: true });
    },
  };
  const { interruptible = false } = operation;
  if (interruptible === false) return operation.run({ ...context, ...own }, input);
  const run = (signals: StopSignals) => operation.run({ ...context, ...own, ...signals }, input);
  const { runDroppably, runStoppably } = await import('./interruption.js');
  return interruptible === 'in steps'
    ? runStoppably(terminal, run)
    : runDroppably((signal) => run({ signal, dropSignal: signal }));
}

/** The error for what stopped planning, with the plan's summary beside it; null when nothing did. */
function whyStopped(result: unknown): PlanError | null {
  const { stopped, plan } = asPlanning(result);
  if (stopped === null) return null;
  const { code, message, hintParts: hint, details, cause } = stopped;
  return new PlanError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    details: { ...details, plan },
    cause,
  });
}
