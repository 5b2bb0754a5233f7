import { oneLine } from '../../../operations/front-end.js';
import type { CompletionReport } from '../../../operations/front-end.js';
import { PlanError } from '../../../kernel/errors.js';
import { changeOptions } from '../change-options.js';
import type { CommandOutcome, Invocation, RunCommand } from '../command.js';
import { runStoppably } from '../interruption.js';
import { text } from '../planning-options.js';
import { replannedOutcome } from '../render/replanned.js';
import { goalLine, goalList } from '../render/work.js';
import { readStandardInput } from '../standard-input.js';
import type { Colors } from '../terminal.js';
import { runInterruptibly } from '../watch-planning.js';
import { texts, workerOptions } from '../worker-options.js';

/** A result is an account for people, not a data set. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Marks a goal as done; shows which goals above it that completed, and which can start now. */
export const run: RunCommand = async (invocation) => {
  const { args, options, workspace, terminal } = invocation;
  const from = text(options.from);
  const report = await workspace.complete(args[0] ?? '', {
    ...workerOptions(options),
    summary: text(options.summary),
    decisions: texts(options.decision),
    artifacts: texts(options.artifact),
    ...(from === '-' ? { text: (await readStandardInput(MOST_BYTES)).replace(/^\uFEFF/, '') } : { from }),
    fromGit: text(options.fromGit),
    token: text(options.token),
    force: options.force === true,
  });
  for (const notice of report.notices) terminal.error(`${oneLine(notice)}\n`);
  // Said before anything else is asked, for it is so whatever comes of that.
  if (!invocation.json) terminal.out(completedText(report, terminal.colors));
  const { interrupted, ...digested } =
    options.expander === 'model' ? await digestedByModel(invocation, report) : { interrupted: false };
  if (options.revise !== true || interrupted) return { data: { ...report, ...digested }, text: '' };
  const revision = await revisionAfter(invocation);
  return {
    data: { ...report, ...digested, revision: revision?.data ?? null },
    text: revision?.text ?? '',
  };
};

function completedText(
  { goal, completed_parents, became_ready, plan }: CompletionReport,
  colors: Colors,
): string {
  const left = plan.atomic_goals - plan.complete_goals;
  return [
    `${colors.green('Completed')} ${goalLine(goal)}\n`,
    goalList('Which also completes', completed_parents, colors),
    goalList('Can start now', became_ready, colors),
    left === 0 && plan.pending_goals === 0 ? 'Everything is done.\n' : '',
  ].join('');
}

/** Asks the model for better digests of what is complete now; when that fails, those that are there stay. */
async function digestedByModel(
  { options, workspace, terminal }: Invocation,
  { goal, completed_parents, plan, notices }: CompletionReport,
): Promise<Partial<CompletionReport> & { readonly interrupted: boolean }> {
  const said: string[] = [];
  const asked = { plan: text(options.plan), refresh: true, settings: { expander: 'model' } } as const;
  let after = plan;
  let interrupted = false;
  try {
    await runStoppably(terminal, async (signals) => {
      for (const { id } of [goal, ...completed_parents]) {
        const report = await workspace.digest({ ...asked, ...signals, goal: id });
        said.push(...report.notices);
        after = report.plan;
      }
    });
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    interrupted = thrown.code === 'INTERRUPTED';
    said.push(`the goal is complete, but no better digest was made: ${thrown.message}`);
  }
  for (const notice of said) terminal.error(`${oneLine(notice)}\n`);
  return { plan: after, notices: [...notices, ...said], interrupted };
}

/** What is left beside the goal proposed anew, only shown; null when that failed, which does not undo the work. */
async function revisionAfter(invocation: Invocation): Promise<CommandOutcome | null> {
  const { args, options, workspace, terminal } = invocation;
  try {
    const replanned = await runInterruptibly(terminal, ({ signal, dropSignal }) =>
      workspace.replan(args[0] ?? '', {
        ...changeOptions(options),
        revise: true,
        signal,
        dropSignal,
      }),
    );
    return replannedOutcome(replanned, invocation);
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    terminal.error(
      `The goal is complete, but what is left beside it was not proposed anew: ${oneLine(thrown.message)}\n`,
    );
    return null;
  }
}
