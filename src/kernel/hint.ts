/** A command that a hint proposes, which is another thing with the tools of an agent. */
export type StepCommand =
  'init' | 'next' | 'tree' | 'show' | 'status' | 'claim' | 'reopen' | 'depend' | 'list';

/** A command as data, with what it takes by name: each interface puts it where it belongs. */
export type Step =
  | { readonly command: Exclude<StepCommand, 'depend'>; readonly goal?: string | undefined }
  | { readonly command: 'depend'; readonly goal: string; readonly notOn: string };

/** Words for the command line; the tools of an agent have their own in their place, or none. */
interface OwnWords {
  readonly commandLine: string;
  readonly tools?: string;
}

/** A piece of a hint: words that hold everywhere, a command, or words of each interface. */
export type HintPart = string | Step | OwnWords;

/**
 * What to do next: pieces of which each interface makes its own words, or `{ commandLine }`, which says nothing to whoever
 * has no shell. No text alone is a hint, so that each place says for whom its words are.
 */
export type Hint = OwnWords | readonly HintPart[];

/** A command as a piece of a hint. @param goal what it takes, if anything */
export function hintStep(command: Exclude<StepCommand, 'depend'>, goal?: string): Step {
  return { command, goal };
}

/** A hint in the words of the command line. */
export function hintInCommands(hint: Hint): string {
  return partsOf(hint).map(partInCommands).join('');
}

function partInCommands(part: HintPart): string {
  if (typeof part === 'string') return part;
  if ('commandLine' in part) return part.commandLine;
  const goal = part.goal === undefined ? '' : ` ${part.goal}`;
  return `\`plan ${part.command}${goal}${part.command === 'depend' ? ` --not-on ${part.notOn}` : ''}\``;
}

/** One hint after the other, where there are two. */
export function joinHints(first: Hint | undefined, second: Hint | undefined): Hint | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return [...partsOf(first), ' ', ...partsOf(second)];
}

/** The pieces of a hint, in their order. */
export function partsOf(hint: Hint): readonly HintPart[] {
  return 'commandLine' in hint ? [hint] : hint;
}
