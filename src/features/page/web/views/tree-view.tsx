import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import { onlyWhenOther } from '../parts/only-when-other.js';
import { Empty } from '../parts/parts.js';
import { SearchBar, Select } from '../parts/search-bar.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';
import { stateWordClass } from '../words.js';
import type { ViewProps } from './view-props.js';
import { treeRows } from './tree-rows.js';
import type { Folds, TreeRow } from './tree-rows.js';

const EVERY = 'every state';
const CHOICES: readonly (GoalState | typeof EVERY)[] = [
  EVERY,
  'ready',
  'claimed',
  'waiting',
  'on_hold',
  'to_plan',
  'done',
  'failed',
  'divided',
];

/** The tree of a plan, for the mouse, the keyboard and screen readers alike. */
export function TreeView({ live: { model, states }, goal, onSelect }: ViewProps) {
  const [text, setText] = useState('');
  const [state, setState] = useState<GoalState | null>(null);
  const [folds, setFolds] = useState<Folds>(new Map());
  const [focus, setFocus] = useState<string | null>(goal);
  const rows = useMemo(
    () => treeRows(model, states, folds, { text, state }),
    [model, states, folds, text, state],
  );
  const list = useRef<HTMLDivElement>(null);
  const fold = (ids: readonly string[], open: boolean) =>
    setFolds((before) => new Map([...before, ...ids.map((id) => [id, open] as const)]));
  const composites = () =>
    model.order.filter((each) => each.goal.child_ids.length > 0).map((each) => each.goal.id);
  const current = rows.find((row) => row.goal.id === focus) ?? rows[0];

  const moveTo = (row: TreeRow | undefined) => {
    if (row === undefined) return;
    setFocus(row.goal.id);
    const element = list.current?.querySelector<HTMLElement>(`[data-goal="${CSS.escape(row.goal.id)}"]`);
    element?.focus();
    element?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (current === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const did = actionOf(event.key, { rows, current, moveTo, fold, onSelect });
    if (did) event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const id = target?.closest<HTMLElement>('[data-goal]')?.dataset.goal;
    const row = rows.find((each) => each.goal.id === id);
    if (row === undefined) return;
    setFocus(row.goal.id);
    if (target?.closest('.fold') !== null && row.isOpen !== null) fold([row.goal.id], !row.isOpen);
    else onSelect(row.goal.id);
  };

  useEffect(() => {
    if (goal !== null) setFocus(goal);
  }, [goal]);

  return (
    <>
      <SearchBar what="goals" text={text} onText={setText}>
        <Select
          label="Show goals that are"
          choices={CHOICES}
          choice={state ?? EVERY}
          onChoice={(chosen) => setState(chosen === EVERY ? null : chosen)}
        />
        <button type="button" onClick={() => fold(composites(), true)}>
          Expand all
        </button>
        <button type="button" onClick={() => fold(composites(), false)}>
          Collapse all
        </button>
      </SearchBar>
      {rows.length === 0 ? (
        <Empty>No goal matches.</Empty>
      ) : (
        <div class="tree" role="tree" aria-label="Goals" ref={list} onKeyDown={onKeyDown} onClick={onClick}>
          {rows.map((row) => (
            <Row key={row.goal.id} row={row} isFocus={row === current} isSelected={row.goal.id === goal} />
          ))}
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly isFocus: boolean;
  readonly isSelected: boolean;
}

/** A row that is as it was is not looked at again: most of a large tree is. */
const Row = onlyWhenOther<RowProps>(
  (a, b) =>
    a.isFocus === b.isFocus &&
    a.isSelected === b.isSelected &&
    ROW_MEMBERS.every((member) => a.row[member] === b.row[member]),
  drawRow,
);

const ROW_MEMBERS = ['goal', 'number', 'state', 'isOpen', 'position', 'siblings', 'fits'] as const;

function drawRow({
  row: { goal, number, state, isOpen, position, siblings, fits },
  isFocus,
  isSelected,
}: RowProps) {
  return (
    <div
      role="treeitem"
      class={`row ${stateWordClass(state)}${fits ? '' : ' above'}`}
      data-goal={goal.id}
      style={`--level:${Math.min(goal.depth, 24)}`}
      aria-level={goal.depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isSelected}
      tabIndex={isFocus ? 0 : -1}
    >
      <span class="fold" aria-hidden="true">
        {isOpen === null ? '' : isOpen ? '▾' : '▸'}
      </span>
      <span class="sign" aria-hidden="true">
        {STATE_SYMBOLS[state]}
      </span>
      <span class="number">{number}</span>
      <span class="words" dir="auto">
        {goal.description}
      </span>
      <span class="note">
        {stateInWords(state)}
        {state === 'claimed' ? ` by ${goal.claim?.by ?? ''}` : ''}
        {goal.size === undefined ? '' : ` · ${goal.size}`}
      </span>
    </div>
  );
}

interface Moving {
  readonly rows: readonly TreeRow[];
  readonly current: TreeRow;
  readonly moveTo: (row: TreeRow | undefined) => void;
  readonly fold: (ids: readonly string[], open: boolean) => void;
  readonly onSelect: (goal: string | null) => void;
}

/** What a key does in a tree, as its pattern of WAI-ARIA says. @returns whether it does anything */
function actionOf(key: string, { rows, current, moveTo, fold, onSelect }: Moving): boolean {
  const at = rows.indexOf(current);
  const { goal } = current;
  switch (key) {
    case 'ArrowDown':
      moveTo(rows[at + 1]);
      return true;
    case 'ArrowUp':
      moveTo(rows[at - 1]);
      return true;
    case 'Home':
      moveTo(rows[0]);
      return true;
    case 'End':
      moveTo(rows.at(-1));
      return true;
    case 'ArrowRight':
      if (current.isOpen === false) fold([goal.id], true);
      else if (current.isOpen === true) moveTo(rows[at + 1]);
      return true;
    case 'ArrowLeft':
      if (current.isOpen === true) fold([goal.id], false);
      else moveTo(rows.find((row) => row.goal.id === goal.parent_id));
      return true;
    case '*':
      fold(
        rows.filter((row) => row.goal.parent_id === goal.parent_id).map((row) => row.goal.id),
        true,
      );
      return true;
    case 'Enter':
    case ' ':
      onSelect(goal.id);
      return true;
    default:
      return false;
  }
}
