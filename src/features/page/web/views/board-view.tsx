import { useMemo, useState } from 'preact/hooks';

import { LANES } from '../acting/goal-moves.js';
import type { Lane } from '../acting/goal-moves.js';
import { useNow } from '../hooks.js';
import { SearchBar, Select } from '../parts/search-bar.js';
import { LaneView } from './board-lane.js';
import { ANY, cardsOfLanes, choicesOf } from './board-lanes.js';
import type { BoardFilter } from './board-lanes.js';
import { useBoardMoves } from './board-moves.js';
import { useTouchMoves } from './use-touch-moves.js';
import type { ViewProps } from './view-props.js';

/** The goals that are to be done, by how far they are: columns beside each other, or one at a time in a narrow window. */
export function BoardView({ live: { model, states }, goal: selected, onSelect, onAsk }: ViewProps) {
  const now = useNow(10_000);
  const [filter, setFilter] = useState<BoardFilter>(ANY);
  const [chosen, setChosen] = useState<Lane>('ready');
  const [isDoneOpen, setDoneOpen] = useState(false);
  const lanes = useMemo(() => cardsOfLanes(model, states, filter), [model, states, filter]);
  const choices = useMemo(() => choicesOf(model), [model]);
  const { board, said, onKeyDown, drop } = useBoardMoves({ plan: model.header.id, lanes, onSelect, onAsk });
  const touch = useTouchMoves(drop);
  const choose = (lane: Lane) => {
    setChosen(lane);
    if (lane === 'done') setDoneOpen(true);
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
      <div class="board-top">
        <p class="said" role="status" dir="auto">
          {said}
        </p>
        <div class="lane-choice" role="group" aria-label="Column">
          {LANES.map(([lane, title]) => (
            <button
              key={lane}
              type="button"
              data-lane={lane}
              aria-pressed={lane === chosen}
              onClick={() => choose(lane)}
            >
              {title} <span class="count">{lanes.get(lane)?.length}</span>
            </button>
          ))}
        </div>
      </div>
      <div class={`board${isDoneOpen ? '' : ' done-folded'}`} ref={board} onKeyDown={onKeyDown} {...touch}>
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
