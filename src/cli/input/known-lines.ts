import type { CommandLineMember } from '../shared/command-description.js';
import type { CommandLine } from '../command-line.js';
import type { PlainInput } from './plain-input.js';

/** What a command takes, as it was derived when the commands were built. */
export interface KnownLine {
  readonly line: CommandLine;
  /** Options of its renderer. */
  readonly own: readonly CommandLineMember[];
  readonly plain: PlainInput | null;
}

/**
 * Of the commands that must start fastest, by the names of their operations. The build puts them here, for deriving them
 * needs zod and every schema of the input; until then there are none, and all is derived.
 */
export const KNOWN_LINES: Readonly<Record<string, KnownLine>> = {};
