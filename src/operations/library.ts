import type { Operation, RunContext, StopSignals } from './operation.js';
import { parseInput } from './parse-input.js';
import { startRun } from './planning/planning-progress.js';
import type { PlanningResult, PlanningRun } from './planning/planning-progress.js';
import { OPERATIONS, REGISTERED } from './registry.js';
import type { InputOf, OperationName, OperationNamed, RegisteredOperation, ResultOf } from './registry.js';
import type { ReviewLevel } from '../planning/review/level.js';
import type { ExecutionEvent } from '../features/runs/executor/session.js';
import type { Context } from './shared/context.js';
import { streamed } from './shared/streamed.js';
import type { Streamed } from './shared/streamed.js';

/** What a caller may give beside the input of an operation. */
export interface CallOptions extends StopSignals {
  /** Told what the user should know meanwhile: a retry, a fallback. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** With `review`: asked about each proposed level of a plan before it is stored. */
  readonly onProposal?: ReviewLevel | undefined;
}

/**
 * Every operation as a function of its command's name; those of two words, such as `config set`, stand together:
 * `config.set`. Each takes its input as an object; what the command takes without an option may also be given before
 * that, in order: `claim({ goal: '1.2' })` is `claim('1.2')`. Those that tell events return a run instead of a promise.
 * Each may throw a PlanError; the codes are in docs/commands.md.
 */
export type Library = {
  readonly [
    Name in OperationName as Name extends `${string} ${string}` ? never : CamelCase<Name>
  ]: OperationFunction<Name>;
} & {
  readonly [First in FirstWord<OperationName>]: {
    readonly [
      Name in OperationName as Name extends `${First} ${infer Second}` ? CamelCase<Second> : never
    ]: OperationFunction<Name>;
  };
};

type FirstWord<Name> = Name extends `${infer First} ${string}` ? First : never;
type CamelCase<Text> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest> & string>}`
  : Text;

/** An operation as a function of the library. */
interface OperationFunction<Name extends OperationName> {
  (...given: Given<InputOf<Name>, OperationNamed<Name>['arguments']>): Returned<Name>;
}

type Returned<Name extends OperationName> = (typeof OPERATIONS)[Name] extends { readonly streams: true }
  ? PlanningRun<Extract<ResultOf<Name>, PlanningResult>>
  : (typeof OPERATIONS)[Name] extends { readonly streams: 'run' }
    ? Streamed<ExecutionEvent, ResultOf<Name>>
    : Promise<ResultOf<Name>>;

type Given<Input, Arguments> =
  | ([Record<string, never>] extends [Input] ? [input?: Input & CallOptions] : [input: Input & CallOptions])
  | (Arguments extends readonly [infer First extends keyof Input, ...infer Rest]
      ? InOrder<Input, First, Rest>
      : never);

/** The first arguments in order, then the rest of the input. */
type InOrder<Input, First extends keyof Input, Rest> =
  | [Input[First], (Omit<Input, First> & CallOptions)?]
  | (Rest extends readonly [infer Second extends keyof Input]
      ? [Input[First], Input[Second]?, (Omit<Input, First | Second> & CallOptions)?]
      : never);

/** The operations as functions over a context. */
export function libraryOf(context: Context): Library {
  const functions = new Map<string, unknown>();
  const families = new Map<string, Record<string, unknown>>();
  for (const [name, row] of REGISTERED) {
    const [first = '', second] = name.split(' ');
    const family = families.get(first) ?? {};
    if (second === undefined) functions.set(camelCase(first), functionOf(context, row));
    else families.set(first, { ...family, [camelCase(second)]: functionOf(context, row) });
  }
  // Made of the same table as the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries([...functions, ...families]) as Library;
}

function functionOf(context: Context, row: RegisteredOperation) {
  const call = async (given: readonly unknown[], own: Pick<RunContext, 'emit' | 'tell'>) => {
    const operation = await row.load();
    const { input, signals, onProposal } = split(given, operation.arguments);
    return operation.run(
      { ...context.newChange(), ...signals, ...own, review: onProposal },
      parseInput(operation.input, input),
    );
  };
  if (row.streams === true)
    return (...given: readonly unknown[]) =>
      startRun(async (emit) => {
        const tell = noticesTo(given);
        const both: RunContext['emit'] = (event) => {
          tell(event);
          emit(event);
        };
        return asPlanning(await call(given, { emit: both }));
      });
  if (row.streams === 'run')
    return (...given: readonly unknown[]) =>
      streamed<ExecutionEvent, unknown>((tell) => call(given, { emit: noticesTo(given), tell }));
  return async (...given: readonly unknown[]) => call(given, { emit: noticesTo(given) });
}

/** Tells the caller's `onNotice` what is to be known. */
function noticesTo(given: readonly unknown[]): RunContext['emit'] {
  const { onNotice } = split(given, []);
  return (event) => {
    if (event.type === 'notice') onNotice?.(event.message);
  };
}

/**
 * What a planning operation of the library came to; all that tell events are of this shape, as `Returned` says.
 */
export function asPlanning(result: unknown): PlanningResult {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return result as PlanningResult;
}

/** What was given, as input and options of the call. */
function split(given: readonly unknown[], named: Operation['arguments']) {
  const last = given.at(-1);
  const isObject = typeof last === 'object' && last !== null && !Array.isArray(last);
  const { signal, dropSignal, onNotice, onProposal, ...rest }: CallOptions = isObject ? last : {};
  const first = (isObject ? given.slice(0, -1) : given).map(
    (value, index) => [named[index] ?? '', value] as const,
  );
  return {
    input: { ...rest, ...Object.fromEntries(first) },
    signals: { signal, dropSignal },
    onNotice,
    onProposal,
  };
}

function camelCase(word: string): string {
  return word.replaceAll(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
