import { workContext } from '../../../work/context/work-context.js';
import { goalOf } from '../../../plan/plan.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

const TOKENS = 8000;

/** Returns what an agent reads: the context of its goal, how it is judged, and what went wrong before. */
export async function promptFor({ log }: Pick<Work, 'log'>, now: Attempt): Promise<string> {
  const { markdown } = await workContext(log.plan, goalOf(log.plan, now.goal), TOKENS);
  const told = [
    'Do the goal above in the current folder, and nothing else. Change files; you need not commit. Your checks are run again on what you leave, merged with what others have done meanwhile. Leave `.plans/` as it is.',
    'When you are done, write JSON to the file that the variable FRCTL_RESULT names: {"summary": "…", "decisions": ["…"]}.',
    ...(now.marked === null
      ? []
      : [
          'Others changed the same files meanwhile. Your earlier change has been put onto theirs: resolve the conflict markers.',
        ]),
    ...(now.interrupted
      ? ['An earlier run was interrupted. What it left is in the folder: look at it, and go on.']
      : []),
    ...now.failures.slice(-3).map((failure) => `An earlier try failed:\n\n${indented(failure)}`),
  ];
  return `${markdown}\n\n## How to work\n\n${told.join('\n\n')}\n`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
