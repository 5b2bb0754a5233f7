import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Colors } from '../../../cli/terminal.js';
import { boundedLines } from '../../../cli/render/parts/bounded-lines.js';
import { endText } from '../../../cli/render/parts/times.js';

/** Shows what would run, what was found, what a person should know before agreeing, and the next command. */
export const prepared: RendererOf<OperationNamed<'prepare'>> = {
  render: (report, { terminal }) =>
    [
      ...boundedLines(report.text.split('\n'), `plan approve ${report.run} --dry-run --json`).lines,
      ...aboutLines(report, terminal.colors),
      ...nextLines(report),
      '',
    ].join('\n'),
};

function aboutLines(report: ResultOf<'prepare'>, colors: Colors): readonly string[] {
  const { tools, findings, losses, inputs, warnings, approval_because: because } = report;
  return [
    ...section(
      'Tools',
      tools.map(({ name, effects }) => `${oneLine(name)}  ${EFFECTS[effects] ?? effects}`),
    ),
    ...section(
      'Files that will be written',
      inputs.map(({ path, sha256 }) => `${oneLine(path)}${sha256 === null ? '  (new)' : ''}`),
    ),
    ...section(
      'Found',
      findings.map(
        ({ rule, severity, message, step }) =>
          `${colors.yellow(severity)} ${rule}${step === null ? '' : ` in ${oneLine(step)}`}: ${oneLine(message)}`,
      ),
    ),
    ...section('Lost when it was carried over', losses.map(oneLine)),
    ...section('To know', warnings.map(oneLine)),
    ...section('A person must agree, because', because.map(oneLine)),
  ];
}

const EFFECTS: Readonly<Record<string, string>> = {
  none: 'reads',
  idempotent: 'can be done again without harm',
  once: 'acts once',
};

function nextLines(report: ResultOf<'prepare'>): readonly string[] {
  const { run, digest, approval, signers, requires_approval, commit_command, expires_at } = report;
  return [
    `Run:    ${run}`,
    `Digest: ${digest}`,
    `Until:  ${endText(expires_at)}`,
    ...(approval === null ? [] : [`Code:   ${approval.code}`]),
    '',
    ...(requires_approval
      ? [`Approve it:  ${approval?.command ?? signers?.command ?? `plan approve ${run}`}`]
      : []),
    ...(signers === undefined ? [] : [`             ${whoSigns(signers)}`]),
    `Carry it out:  ${commit_command}`,
  ];
}

/** Who has to sign. A code would approve nothing. */
function whoSigns({ file, needed }: NonNullable<ResultOf<'prepare'>['signers']>): string {
  const list = oneLine(file);
  return needed === 1
    ? `by somebody of ${list}; no code approves it`
    : `by ${needed} people of ${list}; no code approves it`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`), ''];
}
