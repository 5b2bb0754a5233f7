import { firstOf } from '../../../kernel/text/first-of.js';
import { legible } from '../../../kernel/text/legible.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { goalShown } from '../operations/goal-number.js';
import type { OperationNamed, ResultOf } from '../registry.js';

const REASON = 200;

/** Says what became of the goals that agents worked on. */
export const worked: RendererOf<OperationNamed<'work'>> = {
  render: async (report) => Promise.resolve(report.would === undefined ? endText(report) : dryText(report)),
};

function dryText({ would = [], refused, missing }: ResultOf<'work'>): string {
  const lines = would.map(
    ({ goal, number, agent, checks, touches }) =>
      `${goalShown({ goal, number })}  ${agent}  checks: ${checks.length === 0 ? 'none' : legible(checks.join('; '))}${touches.length === 0 ? '' : `  touches: ${legible(touches.join(', '))}`}`,
  );
  const said = refused == null ? lines : [`Nothing would be begun: ${refused}`];
  return `${[...said, ...missingLines(missing, 'the base')].join('\n')}\n`;
}

function missingLines(missing: ResultOf<'work'>['missing'], branch: string): readonly string[] {
  return (missing ?? []).map(({ goal, number, needs }) => {
    const [first] = needs;
    const more = needs.length > 1 ? `, and ${needs.length - 1} more` : '';
    return `${goalShown({ goal, number })}  waits for ${first?.commit.slice(0, 10) ?? ''} (goal ${first?.goal ?? ''})${more}, which has landed elsewhere: merge it into ${legible(branch)}, or reopen and complete that goal by hand where it is there in another form`;
  });
}

const ENDED = {
  all_done: 'All goals are done.',
  nothing_ready: 'Nothing more can start; `plan next` says why.',
  failed: 'Some goals failed; `plan status` names them.',
  waits: 'Some goals wait for you.',
  budget: 'The budget is used up.',
  paused: 'Paused; the same command goes on.',
  agent:
    'Stopped: the agent cannot be started, or its service does not answer. Once that is mended, the same command goes on.',
  storage: 'Git or the disk failed; the same command goes on.',
} as const;

function endText({ plan, goals = [], base, ended = 'nothing_ready', missing }: ResultOf<'work'>): string {
  const lines = goals.map(({ goal, number, outcome, attempts, commit, files, reason }) => {
    const made =
      outcome === 'landed'
        ? ` ${commit?.slice(0, 10) ?? ''} (${files.length === 0 ? 'no files: the base had all of it' : legible(firstOf(files))})`
        : '';
    return `${goalShown({ goal, number })}  ${outcome === 'agent' ? 'the agent does not work' : outcome}${made}, ${attempts} ${attempts === 1 ? 'run' : 'runs'}${reason === null ? '' : `: ${truncate(legible(oneLine(reason)), REASON)}`}`;
  });
  const landed =
    base === undefined || base.from === base.to
      ? []
      : [`${legible(base.branch)}: ${base.from.slice(0, 10)}..${base.to.slice(0, 10)}`];
  const waiting = missingLines(missing, base?.branch ?? 'the base');
  const isPart = ended === 'all_done' && plan.progress !== 'done';
  const end = isPart
    ? `What was asked for is done; of the plan, ${plan.complete_goals} of ${plan.atomic_goals} goals are.`
    : ENDED[ended];
  return `${[...lines, ...landed, ...waiting, end].join('\n')}\n`;
}
