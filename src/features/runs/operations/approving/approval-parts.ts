import { textOfJson } from '../../../../kernel/json/json-text.js';
import { isJsonValue } from '../../../../kernel/json/json-value.js';
import { legible, legibleJson, legibleLine } from '../../../../kernel/text/legible.js';
import type { ApprovalPart } from './approval-part.js';
import type { ApprovalReport } from './approval-shape.js';
import { ARE_KNOWN } from './granted-steps.js';

type Reported = Omit<ApprovalReport, 'text' | 'parts' | 'shown' | 'approval' | 'via' | 'signer'>;

/**
 * All that `shown` digests and the plan does not tell, in the order in which it is shown. The terminal and the page show
 * this list, so that nobody agrees to what he was not shown.
 */
export function approvalParts(report: Reported): readonly ApprovalPart[] {
  const { scope, summary, run, digest, workspace, tools, tools_digest, losses, because, signatures } = report;
  const step =
    scope === 'run' ? [] : [`${legible(scope)}${summary === null ? '' : ` (${legible(summary)})`}`];
  const parts = [
    part('Step', step, 'line'),
    part('Arguments', argumentLines(report)),
    ...report.granted.map((one) =>
      part(`Approved with it: ${legible(one.step)} (${legible(one.tool)})`, [
        ...argumentLines(one),
        ...one.named.map(inputLine),
      ]),
    ),
    part('Asks later', askingLines(report)),
    part('Run', [run], 'line'),
    part('Digest', [digest], 'line'),
    part('Workspace', [placeLine(workspace)], 'line'),
    part(
      'Tools',
      tools.map(({ name, effects, binding }) => `${legible(name)}  ${effects}  ${shown(binding)}`),
    ),
    part('Digest of the tools', [tools_digest], 'line'),
    part('Values of the host', valueLines(report)),
    part('Files that will be written', report.inputs.map(inputLine)),
    part('Files that arguments name', report.named.map(inputLine)),
    part('Lost when it was converted', losses.map(legibleLine)),
    part('A person must agree, because', because.map(legibleLine)),
    part('Signatures', signatures === null ? [] : [`${signatures.given} of ${signatures.needed}`], 'line'),
    part('Open until', [report.expires_at], 'time'),
    part('Then', [report.workers ? 'workers go on with it' : report.commit_command], 'line'),
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

function part(title: string, lines: readonly string[], kind: ApprovalPart['kind'] = 'list'): ApprovalPart {
  return { title, lines, kind };
}

/** What the step is called with, a member a line. */
function argumentLines({ args, args_digest }: Pick<Reported, 'args' | 'args_digest'>): readonly string[] {
  if (args === null) return args_digest === null ? [] : [`digest ${args_digest}`];
  const members = Object.entries(args).map(
    ([name, value]) => `${/^[a-z_$][\w.$-]*$/.test(name) ? name : shown(name)}: ${shown(value)}`,
  );
  return [
    ...(members.length === 0 ? ['none'] : members),
    ...(args_digest === null ? [] : [`digest ${args_digest}`]),
  ];
}

/** The steps that ask, and once how those are approved at once that can be. */
function askingLines({ asks_later: asking }: Reported): readonly string[] {
  const steps = asking.map(({ step, because }) => `${legible(step)}: ${because}`);
  if (!asking.some(({ because }) => because === ARE_KNOWN)) return steps;
  return [...steps, '`plan approve CODE --steps` approves those with the run whose arguments are known.'];
}

/** The values that the plan may name, each whole. */
function valueLines({ vars }: Reported): readonly string[] {
  if (vars === undefined) return [];
  return Object.entries(vars.values).map(([name, value]) => `$vars.${legible(name)}: ${shown(value)}`);
}

function inputLine({ path, sha256 }: Reported['inputs'][number]): string {
  return `${legible(path)}  ${sha256 === null ? '(new)' : `(now ${sha256})`}`;
}

function placeLine({ id, root }: Reported['workspace']): string {
  return id === root ? legible(root) : `${legible(root)}  ${legible(id)}`;
}

function shown(value: unknown): string {
  // Numbers as they are given, also those that JavaScript has no number for.
  return legibleJson(isJsonValue(value) ? textOfJson(value) : JSON.stringify(value));
}
