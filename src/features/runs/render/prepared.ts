import { foldLine, foldLines } from '../../../kernel/text/fold-lines.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { legible, legibleJson } from '../../../kernel/text/legible.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Colors } from '../../../cli/terminal.js';
import { toolTextInRun } from './run-colors.js';
import { boundedLines } from '../../../cli/render/parts/bounded-lines.js';
import { endText } from '../../../cli/render/parts/times.js';

/** Shows what would run, what was found, what a person should know before agreeing, and the next command. */
export const prepared: RendererOf<OperationNamed<'prepare'>> = {
  render: (report, { terminal: { colors, columns = Infinity } }) =>
    [
      ...boundedLines(
        foldLines(report.text.split('\n'), columns),
        `plan approve ${report.run} --dry-run --json`,
      ).lines,
      ...aboutLines(report, colors).flatMap((line) => foldLine(line, columns)),
      ...nextLines(report),
      '',
    ].join('\n'),
};

const plain = (values: readonly string[]) => values.map((value) => [value]);

function aboutLines(report: ResultOf<'prepare'>, colors: Colors): readonly (readonly LinePart[])[] {
  const { tools, findings, losses, inputs, warnings, preconditions, approval_because: because } = report;
  return [
    ...section(
      'Tools',
      plain(tools.map(({ name, effects }) => `${legible(name)}  ${EFFECTS[effects] ?? effects}`)),
    ),
    ...section(
      'Preconditions of the plan',
      preconditions.map(({ condition, status, detail }) => [
        {
          text: `[${status.toUpperCase()}]`,
          paint: { pass: colors.green, fail: colors.red, pending: colors.yellow }[status],
        },
        ` ${legible(condition)}${status === 'pass' ? '' : `: ${toolTextInRun(detail)}`}`,
      ]),
    ),
    ...section('Values of the host', plain(valueLines(report))),
    ...section(
      'Files that will be written',
      plain(inputs.map(({ path, sha256 }) => `${legible(path)}${sha256 === null ? '  (new)' : ''}`)),
    ),
    ...section(
      'Found',
      findings.map(({ rule, severity, message, step }) => [
        { text: severity, paint: colors.yellow },
        ` ${rule}${step === null ? '' : ` in ${legible(step)}`}: ${message}`,
      ]),
    ),
    ...section('Lost when it was carried over', plain(losses)),
    ...section('To know', plain(warnings)),
    ...section('A person must agree, because', plain(because)),
  ];
}

/** The values that the plan may name, of which the whole is in `--json` and when it is approved. */
function valueLines({ vars }: ResultOf<'prepare'>): readonly string[] {
  if (vars === undefined) return [];
  const lines = Object.entries(vars.values).map(
    ([name, value]) => `$vars.${legible(name)}  ${truncate(legibleJson(JSON.stringify(value)), MOST_VALUE)}`,
  );
  return [...lines, `SHA-256 of all: ${vars.sha256}`];
}

/** Columns of a value. */
const MOST_VALUE = 200;

const EFFECTS: Readonly<Record<string, string>> = {
  none: 'reads',
  idempotent: 'can be done again without harm',
  once: 'acts once',
};

function nextLines(report: ResultOf<'prepare'>): readonly string[] {
  const { run, digest, workspace, approval, signers, requires_approval, commit_command, expires_at } = report;
  return [
    `Run:    ${run}`,
    `Digest: ${digest}`,
    ...(workspace.id === workspace.root
      ? []
      : [`In:     ${legible(workspace.root)}, which the plan calls ${legible(workspace.id)}`]),
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
  const list = legible(file);
  return needed === 1
    ? `by somebody of ${list}; no code approves it`
    : `by ${needed} people of ${list}; no code approves it`;
}

function section(title: string, lines: readonly (readonly LinePart[])[]): readonly (readonly LinePart[])[] {
  return lines.length === 0 ? [] : [[`${title}:`], ...lines.map((line) => ['  - ', ...line]), ['']];
}
