import { useMemo, useState } from 'preact/hooks';

import {
  inheritedDependencies,
  inheritedDependents,
} from '../../../../plan/readiness/inherited-dependencies.js';
import { drawingOf } from '../graph/drawing.js';
import { GraphCanvas } from '../graph/graph-canvas.js';
import { neighbourhood } from '../plan-model.js';
import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';
import { countInWords, stateWordClass } from '../words.js';
import type { ViewProps } from './view-props.js';

/** How far the neighbourhood of a goal goes. */
const STEPS = 2;

/**
 * The dependencies of a plan as a drawing: around the goal that is looked at, or all of it by waves. Beside the drawing,
 * which only eyes can read, the neighbours stand as a list.
 */
export function GraphView({ live: { model, states }, goal, onSelect }: ViewProps) {
  const [whole, setWhole] = useState(goal === null);
  const isWhole = whole || goal === null || !model.plan.goals.has(goal);
  const drawing = useMemo(
    () =>
      drawingOf(
        model.plan,
        states,
        model.numbers,
        isWhole || goal === null ? null : neighbourhood(model, goal, STEPS),
      ),
    [model, states, isWhole, isWhole ? null : goal],
  );
  const edges = drawing.edges.filter(({ kind }) => kind === 'dependency').length;
  const summary = `${countInWords(drawing.boxes.length, 'goal')} in ${countInWords(drawing.waves, 'wave')}, ${countInWords(edges, 'dependency', 'dependencies')}`;
  return (
    <>
      <div class="toolbar">
        <fieldset class="choice">
          <legend class="sr">What is drawn</legend>
          <label>
            <input
              type="radio"
              name="part"
              checked={!isWhole}
              disabled={goal === null}
              onChange={() => setWhole(false)}
            />{' '}
            around the goal
          </label>
          <label>
            <input type="radio" name="part" checked={isWhole} onChange={() => setWhole(true)} /> the whole
            plan
          </label>
        </fieldset>
        <span class="hint">{summary}; dashed arrows lead to what waits.</span>
      </div>
      <GraphCanvas
        drawing={drawing}
        goal={goal}
        summary={summary}
        onSelect={onSelect}
        fitKey={isWhole ? 'whole' : goal}
      />
      {goal === null ? (
        <p class="hint">Choose a goal in the drawing or in the tree to see what is around it.</p>
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
    ['These wait for it', [...(model.dependents.get(id) ?? []), ...after.map((each) => each.goal)]],
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
