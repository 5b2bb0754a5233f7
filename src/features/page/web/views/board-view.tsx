import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { LANES } from '../acting/goal-moves.js';
import type { Lane } from '../acting/goal-moves.js';
import { useMoves } from '../acting/use-moves.js';
import { useNow } from '../hooks.js';
import { SearchBar, Select } from '../parts/search-bar.js';
import { LaneView } from './board-lane.js';
import { ANY, cardsOfLanes, choicesOf } from './board-lanes.js';
import type { BoardCard, BoardFilter } from './board-lanes.js';
import type { ViewProps } from './view-props.js';

/** The goals that are to be done, by how far they are: columns beside each other, or one at a time in a narrow window. */
export function BoardView({ live: { model, states }, goal: selected, onSelect, onAsk }: ViewProps) {
  const now = useNow(10_000);
  const [filter, setFilter] = useState<BoardFilter>(ANY);
  const [chosen, setChosen] = useState<Lane>('ready');
  const [isDoneOpen, setDoneOpen] = useState(false);
  const lanes = useMemo(() => cardsOfLanes(model, states, filter), [model, states, filter]);
  const choices = useMemo(() => choicesOf(model), [model]);
  const moves = useMoves(model.header.id, onAsk ?? (() => undefined));
  const board = useRef<HTMLDivElement>(null);
  const moved = useRef<string | null>(null);
  const cardElement = (goal: string) =>
    board.current?.querySelector<HTMLElement>(`[data-goal="${CSS.escape(goal)}"]`);
  useEffect(() => {
    // A card that was moved by a key keeps the focus in its new column.
    if (moved.current === null || document.activeElement !== document.body) return;
    cardElement(moved.current)?.focus();
    moved.current = null;
  }, [lanes]);
  const choose = (lane: Lane) => {
    setChosen(lane);
    if (lane === 'done') setDoneOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const id = event.target.dataset.goal;
    const at = id === undefined ? null : placeOf(lanes, id);
    if (id === undefined || at === null) return;
    const { card, lane, index } = at;
    const step = STEPS[event.key];
    if (event.key === 'Enter' || event.key === ' ') onSelect(id);
    else if (step === undefined) return;
    else if (event.shiftKey && 'by' in step && onAsk !== null) {
      moved.current = id;
      moves.moveOn({ id, number: card.number, state: card.state }, lane, step.by);
    } else {
      const next = 'by' in step ? beside(lanes, lane, index, step.by) : lanes.get(lane)?.[index + step.down];
      if (next !== undefined) cardElement(next.goal.id)?.focus();
    }
    event.preventDefault();
  };
  const drop = (id: string, lane: Lane) => {
    const at = placeOf(lanes, id);
    if (at !== null && at.lane !== lane)
      moves.move({ id, number: at.card.number, state: at.card.state }, lane);
  };
  return (
    <>
      <SearchBar what="goals" text={filter.text} onText={(text) => setFilter({ ...filter, text })}>
        {(['tag', 'priority', 'who'] as const).map((kind) => (
          <Select
            key={kind}
            label={`Show by ${kind}`}
            choices={choices[kind]}
            choice={filter[kind]}
            onChoice={(choice) => setFilter({ ...filter, [kind]: choice })}
          />
        ))}
      </SearchBar>
      <p class="said" role="status" dir="auto">
        {moves.said}
      </p>
      <div class="lane-choice" role="group" aria-label="Column">
        {LANES.map(([lane, title]) => (
          <button key={lane} type="button" aria-pressed={lane === chosen} onClick={() => choose(lane)}>
            {title} <span class="count">{lanes.get(lane)?.length}</span>
          </button>
        ))}
      </div>
      <div class={`board${isDoneOpen ? '' : ' done-folded'}`} ref={board} onKeyDown={onKeyDown}>
        {LANES.map(([lane, title, meaning]) => (
          <LaneView
            key={lane}
            lane={lane}
            title={title}
            meaning={meaning}
            cards={lanes.get(lane) ?? []}
            isChosen={lane === chosen}
            isOpen={lane === 'done' ? isDoneOpen : null}
            onFold={() => setDoneOpen(!isDoneOpen)}
            selected={selected}
            now={now}
            onSelect={onSelect}
            onDrop={onAsk === null ? null : (goal) => drop(goal, lane)}
          />
        ))}
      </div>
    </>
  );
}

const STEPS: Readonly<Record<string, { readonly by: 1 | -1 } | { readonly down: 1 | -1 }>> = {
  ArrowRight: { by: 1 },
  ArrowLeft: { by: -1 },
  ArrowDown: { down: 1 },
  ArrowUp: { down: -1 },
};

type Lanes = ReadonlyMap<Lane, readonly BoardCard[]>;

/** Where a goal stands on the board; null where it does not. */
function placeOf(lanes: Lanes, id: string) {
  for (const [lane, cards] of lanes) {
    const index = cards.findIndex(({ goal }) => goal.id === id);
    const card = cards[index];
    if (card !== undefined) return { lane, card, index };
  }
  return null;
}

/** The card beside one, in the next column on that side that has any. */
function beside(lanes: Lanes, lane: Lane, index: number, by: 1 | -1): BoardCard | undefined {
  const names = LANES.map(([name]) => name);
  for (let at = names.indexOf(lane) + by; at >= 0 && at < names.length; at += by) {
    const cards = lanes.get(names[at] ?? lane) ?? [];
    if (cards.length > 0) return cards[Math.min(index, cards.length - 1)];
  }
  return undefined;
}
