import { foldLines } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import { libraryOf } from '../../../operations/library.js';
import { runs } from '../registry.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import { askOnTerminal, canAsk, notTheWord } from '../../../cli/confirm.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Terminal } from '../../../cli/terminal.js';

type Trust = ResultOf<'config trust-approvers'>;

/** Shows who would approve runs and what has changed of that, and asks whether it is trusted. */
export const configTrustApprovers: RendererOf<OperationNamed<'config trust-approvers'>> = {
  async ask(input, { terminal, json, context }) {
    if (input.digest !== undefined || !canAsk(terminal, json)) return input;
    const shown = await libraryOf(context, runs.operations).config.trustApprovers({});
    if (shown.trusted) return input;
    terminal.error(whoWouldApprove(shown, terminal));
    const what = shown.signers === null ? 'let a code approve runs here' : 'let these approve runs here';
    const answer = await askOnTerminal(`Type yes to ${what}: `, terminal);
    if (answer === 'yes') return { digest: shown.digest };
    terminal.error(`Not trusted: ${notTheWord(answer)}.\n`);
    return input;
  },
  render(trust, { terminal }) {
    const { signers, digest, file, trusted } = trust;
    const who = whoWouldApprove(trust, terminal);
    if (!trusted)
      return `${who}Not trusted. \`plan config trust-approvers ${digest.slice(0, 12)}\` trusts just this.\n`;
    return signers === null
      ? `Codes approve runs here again (kept in ${legible(file)}).\n`
      : `${who}That is trusted as it is now (digest ${digest}, kept in ${legible(file)}).\n`;
  },
};

/** A terminal that is narrower would break lines by itself, so that a part of one looks like a line. */
const WIDEST = 78;

function whoWouldApprove({ project, lines, changes, warning, trusted }: Trust, terminal: Terminal): string {
  const { colors, columns = 0 } = terminal;
  const width = columns > 0 ? Math.min(columns, WIDEST) : WIDEST;
  const folded = (some: readonly string[]) => foldLines(some, width).map((line) => `${line}\n`);
  const changed = (changes ?? []).filter(({ sign }) => sign !== ' ');
  return [
    ...folded([`Runs of ${legible(project)} ${trusted ? 'are' : 'would be'} approved by:`]),
    ...folded(
      lines.length === 0 ? ['  a code of whoever runs them'] : lines.map((line) => `  ${legible(line)}`),
    ),
    ...(warning === null ? [] : folded([warning]).map((line) => colors.yellow(line))),
    ...(changed.length === 0 ? [] : ['Changed since you trusted it:\n']),
    ...changed.flatMap(({ sign, text }) =>
      folded([`${sign} ${legible(text)}`]).map((line) =>
        sign === '-' ? colors.red(line) : colors.green(line),
      ),
    ),
  ].join('');
}
