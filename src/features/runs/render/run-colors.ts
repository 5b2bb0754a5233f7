import { legible, legibleJson } from '../../../kernel/text/legible.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { ResultOf } from '../registry.js';
import { runWord } from './run-words.js';
import type { Colors } from '../../../cli/terminal.js';

type Status = ResultOf<'runs list'>['runs'][number]['status'];
type State = ResultOf<'runs show'>['steps'][number]['state'];

/** The status of a run in words on the screen, with its colour. */
export function runPart(
  status: Status,
  { green, red, cyan, yellow }: Colors,
  requiresApproval = true,
): Exclude<LinePart, string> {
  const text = runWord(status, requiresApproval);
  if (status === 'succeeded') return { text, paint: green };
  if (status === 'failed' || status === 'aborted') return { text, paint: red };
  return { text, paint: status === 'running' ? cyan : yellow };
}

/** The status of a run in words on the screen, in its colour. */
export function runText(status: Status, colors: Colors, requiresApproval = true): string {
  const { text, paint } = runPart(status, colors, requiresApproval);
  return paint(text);
}

const MARKS: Readonly<Record<State, string>> = {
  succeeded: '✓',
  failed: '✗',
  skipped: '–',
  unknown: '?',
  started: '›',
  pending: '·',
};

/** The symbol of a step of a run by its state, with its colour. */
export function stepSymbol(state: State, { green, red, yellow, cyan, dim }: Colors): LinePart {
  const text = MARKS[state];
  if (state === 'succeeded') return { text, paint: green };
  if (state === 'failed') return { text, paint: red };
  if (state === 'unknown') return { text, paint: yellow };
  return { text, paint: state === 'started' ? cyan : dim };
}

/**
 * A text of a tool of a run on one line without colours of its own, cut where it would fill the screen. `--json` has
 * it whole.
 */
export function toolTextInRun(text: string): string {
  return truncate(legible(text), MOST_COLUMNS);
}

/** The arguments of a call in a run on one line, cut as {@link toolTextInRun} does. */
export function argumentsInRun(args: Readonly<Record<string, unknown>>): string {
  return truncate(legibleJson(JSON.stringify(args)), MOST_COLUMNS);
}

const MOST_COLUMNS = 300;
