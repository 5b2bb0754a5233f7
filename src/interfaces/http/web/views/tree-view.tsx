import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import { Empty } from '../parts/parts.js';
import { SIGNS, stateClass } from '../words.js';
import type { ViewProps } from './view-props.js';
import { treeRows } from './tree-rows.js';
import type { Folds, TreeRow } from './tree-rows.js';

const STATES: readonly GoalState[] = ['ready', 'claimed', 'waiting', 'to plan', 'done', 'failed', 'divided'];

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
      <TreeToolbar {...{ text, setText, state, setState }} onFold={(open) => fold(composites(), open)} />
      {rows.length === 0 ? (
        <Empty>No goal fits.</Empty>
      ) : (
        <div class="tree" role="tree" aria-label="Goals" ref={list} onKeyDown={onKeyDown} onClick={onClick}>
          <Rows rows={rows} focus={current?.goal.id ?? null} selected={goal} />
        </div>
      )}
    </>
  );
}

interface ToolbarProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly state: GoalState | null;
  readonly setState: (state: GoalState | null) => void;
  readonly onFold: (open: boolean) => void;
}

function TreeToolbar({ text, setText, state, setState, onFold }: ToolbarProps) {
  return (
    <div class="toolbar">
      <label>
        <span class="sr">Search goals</span>
        <input
          type="search"
          placeholder="Search goals"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label>
        <span class="sr">Show goals that are</span>
        <select
          value={state ?? ''}
          onChange={(event) => setState(STATES.find((each) => each === event.currentTarget.value) ?? null)}
        >
          <option value="">every state</option>
          {STATES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => onFold(true)}>
        Unfold all
      </button>
      <button type="button" onClick={() => onFold(false)}>
        Fold all
      </button>
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly TreeRow[];
  readonly focus: string | null;
  readonly selected: string | null;
}

/** The same element for a row that is as it was, so that nothing of it is looked at again. */
function Rows({ rows, focus, selected }: RowsProps) {
  const cache = useRef(
    new Map<string, { readonly key: string; readonly row: TreeRow; readonly element: VNode }>(),
  );
  const next: typeof cache.current = new Map();
  const elements = rows.map((row) => {
    const { id } = row.goal;
    const key = `${row.number} ${row.state} ${String(row.isOpen)} ${row.place} ${row.siblings} ${String(row.fits)} ${String(id === focus)} ${String(id === selected)}`;
    const known = cache.current.get(id);
    const kept =
      known?.key === key && known.row.goal === row.goal
        ? known
        : {
            key,
            row,
            element: <Row key={id} row={row} isFocus={id === focus} isSelected={id === selected} />,
          };
    next.set(id, kept);
    return kept.element;
  });
  cache.current = next;
  return <>{elements}</>;
}

interface RowProps {
  readonly row: TreeRow;
  readonly isFocus: boolean;
  readonly isSelected: boolean;
}

function Row({ row: { goal, number, state, isOpen, place, siblings, fits }, isFocus, isSelected }: RowProps) {
  return (
    <div
      role="treeitem"
      class={`row ${stateClass(state)}${fits ? '' : ' above'}`}
      data-goal={goal.id}
      style={`--level:${Math.min(goal.depth, 24)}`}
      aria-level={goal.depth + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={isOpen ?? undefined}
      aria-selected={isSelected}
      tabIndex={isFocus ? 0 : -1}
    >
      <span class="fold" aria-hidden="true">
        {isOpen === null ? '' : isOpen ? '▾' : '▸'}
      </span>
      <span class="sign" aria-hidden="true">
        {SIGNS[state]}
      </span>
      <span class="number">{number}</span>
      <span class="words" dir="auto">
        {goal.description}
      </span>
      <span class="note">
        {state}
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
