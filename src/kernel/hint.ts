/** A command that a hint proposes, which is another thing with the tools of an agent. */
export type StepCommand =
  'init' | 'next' | 'tree' | 'show' | 'status' | 'claim' | 'reopen' | 'depend' | 'list';

/** A command as data. */
export interface Step {
  readonly command: StepCommand;
  /** What stands after it on the command line. */
  readonly args: readonly string[];
}

/** Words for the command line; the tools of an agent have their own in their place, or none. */
interface OwnWords {
  readonly commandLine: string;
  readonly tools?: string;
}

/** A piece of a hint: words that hold everywhere, a command, or words of each interface. */
export type HintPart = string | Step | OwnWords;

/** What to do next: words for the command line, or pieces of which each interface makes its own words. */
export type Hint = string | readonly HintPart[];

/** A command as a piece of a hint. @param args what stands after it */
export function hintStep(command: StepCommand, ...args: readonly string[]): Step {
  return { command, args };
}

/** A hint in the words of the command line. */
export function hintInCommands(hint: Hint): string {
  return typeof hint === 'string' ? hint : hint.map(partInCommands).join('');
}

function partInCommands(part: HintPart): string {
  if (typeof part === 'string') return part;
  if ('commandLine' in part) return part.commandLine;
  return `\`${['plan', part.command, ...part.args].join(' ')}\``;
}

/** One hint after the other, where there are two. */
export function joinHints(first: Hint | undefined, second: Hint | undefined): Hint | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return [...partsOf(first), ' ', ...partsOf(second)];
}

function partsOf(hint: Hint): readonly HintPart[] {
  return typeof hint === 'string' ? [{ commandLine: hint }] : hint;
}
