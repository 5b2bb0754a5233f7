import { PlanError } from '../../../../kernel/errors.js';
import { oneLine } from '../../../../kernel/text/safe-text.js';
import { truncate } from '../../../../kernel/text/truncate.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import { askOnTerminal, canAsk, notTheWord } from '../../confirm.js';
import type { RendererOf } from '../../renderer.js';
import { endText } from '../parts/times.js';

type Approval = ResultOf<'approve'>;

/** Shows once more what would run, and asks a person for a yes; then says what comes next. */
export const approve: RendererOf<OperationNamed<'approve'>> = {
  async ask(input, { terminal, json, workspace }) {
    if (input.sign !== undefined || input.dryRun === true || !canAsk(terminal, json)) return input;
    // A run is approved with its code, which is not on the command line then.
    const code = input.code.startsWith('run-') ? await askOnTerminal('Code: ', terminal) : input.code;
    const shown = await workspace.approve({ ...input, code: code ?? '', dryRun: true });
    terminal.error(whatWouldRun(shown));
    const answer = await askOnTerminal(
      `Type yes to let ${shown.scope === 'run' ? 'it run' : `${oneLine(shown.scope)} go on`}: `,
      terminal,
    );
    if (answer !== 'yes') throw notAgreed(shown.run, input.code, answer);
    return { ...input, code: code ?? '', agreed: { via: 'terminal', shown: shown.shown } };
  },
  render(report, { input }) {
    if (input.dryRun === true) return `${whatWouldRun(report)}Nothing was approved.\n`;
    const { run, scope, signatures, signer, commit_command, workers, expires_at } = report;
    const then = workers ? 'Workers go on with it.' : `Carry it out: ${commit_command}`;
    const who = signer === null ? '' : ` by ${oneLine(signer)}`;
    const what = scope === 'run' ? run : `${oneLine(scope)} of ${run}`;
    const missing = signatures === null ? 0 : signatures.needed - signatures.given;
    return missing > 0
      ? `Approved ${what}${who}; ${missing} more ${missing === 1 ? 'signature is' : 'signatures are'} needed.\n`
      : `Approved ${what}${who} until ${endText(expires_at)}. ${then}\n`;
  },
};

function notAgreed(run: string, code: string, answer: string | null): PlanError {
  return new PlanError('REFUSED', `${run} is not approved: ${notTheWord(answer)}`, {
    hint: { commandLine: `The code still holds: \`plan approve ${oneLine(code)}\` asks again.` },
    details: { run },
  });
}

function whatWouldRun({ text, parts }: Approval): string {
  return `${text}\n${parts.flatMap(partLines).join('\n')}\n`;
}

function partLines({ title, lines, kind }: Approval['parts'][number]): readonly string[] {
  const [only = ''] = lines;
  if (kind === 'time') return [`${title}: ${endText(only)}`];
  return kind === 'line'
    ? [`${title}: ${cut(only)}`]
    : [`${title}:`, ...lines.map((line) => `  ${cut(line)}`)];
}

const LONGEST = 2000;

/** A terminal scrolls away what is long, and with it what stands above. */
function cut(line: string): string {
  const shown = truncate(line, LONGEST);
  return shown === line
    ? line
    : `${shown} (${line.length - shown.length + 1} more characters; --json shows all)`;
}
