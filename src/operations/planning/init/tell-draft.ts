import { leftOutInWords } from '../../../kernel/text/line-account.js';
import type { LineAccount } from '../../../kernel/text/line-account.js';
import type { LeftOut } from '../../../planning/documents/section-choice.js';
import type { PlanningChoice } from '../choose-planning.js';
import type { Emit } from '../planning-progress.js';
import { tellStoreAbove } from './tell-store.js';
import { planInWords, withProgress } from '../../../plan/readiness/plan-progress.js';
import { timeNow } from '../../shared/environment.js';
import type { Plan } from '../../../plan/plan.js';
import type { RunContext } from '../../operation.js';
import type { Context } from '../../shared/context.js';

/** What there is to say of a plan before it is planned. */
interface Drafted {
  readonly choice: PlanningChoice;
  readonly leftOut: readonly LeftOut[];
  readonly prose: string | null;
  readonly account: LineAccount | null;
}

/** Tells what there is to know of a plan that was made just now, in memory alone where it is dry. */
export async function tellDraft(
  context: RunContext,
  { draft, plan, isDry }: { readonly draft: Drafted; readonly plan: Plan; readonly isDry: boolean },
): Promise<void> {
  if (!isDry) {
    await tellSameGoal(context, plan, context.emit);
    tellStoreAbove(context, context.emit);
  }
  await announceChoice(draft, context.emit);
}

/** Says what of a document is no goal, and who plans where that was not asked for. */
async function announceChoice({ choice, leftOut, prose, account }: Drafted, emit: Emit): Promise<void> {
  tellLeftOut(leftOut, emit);
  if (account !== null) tellLostLines(account, leftOut, emit);
  if (prose !== null && choice.settings.expander === 'rules') tellProse(prose, emit);
  const { expander, given = [] } = choice.settings;
  if (expander === 'rules' && given.includes('budget'))
    emit({ type: 'notice', message: 'The budget limits nothing: rules plan, and ask no model.' });
  if (choice.notice === null) return;
  emit({ type: 'notice', message: choice.notice });
  if (expander === 'rules') await tellServers(emit);
}

/** Says that there is a plan of the very same words already, for both stand in every list from now on. */
async function tellSameGoal(context: Context, { header }: Plan, emit: Emit): Promise<void> {
  const { plans } = await (await context.storeToWrite()).list();
  const other = plans.find(({ id, description }) => id !== header.id && description === header.description);
  if (other === undefined) return;
  const standing = planInWords(withProgress(other, timeNow(context.environment)));
  const message = `There is a plan of this goal already: ${other.id} (${standing}). \`plan use\` chooses one, \`plan delete\` takes one away.`;
  emit({ type: 'notice', message });
}

/** Says which servers of models there are on this machine; none is used unasked. */
async function tellServers(emit: Emit): Promise<void> {
  const { findLocalServers } = await import('../../../llm/local-servers.js');
  for (const { name, baseUrl, model } of await findLocalServers())
    emit({
      type: 'notice',
      message: `${name} answers on this machine: --base-url ${baseUrl} --model ${model ?? 'NAME'} plans with it.`,
    });
}

/** Says that the rules find no goal in a document, which would else look as if it were planned. */
function tellProse(file: string, emit: Emit): void {
  const message = `the rules find nothing in ${file} that tells what to do in parts, so it is one goal with its text as detail. A model can divide it (--model NAME), and so can you: plan split root --into "first part" "second part"; --all reads every section as work`;
  emit({ type: 'notice', message, warning: { code: 'no_structure', goal_id: null, message } });
}

const MOST_LINES = 20;

/** Says which lines of a document are in no goal, but for those of sections that were left out by choice. */
function tellLostLines({ left_out: all }: LineAccount, leftOut: readonly LeftOut[], emit: Emit): void {
  const chosen = leftOut.filter(({ why }) => why === 'chosen');
  const lost = leftOutInWords(
    all.filter(
      (run) => !chosen.some((part) => part.start_line <= run.first_line && run.last_line <= part.end_line),
    ),
  );
  const more = lost.length - MOST_LINES;
  const shown = more <= 0 ? lost : [...lost.slice(0, MOST_LINES), `and ${more} more like these`];
  for (const message of shown)
    emit({ type: 'notice', message, warning: { code: 'left_out', goal_id: null, message } });
}

const LONGEST_LIST = 400;

/** Says which sections are no goals, and how they can be. */
function tellLeftOut(leftOut: readonly LeftOut[], emit: Emit): void {
  const named = (why: LeftOut['why']) => [
    ...new Set(
      leftOut.filter((part) => part.why === why && part.heading !== '').map(({ heading }) => heading),
    ),
  ];
  const tell = (code: string, message: string) =>
    emit({ type: 'notice', message, warning: { code, goal_id: null, message } });
  const context = named('context');
  const outOfScope = named('out_of_scope');
  const chosen = named('chosen');
  if (context.length > 0) tell('left_out', `left out as context: ${shownList(context)} (--all plans it too)`);
  if (outOfScope.length > 0) tell('left_out', `not to be planned: ${shownList(outOfScope)}`);
  if (chosen.length > 0) tell('left_out', `left out by choice: ${shownList(chosen)}`);
}

function shownList(names: readonly string[]): string {
  const list = names.join(', ');
  return list.length <= LONGEST_LIST ? list : `${list.slice(0, LONGEST_LIST)} … (${names.length} in all)`;
}
