import { PlanError } from '../../../kernel/errors.js';
import { legible } from '../../../kernel/text/legible.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { foldLines } from '../../../kernel/text/fold-lines.js';
import { libraryOf } from '../../../operations/library.js';
import { runs } from '../registry.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import { askOnTerminal, canAsk, notTheWord } from '../../../cli/confirm.js';
import type { RendererOf, View } from '../../../cli/renderer.js';
import { boundedLines } from '../../../cli/render/parts/bounded-lines.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { endText } from '../../../cli/render/parts/times.js';

type Approval = ResultOf<'approve'>;

/** Shows once more what would run, and asks a person for a yes; then says what comes next. */
export const approve: RendererOf<OperationNamed<'approve'>> = {
  async ask(input, { terminal, json, context }) {
    if (input.dryRun === true || !canAsk(terminal, json)) return input;
    // A run is approved with its code, which is not on the command line then.
    const isCodeAsked = input.sign === undefined && input.code.startsWith('run-');
    const code = isCodeAsked ? await askOnTerminal('Code: ', terminal) : input.code;
    return agreedTo({ ...input, code: code ?? '' }, { terminal, context });
  },
  verbatim: (_report, { input }) => input.dryRun === true,
  render(report, { input, terminal }) {
    if (input.dryRun === true) return `${whatWouldRun(report, terminal.columns)}Nothing was approved.\n`;
    const { run, scope, granted, signatures, signer, commit_command, workers, expires_at } = report;
    const then = workers ? 'Workers go on with it.' : `Carry it out: ${commit_command}`;
    const who = signer === null ? '' : ` by ${legible(signer)}`;
    const what = scope === 'run' ? `${run}${withSteps(granted)}` : `${legible(scope)} of ${run}`;
    const missing = signatures === null ? 0 : signatures.needed - signatures.given;
    return missing > 0
      ? `Approved ${what}${who}; ${missing} more ${missing === 1 ? 'signature is' : 'signatures are'} needed.\n`
      : `Approved ${what}${granted.length > 0 ? ',' : ''}${who} until ${endText(expires_at)}. ${then}\n`;
  },
};

/**
 * Shows what would be approved, and returns the input with a person's yes.
 * @param signal says that the answer is not needed any more
 * @throws PlanError REFUSED for any other answer, INTERRUPTED on Ctrl-C
 */
export async function agreedTo<Input extends { readonly code: string; readonly sign?: string | undefined }>(
  input: Input,
  { terminal, context }: Pick<View, 'terminal' | 'context'>,
  signal?: AbortSignal,
): Promise<Input & { readonly agreed: { readonly via: 'terminal'; readonly shown: string } }> {
  const shown = await libraryOf(context, runs.operations).approve({ ...input, dryRun: true });
  terminal.error(whatWouldRun(shown, terminal.columns));
  const answer = await askOnTerminal(
    `Type yes to let ${shown.scope === 'run' ? `it run${withSteps(shown.granted)}` : `${legible(shown.scope)} go on`}: `,
    terminal,
    signal,
  );
  if (answer !== 'yes') throw notAgreed(shown.run, input, answer);
  return { ...input, agreed: { via: 'terminal', shown: shown.shown } };
}

/** What is approved beside the run. */
function withSteps(granted: Approval['granted']): string {
  return granted.length === 0 ? '' : `, with ${quantityOf(granted.length, 'step')} that would ask`;
}

function notAgreed(
  run: string,
  { code, sign }: { readonly code: string; readonly sign?: string | undefined },
  answer: string | null,
): PlanError {
  const hint =
    sign === undefined
      ? `The code still holds: \`plan approve ${legible(code)}\` asks again.`
      : 'Nothing was signed. The same command asks again.';
  return new PlanError('REFUSED', `${run} is not approved: ${notTheWord(answer)}`, {
    hint: { commandLine: hint },
    details: { run },
  });
}

/** A terminal that is narrower would break lines by itself, so that a part of one looks like a line. */
const WIDEST = 78;

function whatWouldRun({ run, scope, text, parts }: Approval, columns = 0): string {
  const width = columns > 0 ? Math.min(columns, WIDEST) : WIDEST;
  const step = scope === 'run' ? '' : ` --step ${shellWord(scope)}`;
  const command = `plan approve ${run}${step} --dry-run --json`;
  const { lines, hidden } = boundedLines(
    [
      ...foldLines(text.split('\n'), width),
      // A digest is one word, which nobody has made up.
      ...parts.flatMap((part) => (isDigest(part) ? partLines(part) : foldLines(partLines(part), width))),
    ],
    command,
  );
  const left =
    hidden === 0
      ? ''
      : `\n*** ${hidden} characters of this are not shown above. See all of it first: ${command}\n`;
  return `${lines.join('\n')}\n${left}`;
}

function isDigest({ kind, lines }: Approval['parts'][number]): boolean {
  return kind === 'line' && /^(?:[a-z0-9]+:)?[0-9a-f]{64}$/.test(lines[0] ?? '');
}

function partLines({ title, lines, kind }: Approval['parts'][number]): readonly string[] {
  const [only = ''] = lines;
  if (kind === 'time') return [`${title}: ${endText(only)}`];
  return kind === 'line' ? [`${title}: ${only}`] : [`${title}:`, ...lines.map((line) => `  - ${line}`)];
}
