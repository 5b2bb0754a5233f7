import type * as z from 'zod';

import type { EventOf, Operation, StopSignals } from '../operations/operation.js';
import type { Streamed } from '../operations/shared/streamed.js';
import type { Terminal } from './terminal.js';
import type { CoreLibrary } from '../operations/library.js';
import type { Context } from '../operations/shared/context.js';

/** What a renderer knows besides the result. */
export interface View<Input = Readonly<Record<string, unknown>>> {
  readonly terminal: Terminal;
  /** What the operation was given. */
  readonly input: Input;
  /** The options that the renderer itself declares, as they were given. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether standard output must hold exactly one JSON document. */
  readonly json: boolean;
  /** The working folder, to which paths are shown relative. */
  readonly folder: string;
  /** For what is shown besides the result, such as the tree of a new plan. */
  readonly workspace: CoreLibrary;
  /** What features call their own operations with. */
  readonly context: Context;
}

/** What a person is asked before something is done, where the plan was not named. */
export interface Confirmation<Input = Readonly<Record<string, unknown>>> {
  /** A sentence that ends with a question mark. */
  readonly question: string;
  /** The plan that the question names. */
  readonly name: string;
  /** What is done after a yes: with the plan that the question names, whatever is changed meanwhile. */
  readonly input: Input;
}

/** How the result of an operation is shown to people. */
export interface Renderer<Result = unknown, Input = Readonly<Record<string, unknown>>, Told = unknown> {
  /** Options that only say how to show the result; none of them changes what is done. */
  readonly options?: z.ZodObject;
  /** The input with what only people see of the result asked for as well; not called for `--json`. */
  prepare?(this: void, input: Input, view: Omit<View<Input>, 'input'>): Input;
  /** What must be confirmed; null when nothing must. The command takes `--yes` then, which is a yes beforehand. */
  confirm?(this: void, input: Input, view: Omit<View<Input>, 'input'>): Promise<Confirmation<Input> | null>;
  /**
   * Shows a person on a terminal what is about to be agreed to and takes the answer into the input, which stays as it
   * is where nobody can be asked.
   */
  ask?(this: void, input: Input, view: Omit<View<Input>, 'input'>): Promise<Input>;
  /** What is said on standard error beside the data, also with `--json`. */
  remark?(this: void, result: Result, view: View<Input>): void;
  /** Does what tells events of its own, and shows them live on a terminal. */
  watch?(
    this: void,
    terminal: Terminal,
    start: (signals: StopSignals) => Streamed<Told, Result>,
    view: View<Input>,
  ): Promise<Result>;
  /** What people see on standard output; not called for `--json`. It may write on standard error itself. */
  render(this: void, result: Result, view: View<Input>): string | Promise<string>;
  /** What is said on standard error below what was rendered. */
  after?(this: void, result: Result, view: View<Input>): void;
  /** Whether what it renders is broken into lines already, or is for other programs as well; else lines are broken at the terminal's width. */
  verbatim?(this: void, result: Result, view: View<Input>): boolean;
  /** What is left to show of a result that was rendered as soon as it stood, before what was asked after that. */
  rest?(this: void, result: Result, view: View<Input>): string;
  /** The document for `--json`, where an option of the renderer's own asks for another than the operation's. */
  document?(this: void, result: Result, view: View<Input>): unknown;
}

type ResultOf<Of> = Of extends { run(...given: never): Promise<infer Result> } ? Result : never;
type InputOf<Of> = Of extends { readonly input: infer Input extends z.ZodType } ? z.output<Input> : never;

/** The renderer of an operation. */
export type RendererOf<Of extends Pick<Operation, 'input' | 'run'>> = Renderer<
  ResultOf<Of>,
  InputOf<Of>,
  EventOf<Of>
>;
