import type { Operation, RunContext, StopSignals } from './operation.js';
import { parseInput } from './parse-input.js';
import { startRun } from './planning/planning-progress.js';
import type { PlanningResult, PlanningRun } from './planning/planning-progress.js';
import type {
  EventIn,
  InputIn,
  OperationIn,
  OperationTable,
  RegisteredOperation,
  ResultIn,
} from './registered-operation.js';
import type { OPERATIONS } from './registry.js';
import type { ReviewLevel } from '../planning/review/level.js';
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
 * The operations of a table, each a function of its command's name; those of two words, such as `config set`, stand together:
 * `config.set`. Each takes its input as an object; what the command takes without an option may also be given before
 * that, in order: `claim({ goal: '1.2' })` is `claim('1.2')`. Those that tell events return a run instead of a promise.
 * Each may throw a PlanError; the codes are in docs/commands.md.
 */
export type LibraryOf<Table extends OperationTable> = {
  readonly [
    Name in keyof Table & string as Name extends `${string} ${string}` ? never : CamelCase<Name>
  ]: OperationFunction<Table, Name>;
} & {
  readonly [First in FirstWord<keyof Table>]: {
    readonly [
      Name in keyof Table & string as Name extends `${First} ${infer Second}` ? CamelCase<Second> : never
    ]: OperationFunction<Table, Name>;
  };
};

/** The operations of the core as functions. */
export type CoreLibrary = LibraryOf<typeof OPERATIONS>;

type FirstWord<Name> = Name extends `${infer First} ${string}` ? First : never;
type CamelCase<Text> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest> & string>}`
  : Text;

/** An operation as a function of the library. */
interface OperationFunction<Table extends OperationTable, Name extends keyof Table> {
  (...given: Given<InputIn<Table, Name>, OperationIn<Table, Name>['arguments']>): Returned<Table, Name>;
}

type Returned<Table extends OperationTable, Name extends keyof Table> = Table[Name] extends {
  readonly streams: 'planning';
}
  ? PlanningRun<Extract<ResultIn<Table, Name>, PlanningResult>>
  : Table[Name] extends { readonly streams: 'own' }
    ? Streamed<EventIn<Table, Name>, ResultIn<Table, Name>>
    : Promise<ResultIn<Table, Name>>;

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

/** The operations of a table as functions over a context. */
export function libraryOf<Table extends OperationTable>(context: Context, table: Table): LibraryOf<Table> {
  const functions = new Map<string, unknown>();
  const families = new Map<string, Record<string, unknown>>();
  for (const [name, row] of Object.entries<RegisteredOperation>(table)) {
    const [first = '', second] = name.split(' ');
    const family = families.get(first) ?? {};
    if (second === undefined) functions.set(camelCase(first), functionOf(context, row));
    else families.set(first, { ...family, [camelCase(second)]: functionOf(context, row) });
  }
  // Made of the same table as the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries([...functions, ...families]) as LibraryOf<Table>;
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
  if (row.streams === 'planning')
    return (...given: readonly unknown[]) =>
      startRun(async (emit) => {
        const tell = noticesTo(given);
        const both: RunContext['emit'] = (event) => {
          tell(event);
          emit(event);
        };
        return asPlanning(await call(given, { emit: both }));
      });
  if (row.streams === 'own')
    return (...given: readonly unknown[]) =>
      streamed<unknown, unknown>((tell) => call(given, { emit: noticesTo(given), tell }));
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
