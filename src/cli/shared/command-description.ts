import type { OperationGroup } from '../../operations/registered-operation.js';

/** An argument of a command, or one of its options, and the member of the input that it gives. */
export interface CommandLineMember {
  /** As commander reads it: `[plan]`, `<goals...>`, `-o, --output <file>`. */
  readonly flags: string;
  readonly description: string;
  /** As it was formerly given, as commander reads it; no help shows it. */
  readonly formerFlags?: string | undefined;
  /** Where its value goes: `['settings', 'budget', 'calls']`. */
  readonly path: readonly string[];
  readonly kind: 'toggle' | 'text' | 'number';
  readonly choices?: readonly string[] | undefined;
  readonly many: boolean;
  /** Whether the command is refused without it. */
  readonly required?: boolean | undefined;
  readonly negated: boolean;
  /** Several words that are one text. */
  readonly words?: boolean | undefined;
  /** Another option that cannot be given with it. */
  readonly conflicts?: string | undefined;
  /** What a number is multiplied by. */
  readonly factor: number;
}

/** What a command takes in all, for help, completion and docs. */
export interface CommandDescription {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly arguments: readonly CommandLineMember[];
  readonly options: readonly CommandLineMember[];
  readonly examples: readonly string[];
}

/** A command that is no operation, with what help says of it. */
export interface OwnCommand extends CommandDescription {
  readonly group: OperationGroup;
  /** The first screen of the help shows it. */
  readonly everyday?: boolean;
}
