import { useCallback, useMemo, useState } from 'preact/hooks';

import {
  inheritedDependencies,
  inheritedDependents,
} from '../../../../plan/readiness/inherited-dependencies.js';
import type { Size } from '../graph/arrange.js';
import { drawingOf } from '../graph/drawing.js';
import { GraphCanvas } from '../graph/graph-canvas.js';
import { reachOf } from '../graph/needs.js';
import { levelOfParts, partOf } from '../graph/part.js';
import type { GraphPart } from '../graph/part.js';
import { dependentsOf } from '../plan-model.js';
import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';
import { countInWords, stateWordClass } from '../words.js';
import type { ViewProps } from './view-props.js';

const CHOICES: readonly (readonly [GraphPart, string])[] = [
  ['around', 'around the chosen goal'],
  ['parts', 'the parts'],
  ['every', 'every goal'],
];

/**
 * The dependencies of a plan as a drawing: around the goal that is looked at, the parts of a large plan, or every goal, by
 * waves. Beside the drawing, which only eyes can read, the neighbours stand as a list.
 */
export function GraphView({ live: { model, states }, goal, onSelect }: ViewProps) {
  const level = levelOfParts(model);
  const whole = level === null ? 'every' : 'parts';
  const [wanted, setWanted] = useState<GraphPart>(goal === null ? whole : 'around');
  const isThere = goal !== null && model.plan.goals.has(goal);
  const part = (wanted === 'around' && !isThere) || (wanted === 'parts' && level === null) ? whole : wanted;
  const drawn = useMemo(
    () => partOf(model, part, isThere ? goal : null, level),
    [model, part, isThere, part === 'every' ? null : goal],
  );
  const chosen = part === 'every' ? goal : drawn.chosen;
  const reach = useMemo(
    () =>
      isThere && chosen !== null
        ? reachOf(drawn.plan, dependentsOf(drawn.plan.goals.values()), chosen)
        : null,
    [drawn, isThere, chosen],
  );
  const draw = useCallback(
    (room: Size) => drawingOf(drawn.plan, states, model.numbers, room, drawn.wordsOf),
    [drawn, states],
  );
  const count = [...drawn.plan.goals.values()].reduce(
    (sum, { dependencies }) => sum + dependencies.length,
    0,
  );
  const summary = `${countInWords(drawn.plan.goals.size, 'goal')}, ${countInWords(count, 'dependency', 'dependencies')}`;
  return (
    <>
      <div class="toolbar">
        <fieldset class="choice">
          <legend class="sr">What is drawn</legend>
          {CHOICES.filter(([each]) => each !== 'parts' || level !== null).map(([each, words]) => (
            <label key={each}>
              <input
                type="radio"
                name="part"
                checked={part === each}
                disabled={each === 'around' && !isThere}
                onChange={() => setWanted(each)}
              />{' '}
              {words}
            </label>
          ))}
        </fieldset>
        <span class="hint">
          {summary}; dashed arrows lead to what waits.
          {reach === null ? '' : ' Blue is what the chosen goal needs.'}
        </span>
      </div>
      <GraphCanvas
        draw={draw}
        reach={reach}
        summary={summary}
        onSelect={onSelect}
        fitKey={part === 'around' ? (goal ?? '') : part}
      />
      {goal === null ? (
        <p class="hint">Choose a goal in the drawing or in the tree to see what it needs.</p>
      ) : (
        <Neighbours {...{ model, states, goal, onSelect }} />
      )}
    </>
  );
}

/** What a goal waits for and what waits for it, as lists. */
function Neighbours({
  model,
  states,
  goal: id,
  onSelect,
}: {
  readonly model: ViewProps['live']['model'];
  readonly states: ViewProps['live']['states'];
  readonly goal: string;
  readonly onSelect: (goal: string) => void;
}) {
  const goal = model.plan.goals.get(id);
  const before = goal === undefined ? [] : inheritedDependencies(model.plan, goal);
  const after = goal === undefined ? [] : inheritedDependents(model.plan, goal);
  const ways = new Map([...before, ...after].map((each) => [each.goal, model.numbers.get(each.by) ?? '']));
  const lists = [
    ['It waits for', [...(goal?.dependencies ?? []), ...before.map((each) => each.goal)]],
    ['Blocks', [...(model.dependents.get(id) ?? []), ...after.map((each) => each.goal)]],
  ] as const;
  return (
    <div class="neighbours">
      {lists.map(([title, ids]) => (
        <section key={title}>
          <h2>{title}</h2>
          {ids.length === 0 ? (
            <p class="hint">nothing</p>
          ) : (
            <ul class="relatives">
              {ids.map((each) => {
                const state = states.get(each) ?? 'to_plan';
                return (
                  <li key={each}>
                    <button
                      type="button"
                      class={`link ${stateWordClass(state)}`}
                      onClick={() => onSelect(each)}
                    >
                      <span aria-hidden="true">{STATE_SYMBOLS[state]} </span>
                      {model.numbers.get(each)}{' '}
                      <span dir="auto">{model.plan.goals.get(each)?.description}</span>{' '}
                      <small>
                        ({stateInWords(state)}
                        {ways.has(each) ? `, via ${ways.get(each) || 'the root'}` : ''})
                      </small>
                    </button>
                  </li>
                );
              })}
            </ul>
          )}
        </section>
      ))}
    </div>
  );
}
