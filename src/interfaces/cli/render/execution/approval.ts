import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import { answerTo, canAsk } from '../../confirm.js';
import type { RendererOf } from '../../renderer.js';
import { endText } from '../parts/times.js';

type Approval = ResultOf<'approve'>;

/** Shows once more what would run, and asks a person for a yes; then says what comes next. */
export const approve: RendererOf<OperationNamed<'approve'>> = {
  async ask(input, { terminal, json, workspace }) {
    if (input.sign !== undefined || input.dryRun === true || !canAsk(terminal, json)) return input;
    // A run is approved with its code, which is not on the command line then.
    const code = input.code.startsWith('run-') ? await answerTo('Code: ', terminal) : input.code;
    const shown = await workspace.approve({ ...input, code: code ?? '', dryRun: true });
    terminal.error(whatWouldRun(shown));
    const answer = await answerTo(
      `Type yes to let ${shown.scope === 'run' ? 'it run' : `${oneLine(shown.scope)} go on`}: `,
      terminal,
    );
    const given = { ...input, code: code ?? '' };
    return answer === 'yes' ? { ...given, agreed: { via: 'terminal', shown: shown.shown } } : given;
  },
  render(report, { input }) {
    if (input.dryRun === true) return `${whatWouldRun(report)}Nothing was approved.\n`;
    const { run, scope, signatures, signer, commit_command, expires_at } = report;
    const who = signer === null ? '' : ` by ${oneLine(signer)}`;
    const what = scope === 'run' ? run : `${oneLine(scope)} of ${run}`;
    const missing = signatures === null ? 0 : signatures.needed - signatures.given;
    return missing > 0
      ? `Approved ${what}${who}; ${missing} more ${missing === 1 ? 'signature is' : 'signatures are'} needed.\n`
      : `Approved ${what}${who} until ${endText(expires_at)}. Carry it out: ${commit_command}\n`;
  },
};

function whatWouldRun(report: Approval): string {
  const { text, tools, inputs, losses, because, args, summary, scope, digest, run, workspace } = report;
  const lines = [
    ...(scope === 'run'
      ? []
      : [`Step:      ${oneLine(scope)}${summary === null ? '' : ` (${oneLine(summary)})`}`]),
    ...(args === null ? [] : argumentLines(args)),
    `Run:       ${run}`,
    `Digest:    ${digest}`,
    `Workspace: ${oneLine(workspace.root)}`,
    ...(tools.length === 0
      ? []
      : ['Tools:', ...tools.map(({ name, effects }) => `  ${oneLine(name)}  ${effects}`)]),
    ...(inputs.length === 0
      ? []
      : ['Files that will be written:', ...inputs.map(({ path }) => `  ${oneLine(path)}`)]),
    ...(losses.length === 0
      ? []
      : ['Lost when it was converted:', ...losses.map((one) => `  ${oneLine(one)}`)]),
    ...(because.length === 0
      ? []
      : ['A person must agree, because:', ...because.map((one) => `  ${oneLine(one)}`)]),
  ];
  return `${text}\n${lines.join('\n')}\n`;
}

/** What the step is called with, a member a line. A long one is cut, and says so. */
function argumentLines(args: NonNullable<Approval['args']>): readonly string[] {
  const members = Object.entries(args);
  if (members.length === 0) return ['Arguments: none'];
  return ['Arguments:', ...members.map(([name, value]) => `  ${oneLine(name)}: ${shownValue(value)}`)];
}

const LONGEST = 2000;

function shownValue(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= LONGEST) return oneLine(text);
  return `${oneLine(text.slice(0, LONGEST))}… (${text.length - LONGEST} more characters; --json shows all)`;
}
