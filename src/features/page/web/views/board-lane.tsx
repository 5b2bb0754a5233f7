import { useState } from 'preact/hooks';

import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import { priorityInWords, USUAL_PRIORITY } from '../../../../plan/readiness/priorities.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';
import { stateWordClass, timeFromNow } from '../words.js';
import type { Lane } from '../acting/goal-moves.js';
import { MOST_BLOCKERS } from './board-lanes.js';
import type { BoardCard } from './board-lanes.js';

/** What a card that is dragged is known by; anything else that is dropped is none. */
const DRAGGED = 'application/x-frctl-goal';

/** So many cards of a lane are drawn before somebody asks for more. */
const MOST_CARDS = 30;

export interface LaneProps {
  readonly lane: Lane;
  readonly title: string;
  readonly meaning: string;
  readonly cards: readonly BoardCard[];
  /** Whether it is the one that a narrow window shows. */
  readonly isChosen: boolean;
  /** Null where it cannot be folded. */
  readonly isOpen: boolean | null;
  readonly onFold: () => void;
  readonly selected: string | null;
  readonly now: number;
  readonly onSelect: (goal: string) => void;
  /** Moves a goal here; null where nothing can be changed. */
  readonly onDrop: ((goal: string) => void) | null;
}

/** A column of the board. */
export function LaneView({
  lane,
  title,
  meaning,
  cards,
  isChosen,
  isOpen,
  onFold,
  onDrop,
  ...rest
}: LaneProps) {
  const [most, setMost] = useState(MOST_CARDS);
  const [isOver, setOver] = useState(false);
  const name = (
    <>
      {title} <span class="count">{cards.length}</span>
    </>
  );
  return (
    <section
      class={`lane${isChosen ? '' : ' not-chosen'}${isOpen === false ? ' folded' : ''}${isOver ? ' over' : ''}`}
      aria-label={`${title}: ${cards.length}`}
      data-lane={lane}
      onDragOver={(event) => {
        if (onDrop === null || event.dataTransfer?.types.includes(DRAGGED) !== true) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const goal = event.dataTransfer?.getData(DRAGGED) ?? '';
        if (goal !== '') onDrop?.(goal);
      }}
    >
      <h2>
        {isOpen === null ? (
          name
        ) : (
          <button type="button" class="link" aria-expanded={isOpen} onClick={onFold}>
            <span aria-hidden="true">{isOpen ? '▾' : '▸'} </span>
            {name}
          </button>
        )}
      </h2>
      {meaning === '' ? null : <p class="hint">{meaning}</p>}
      {isOpen === false ? null : (
        <ul>
          {cards.slice(0, most).map((card) => (
            <Card key={card.goal.id} card={card} canMove={onDrop !== null} {...rest} />
          ))}
          {cards.length > most ? (
            <li>
              <button type="button" onClick={() => setMost(most + 5 * MOST_CARDS)}>
                {cards.length - most} more
              </button>
            </li>
          ) : null}
        </ul>
      )}
    </section>
  );
}

interface CardProps extends Pick<LaneProps, 'selected' | 'now' | 'onSelect'> {
  readonly card: BoardCard;
  readonly canMove: boolean;
}

function Card({ card, canMove, selected, now, onSelect }: CardProps) {
  const { goal, number, state, part, priority } = card;
  const note = noteOf(card, now);
  return (
    <li>
      {/* Firefox drags nothing out of a button. */}
      <div
        role="button"
        tabIndex={0}
        class={`card ${stateWordClass(state)}`}
        data-goal={goal.id}
        aria-pressed={goal.id === selected}
        draggable={canMove}
        onDragStart={({ dataTransfer }) => dataTransfer?.setData(DRAGGED, goal.id)}
        onClick={() => onSelect(goal.id)}
      >
        {part === '' ? null : (
          <span class="part-name" dir="auto">
            {part}
          </span>
        )}
        <span class="number">
          <span aria-hidden="true">{STATE_SYMBOLS[state]}</span> {number}
        </span>{' '}
        <span class="words" dir="auto">
          {goal.description}
        </span>
        {note === '' ? null : (
          <span class="note" dir="auto">
            {note}
          </span>
        )}
        {goal.tags === undefined && priority === USUAL_PRIORITY ? null : (
          <span class="note" dir="auto">
            {priority === USUAL_PRIORITY ? null : (
              <span class={`urgency u-${priority}`}>{priorityInWords(priority)} </span>
            )}
            {goal.tags?.map((tag) => `#${tag}`).join(' ')}
          </span>
        )}
      </div>
    </li>
  );
}

function noteOf({ goal, state, after }: BoardCard, now: number): string {
  if (state === 'claimed' && goal.claim !== undefined)
    return `${goal.claim.by}, ends ${timeFromNow(goal.claim.expires_at, now)}`;
  if (state === 'failed') return goal.failure?.reason ?? 'failed';
  if (state === 'on_hold') return goal.on_hold?.reason ?? 'a goal above is on hold';
  if (after.length > 0)
    return `after ${after.slice(0, MOST_BLOCKERS).join(', ')}${after.length > MOST_BLOCKERS ? ' …' : ''}`;
  return state === 'to_plan' ? stateInWords(state) : '';
}
