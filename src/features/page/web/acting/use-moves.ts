import { useState } from 'preact/hooks';

import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import { ApiError } from '../api.js';
import { actOnGoal, errorInWords } from './act-on-goal.js';
import { LANES, moveTo } from './goal-moves.js';
import type { Asking, Lane } from './goal-moves.js';

/** What moves goals between the columns of the board, and what came of the last move. */
export interface Moves {
  readonly said: string;
  readonly move: (goal: MovedGoal, lane: Lane) => void;
  /** Moves a goal to the next column on a side to which it can be moved. */
  readonly moveOn: (goal: MovedGoal, from: Lane, by: 1 | -1) => void;
}

interface MovedGoal {
  readonly id: string;
  readonly number: string;
  readonly state: GoalState;
}

/** A React hook for moving goals of a plan. @param ask opens the form that a move needs */
export function useMoves(plan: string, ask: (goal: string, asks: Asking) => void): Moves {
  const [said, setSaid] = useState('');
  const move = (goal: MovedGoal, lane: Lane): void => {
    const next = moveTo(lane, goal.state);
    if ('why' in next) setSaid(`${goal.number}: ${next.why}`);
    else if ('asks' in next) ask(goal.id, next.asks);
    else
      actOnGoal(plan, goal.id, next.does).then(
        () => setSaid(`${goal.number}: ${DID[next.does]}.`),
        (thrown: unknown) => {
          if (thrown instanceof ApiError) setSaid(`${goal.number}: ${errorInWords(thrown)}`);
        },
      );
  };
  const moveOn = (goal: MovedGoal, from: Lane, by: 1 | -1): void => {
    const names = LANES.map(([lane]) => lane);
    const at = names.indexOf(from);
    const side = by === 1 ? names.slice(at + 1) : names.slice(0, at).toReversed();
    const to = side.find((lane) => !('why' in moveTo(lane, goal.state))) ?? side[0];
    if (to !== undefined) move(goal, to);
  };
  return { said, move, moveOn };
}

const DID = { claim: 'claimed', release: 'released', reopen: 'reopened', unhold: 'off hold' } as const;
