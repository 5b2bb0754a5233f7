import { useState } from 'preact/hooks';

import { PRIORITIES } from '../../../../plan/readiness/priorities.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import type { Goal } from '../../../../plan/schema.js';
import { ApiError } from '../api.js';
import { Problem } from '../parts/parts.js';
import type { GoalReport } from '../wire.js';
import { actOnGoal } from './act-on-goal.js';
import { GoalForm } from './goal-forms.js';
import { whyNothing } from './goal-moves.js';
import type { Asking } from './goal-moves.js';

interface GoalActionsProps {
  readonly plan: string;
  readonly goal: Goal;
  readonly number: string;
  readonly state: GoalState;
  readonly report: GoalReport | null;
  /** The form that is open at first. */
  readonly asks: Asking | null;
}

/** A button: what it says, and what it does at once or which form it opens. */
type Action = readonly [label: string, does: { readonly does: Doing } | { readonly asks: Asking }];
type Doing = 'release' | 'reopen' | 'unhold';

/** What can be done with a goal. Everything is checked by the server, as it is for the commands. */
export function GoalActions({ plan, goal, number, state, report, asks }: GoalActionsProps) {
  const [asking, setAsking] = useState(asks);
  const [error, setError] = useState<ApiError | null>(null);
  const run = async (name: string, input: object = {}): Promise<void> => {
    const from = asking;
    try {
      // What is added stands below the goal.
      if (name === 'add') await actOnGoal(plan, goal.id, name, { goal: undefined, under: goal.id, ...input });
      else await actOnGoal(plan, goal.id, name, input);
      setError(null);
      // The answer may come after what it changed is shown, and another form is open.
      setAsking((now) => (now === from ? null : now));
    } catch (thrown) {
      if (thrown instanceof ApiError) setError(thrown);
    }
  };
  const why = whyNothing(state);
  return (
    <div class="actions">
      <div class="buttons">
        {actionsIn(state, goal).map(([label, action]) => (
          <button
            key={label}
            type="button"
            // What is next for a goal stands out.
            class={('does' in action ? action.does : action.asks) === NEXT[state] ? 'primary' : ''}
            aria-expanded={'asks' in action ? asking === action.asks : undefined}
            onClick={() =>
              'does' in action
                ? void run(action.does)
                : setAsking((before) => (before === action.asks ? null : action.asks))
            }
          >
            {label}
          </button>
        ))}
        {state === 'done' ? null : (
          <Priority value={goal.priority} onChoose={(input) => void run('edit', input)} />
        )}
      </div>
      {why === null ? null : <p class="hint">{why}</p>}
      {state === 'failed' ? (
        <p class="hint">
          <code>plan replan {number}</code> divides it again, and tells the model why it failed.
        </p>
      ) : null}
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
      {asking === null ? null : <GoalForm key={asking} asks={asking} report={report} run={run} />}
    </div>
  );
}

/** What is most likely to be done with a goal in its state. */
const NEXT: Partial<Record<GoalState, Doing | Asking>> = {
  ready: 'claim',
  claimed: 'complete',
  failed: 'reopen',
};

function actionsIn(state: GoalState, { on_hold: hold, child_ids: parts }: Goal): readonly Action[] {
  const isOver = state === 'done' || state === 'failed';
  const isOpen = state === 'ready' || state === 'claimed';
  const actions: readonly (Action | false)[] = [
    state === 'ready' && ['Claim …', { asks: 'claim' }],
    isOpen && ['Complete …', { asks: 'complete' }],
    state === 'claimed' && ['Release', { does: 'release' }],
    isOpen && ['Fail …', { asks: 'fail' }],
    isOver && parts.length === 0 && ['Reopen', { does: 'reopen' }],
    state !== 'done' && ['Edit …', { asks: 'edit' }],
    !isOver && (hold === undefined ? ['Hold …', { asks: 'hold' }] : ['End the hold', { does: 'unhold' }]),
    !isOver && state !== 'claimed' && ['Add a part …', { asks: 'add' }],
    ['Decide …', { asks: 'decide' }],
  ];
  return actions.filter((action) => action !== false);
}

interface PriorityProps {
  readonly value: number | undefined;
  readonly onChoose: (input: object) => void;
}

/** A choice of how urgent a goal is; without one it is as urgent as what it is part of. */
function Priority({ value, onChoose }: PriorityProps) {
  return (
    <label>
      Priority{' '}
      <select
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChoose(chosen === '' ? { clear: ['priority'] } : { priority: chosen })
        }
      >
        <option value="">same as parent</option>
        {PRIORITIES.map((word, priority) => (
          <option key={word} value={String(priority)}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}
