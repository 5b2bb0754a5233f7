import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

import { LANES } from '../acting/goal-moves.js';
import type { Lane } from '../acting/goal-moves.js';
import { useMoves } from '../acting/use-moves.js';
import type { BoardCard } from './board-lanes.js';
import type { ViewProps } from './view-props.js';

type Lanes = ReadonlyMap<Lane, readonly BoardCard[]>;

interface BoardMovesOptions extends Pick<ViewProps, 'onSelect' | 'onAsk'> {
  readonly plan: string;
  readonly lanes: Lanes;
}

interface BoardMoves {
  readonly board: RefObject<HTMLDivElement | null>;
  /** What came of the last move. */
  readonly said: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly drop: (goal: string, lane: Lane) => void;
}

/** A React hook for what keys and dropped cards do on the board. */
export function useBoardMoves({ plan, lanes, onSelect, onAsk }: BoardMovesOptions): BoardMoves {
  const { said, move, moveOn } = useMoves(plan, onAsk ?? (() => undefined));
  const board = useRef<HTMLDivElement>(null);
  const moved = useRef<string | null>(null);
  const focus = (goal: string) =>
    board.current?.querySelector<HTMLElement>(`[data-goal="${CSS.escape(goal)}"]`)?.focus();
  useEffect(() => {
    // A card that was moved by a key keeps the focus in its new column.
    if (moved.current === null || document.activeElement !== document.body) return;
    focus(moved.current);
    moved.current = null;
  }, [lanes]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const id = event.target.dataset.goal;
    const at = id === undefined ? null : placeOf(lanes, id);
    if (id === undefined || at === null) return;
    const step = STEPS[event.key];
    if (event.key === 'Enter' || event.key === ' ') onSelect(id);
    else if (step === undefined) return;
    else if (event.shiftKey && 'by' in step && onAsk !== null) {
      moved.current = id;
      moveOn(at.moved, at.lane, step.by);
    } else {
      const next = 'by' in step ? beside(lanes, at, step.by) : lanes.get(at.lane)?.[at.index + step.down];
      if (next !== undefined) focus(next.goal.id);
    }
    event.preventDefault();
  };
  const drop = (id: string, lane: Lane) => {
    const at = placeOf(lanes, id);
    if (at !== null && at.lane !== lane) move(at.moved, lane);
  };
  return { board, said, onKeyDown, drop };
}

const STEPS: Readonly<Record<string, { readonly by: 1 | -1 } | { readonly down: 1 | -1 }>> = {
  ArrowRight: { by: 1 },
  ArrowLeft: { by: -1 },
  ArrowDown: { down: 1 },
  ArrowUp: { down: -1 },
};

/** Where a goal stands on the board; null where it does not. */
function placeOf(lanes: Lanes, id: string) {
  for (const [lane, cards] of lanes) {
    const index = cards.findIndex(({ goal }) => goal.id === id);
    const card = cards[index];
    if (card !== undefined) return { lane, index, moved: { id, number: card.number, state: card.state } };
  }
  return null;
}

/** The card beside a place, in the next column on that side that has any. */
function beside(
  lanes: Lanes,
  { lane, index }: { readonly lane: Lane; readonly index: number },
  by: 1 | -1,
): BoardCard | undefined {
  const names = LANES.map(([name]) => name);
  for (let at = names.indexOf(lane) + by; at >= 0 && at < names.length; at += by) {
    const cards = lanes.get(names[at] ?? lane) ?? [];
    if (cards.length > 0) return cards[Math.min(index, cards.length - 1)];
  }
  return undefined;
}
