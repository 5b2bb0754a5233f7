import { useMemo, useState } from 'preact/hooks';

import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import type { Goal } from '../../../../plan/schema.js';
import { useNow } from '../hooks.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';
import { timeFromNow, stateWordClass } from '../words.js';
import type { ViewProps } from './view-props.js';

const LANES = [
  ['waiting', 'Waiting', 'for other goals, or to be planned'],
  ['ready', 'Ready', 'can start now'],
  ['claimed', 'Claimed', 'somebody is at it'],
  ['review', 'Review', 'failed, or marked for a look'],
  ['done', 'Done', ''],
] as const;
type SharedRateLimit = (typeof LANES)[number][0];

/** So many cards of a lane are drawn before somebody asks for more. */
const MOST_CARDS = 100;

/** The goals that are to be done, by how far they are. */
export function BoardView({ live: { model, states }, goal: selected, onSelect }: ViewProps) {
  const now = useNow(10_000);
  const marked = useMemo(
    () =>
      new Set(
        (model.header.warnings ?? []).filter(({ code }) => REVIEWED.has(code)).map(({ goal_id }) => goal_id),
      ),
    [model.header],
  );
  const lanes = useMemo(() => {
    const found = new Map<SharedRateLimit, { readonly goal: Goal; readonly number: string }[]>(
      LANES.map(([lane]) => [lane, []]),
    );
    for (const each of model.order) {
      const { goal } = each;
      const state = states.get(goal.id) ?? 'to_plan';
      if (goal.child_ids.length > 0 && state !== 'failed') continue;
      found.get(sharedRateLimitOf(state, marked.has(goal.id)))?.push(each);
    }
    return found;
  }, [model, states, marked]);
  return (
    <div class="board">
      {LANES.map(([lane, title, meaning]) => (
        <LaneView
          key={lane}
          title={title}
          meaning={meaning}
          goals={lanes.get(lane) ?? []}
          states={states}
          selected={selected}
          now={now}
          onSelect={onSelect}
        />
      ))}
    </div>
  );
}

/** Warnings that ask a person to look at a goal. */
const REVIEWED: ReadonlySet<string> = new Set(['needs_review', 'refused', 'no_method', 'max_depth']);

function sharedRateLimitOf(state: GoalState, isMarked: boolean): SharedRateLimit {
  if (state === 'failed') return 'review';
  if (state === 'done' || state === 'claimed') return state;
  if (isMarked) return 'review';
  return state === 'ready' ? 'ready' : 'waiting';
}

interface LaneProps {
  readonly title: string;
  readonly meaning: string;
  readonly goals: readonly { readonly goal: Goal; readonly number: string }[];
  readonly states: ReadonlyMap<string, GoalState>;
  readonly selected: string | null;
  readonly now: number;
  readonly onSelect: (goal: string) => void;
}

function LaneView({ title, meaning, goals, states, selected, now, onSelect }: LaneProps) {
  const [most, setMost] = useState(MOST_CARDS);
  return (
    <section class="lane" aria-label={`${title}: ${goals.length}`}>
      <h2>
        {title} <span class="count">{goals.length}</span>
      </h2>
      {meaning === '' ? null : <p class="hint">{meaning}</p>}
      <ul>
        {goals.slice(0, most).map(({ goal, number }) => {
          const state = states.get(goal.id) ?? 'to_plan';
          return (
            <li key={goal.id}>
              <button
                type="button"
                class={`card ${stateWordClass(state)}`}
                aria-pressed={goal.id === selected}
                onClick={() => onSelect(goal.id)}
              >
                <span class="number">
                  <span aria-hidden="true">{STATE_SYMBOLS[state]}</span> {number}
                </span>{' '}
                <span class="words" dir="auto">
                  {goal.description}
                </span>
                <span class="note">
                  {state === 'claimed' && goal.claim !== undefined
                    ? `${goal.claim.by}, ends ${timeFromNow(goal.claim.expires_at, now)}`
                    : state === 'failed'
                      ? (goal.failure?.reason ?? 'failed')
                      : ['to_plan', 'waiting', 'on_hold'].includes(state)
                        ? (goal.on_hold?.reason ?? stateInWords(state))
                        : ''}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {goals.length > most ? (
        <button type="button" onClick={() => setMost(most + 5 * MOST_CARDS)}>
          {goals.length - most} more
        </button>
      ) : null}
    </section>
  );
}
