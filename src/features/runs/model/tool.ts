import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';

/**
 * What running a tool does to the world: nothing, something that does no harm when it is done again, or something
 * that must happen once. What nobody has said is `once`.
 */
export type Effects = 'none' | 'idempotent' | 'once';

/** A tool as a run was approved with: a change of its definition ends the approval. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: JsonObject | boolean;
  /** What a server says of the tool; shown, never believed. */
  readonly annotations?: JsonObject;
  readonly effects: Effects;
  /** What carries it out, as the tools file says it, without the values of secrets. */
  readonly binding: JsonObject;
}

/** A file as it was when it was looked at. */
export interface FileState {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** SHA-256 of its bytes, in hex; null where there was none. */
  readonly sha256: string | null;
}

/** A file that the arguments of a call name, such as a script that a program is given. */
export interface NamedFileState extends FileState {
  /** When it was changed or moved last, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A plain file as it was read. */
export interface HeldFile {
  readonly sha256: string;
  /** Bytes that were read. */
  readonly read: number;
  /** Whether it is a program by its name, its mode or its first line. */
  readonly isProgram: boolean;
  /** What starts it, by its first line; empty where that does not say it. */
  readonly interpreter: string;
  readonly changedAt: number;
}

/** What a look at many calls has read already, by path, so that no file is read twice. */
export type FilesSeen = Map<string, HeldFile>;

/** A file as it must still be when a call replaces or removes it. */
export interface ExpectedFile extends FileState {
  /** What is known of it: how it was when the run was prepared, or its step asked, or how a step of the run has left it. */
  readonly since: 'prepared' | 'asked' | 'written';
}

/** One attempt of one instance of a step. */
export interface ToolCall {
  /** Resolved and checked against the schema; secrets stand in the binding alone. */
  readonly args: JsonObject;
  /** The same for every attempt of an instance, so that a receiver can recognise a repetition. */
  readonly key: string;
  /** `<run>/<instance>/<attempt>`, by which what outlives the executor is found again. */
  readonly attempt: string;
  /** Files that the call may replace or remove, as they must still be; another one is `CONFLICT`, and nothing is done. */
  readonly expected?: readonly ExpectedFile[];
  /** The files of `watched` as they were when the attempt was written down. */
  readonly before?: readonly FileState[];
  /** Milliseconds that the attempt may take. */
  readonly timeoutMs: number;
  /** What the step says that is waited for afterwards, for a binding that names it. */
  readonly wait?: 'dom_ready' | 'idle' | undefined;
  /** Drops the call. */
  readonly signal: AbortSignal;
  /** Tells whoever watches what the call waits for, and writes it down in the log. */
  readonly say?: (message: string) => void;
  readonly earlier?: EarlierCalls | undefined;
  /** The values of the host that the run was prepared with, such as what was selected. */
  readonly host?: JsonObject | undefined;
  /** Tells whether the run was given a signal. */
  readonly signalled?: ((key: string) => Promise<boolean>) | undefined;
  /** Returns what another step of the run brought; undefined where it has brought nothing. */
  readonly outputOf?: ((step: string) => Promise<JsonValue | undefined>) | undefined;
}

/** What a call is made in. */
export type CallSetting = Pick<ToolCall, 'earlier' | 'host'>;

/** A call of a tool that the run has made before. */
interface EarlierCall {
  /** Whether anybody knows what came of it. */
  readonly isKnown: boolean;
  /** What it brought; null where it brought nothing. */
  readonly output: () => Promise<JsonValue>;
}

/** Tells the calls of tools that the run has made before, the newest first; whatever process made them. */
export type EarlierCalls = (...tools: readonly string[]) => readonly EarlierCall[];

/** What is known of a call before the run. */
export interface KnownCall {
  readonly args: JsonObject;
  /** The arguments whose values are known only when the call is made. */
  readonly later: ReadonlySet<string>;
  /** As {@link ToolCall} has it. */
  readonly wait?: ToolCall['wait'];
}

/** Why a call would be refused whenever it is made, where that has a code of its own. */
export interface CallProblem {
  readonly code: string;
  readonly message: string;
}

/** Why an attempt did not succeed. `retryable` says whether the same call may succeed later. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * How an attempt ended. `failed` is an answer; `not_sent` says that nothing can have happened; `timed_out` and
 * `lost` (the connection broke, or the signal dropped the call) say that nobody knows what happened.
 */
export type Outcome =
  | ({ readonly outcome: 'succeeded'; readonly output: JsonValue; readonly exit?: number } & LeftFiles)
  | ({
      readonly outcome: 'failed';
      readonly error: ToolFailure;
      readonly output?: JsonValue;
      readonly exit?: number;
    } & LeftFiles)
  | { readonly outcome: 'not_sent'; readonly error: ToolFailure }
  | ({ readonly outcome: 'timed_out' | 'lost'; readonly error: ToolFailure } & LeftFiles);

/** What a call did to the files of the workspace. */
interface LeftFiles {
  /** Of the call's {@link Tool.inputs}, those that it replaced or removed, as it left them; undefined: nobody knows. */
  readonly files?: readonly FileState[];
}

/** What a call is known to have come to. */
export type SettledCall =
  { readonly as: 'succeeded'; readonly output: JsonValue } | { readonly as: 'failed' };

/** What an executor calls. A call ends with an outcome; it throws for a bug alone. */
export interface Tool {
  definition(): ToolDefinition;
  /** Milliseconds that one attempt may take where the step does not say it; 60,000 where this is left out. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds after which what was still on its way has had its effect; 5,000 where this is left out. */
  readonly settleMs?: number | undefined;
  /** The condition that is waited for before each call, where there is one; it is given the arguments of the call. */
  readonly ready?: Condition | undefined;
  /** The JSON Schema of what a call brings; left out where nobody knows it. */
  readonly outputSchema?: JsonObject | undefined;
  /** What such a call does to the world, where that depends on its arguments; `definition` has the worst. */
  effectsOf?(args: JsonObject): Effects;
  /** Why such a call would be refused whenever it is made, such as for want of an argument; null where it would not. */
  problem?(call: KnownCall): string | CallProblem | null;
  /**
   * The files that a call with these arguments would replace, change or remove, as they are now.
   * @param later the arguments that are not known yet, as {@link KnownCall} has them
   */
  inputs?(args: JsonObject, later?: ReadonlySet<string>): Promise<readonly FileState[]>;
  /** The files of the workspace that a call names by its arguments, as far as these are known, as they are now. */
  named?(call: KnownCall, seen?: FilesSeen): Promise<readonly NamedFileState[]>;
  /** The files by which `settled` tells what came of a call, where these are not its `inputs`. */
  watched?(args: JsonObject, setting: CallSetting): Promise<readonly FileState[]>;
  /** Whether a call looks at `expected` before it writes; what does not may write these files at any time of its call. */
  readonly checksInputs?: boolean | undefined;
  /** The name of what its calls open and later ones need, which ends with the process. */
  readonly keeps?: string | undefined;
  call(call: ToolCall): Promise<Outcome>;
  /**
   * Tells what came of a call whose executor was killed, by what is there now and what was there before; null where
   * that does not tell it, and a person is asked.
   * @param before the files of `watched`, else of `inputs`, as they were
   * @param key that of the call
   */
  settled?(
    args: JsonObject,
    before: readonly FileState[],
    key: string,
    setting?: CallSetting,
  ): Promise<SettledCall | null>;
  /** Removes the temporary files that an attempt has left whose executor was killed, and nothing else. */
  removeLeftovers?(call: Pick<ToolCall, 'args' | 'attempt'>): Promise<void>;
}

/** One look at a condition. `detail` says in a line what was seen; it holds no secret. */
export interface ConditionResult {
  readonly ok: boolean;
  readonly detail: string;
}

/** What a look at a condition is given. */
export interface ConditionCall {
  /** The arguments of the precondition or verification, resolved. */
  readonly args: JsonObject;
  /** Milliseconds that the look may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly earlier?: EarlierCalls | undefined;
}

/** A condition that plans may name, as the tools file binds it. What cannot be looked at does not hold. */
export interface Condition {
  /** What a run is approved with, as a tool's is. */
  definition(): ToolDefinition;
  /** Why such a look could never tell anything, such as a pattern that is none; null where it can. */
  problem?(args: JsonObject): string | null;
  /** The files of the workspace that a look names by its arguments, as they are now. */
  named?(args: JsonObject, seen?: FilesSeen): Promise<readonly NamedFileState[]>;
  look(call: ConditionCall): Promise<ConditionResult>;
}

/** How the panes of wa are known, so that another one of the same number is not taken for it. */
export interface Panes {
  definition(): ToolDefinition;
  /** What makes a pane the one it is; null when nobody can tell. */
  identityOf(pane: JsonValue): Promise<JsonValue>;
}

/** All that a run may call, by the names that plans use. */
export interface Toolbox {
  /** Tells which pane of a terminal is meant; left out where nothing is bound to it. */
  readonly panes?: Panes | undefined;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly conditions: ReadonlyMap<string, Condition>;
  /**
   * Ends what an attempt of an executor that is gone has left behind.
   * @param attempt as {@link ToolCall} has it
   */
  endOrphan(attempt: string): Promise<void>;
  /** Ends servers that were started for the run. */
  close(): Promise<void>;
}
