import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { Renderer, RendererOf } from '../../renderer.js';
import { numbersIn, renderChanges, renderShifts } from '../parts/goal-changes.js';

/** Shows what a change by hand did to goals. */
export const change: Pick<Renderer<ResultOf<'add'>, unknown>, 'render'> = {
  render: async ({ changes, plan, dry_run }, { terminal, workspace }) => {
    if (changes.length === 0) {
      terminal.tell(`${dry_run === true ? 'Nothing would change' : 'No change'}: it already is as asked.`);
      return '';
    }
    if (dry_run === true) terminal.tell('Only shown, nothing is changed.', { isDim: true });
    const shifts = dry_run === true ? '' : renderShifts(changes);
    if (shifts !== '') terminal.tell(shifts, { isDim: true });
    return renderChanges(changes, terminal.colors, await numbersIn(changes, plan.id, workspace));
  },
};

/** As many goals are named that hold an earlier choice. */
const STALE_SHOWN = 5;

/** Shows what a decision did, and proposes what may be done about goals that hold an earlier choice. */
export const decide: RendererOf<OperationNamed<'decide'>> = {
  render: async (report, view) => {
    const shown = await change.render(report, view);
    const { stale = [] } = report;
    for (const { message, hint } of stale.slice(0, STALE_SHOWN))
      view.terminal.tell(`${oneLine(message)}\n  ${oneLine(hint)}`);
    if (stale.length > STALE_SHOWN)
      view.terminal.tell(`… and ${stale.length - STALE_SHOWN} more; \`plan check\` lists them.`);
    return shown;
  },
};
