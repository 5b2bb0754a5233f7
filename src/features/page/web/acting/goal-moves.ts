import type { GoalState } from '../../../../plan/readiness/goal-state.js';

/** The columns of the board, each with what it says of its goals. */
export const LANES = [
  ['waiting', 'Waiting', 'for other goals, or to be planned'],
  ['ready', 'Ready', 'can start now'],
  ['claimed', 'Claimed', 'in progress'],
  ['review', 'Review', 'failed, or needs a look'],
  ['on_hold', 'On hold', 'not for now'],
  ['done', 'Done', ''],
] as const;

export type Lane = (typeof LANES)[number][0];

/** What a form asks for. */
export type Asking = 'claim' | 'complete' | 'fail' | 'hold' | 'edit' | 'add' | 'decide';

/** What is done with a goal: at once, or with words that a form asks for; or why it cannot be. */
export type Move =
  | { readonly does: 'claim' | 'release' | 'reopen' | 'unhold' }
  | { readonly asks: Asking }
  | { readonly why: string };

/** What moving a goal to another column does. The server has the last word, as it has for the commands. */
export function moveTo(lane: Lane, state: GoalState): Move {
  const isOpen = state === 'ready' || state === 'claimed';
  const isOver = state === 'done' || state === 'failed';
  if (lane === 'on_hold' && !isOver) return { asks: 'hold' };
  if (lane === 'claimed' && state === 'ready') return { does: 'claim' };
  if (lane === 'done' && isOpen) return { asks: 'complete' };
  if (lane === 'review' && isOpen) return { asks: 'fail' };
  if (lane === 'ready' || lane === 'waiting') {
    if (isOver) return { does: 'reopen' };
    if (state === 'on_hold') return { does: 'unhold' };
    if (lane === 'ready' && state === 'claimed') return { does: 'release' };
  }
  return { why: whyNotMoved(lane, state) };
}

function whyNotMoved(lane: Lane, state: GoalState): string {
  if (lane === 'waiting')
    return 'A goal waits while what it depends on is not done; it cannot be moved there.';
  if (state === 'done') return 'It is done: move it to Ready to reopen it.';
  if (state === 'failed') return 'It failed: move it to Ready to try it again.';
  return whyNothing(state) ?? 'It cannot be moved there.';
}

/** Why a goal in that state can be neither claimed nor completed; null where it can, or where that is over. */
export function whyNothing(state: GoalState): string | null {
  return (
    {
      to_plan: 'It is still to be planned: `plan resume` goes on planning.',
      divided: 'It is done when its parts are.',
      waiting: 'It can be claimed when what it waits for is done.',
      on_hold: 'It is on hold: end the hold before it is claimed.',
    }[state as string] ?? null
  );
}
