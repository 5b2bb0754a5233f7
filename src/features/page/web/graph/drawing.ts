import { wavesOf } from '../../../../exports/wave-layout.js';
import type { Plan } from '../../../../plan/plan.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import { BOX } from './box.js';
import { arrange } from './arrange.js';
import type { Size } from './arrange.js';

/** A goal as it is drawn, in units of the drawing. */
export interface GraphBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly number: string;
  readonly words: string;
  readonly state: GoalState;
}

/** A drawing of goals in waves. */
export interface GraphDrawing {
  readonly boxes: readonly GraphBox[];
  readonly byId: ReadonlyMap<string, GraphBox>;
  readonly edges: readonly {
    readonly from: GraphBox;
    readonly to: GraphBox;
    readonly kind: 'child' | 'dependency';
  }[];
  readonly width: number;
  readonly height: number;
  readonly waves: number;
  /** Whether the waves follow each other downwards, and not to the right. */
  readonly isDown: boolean;
}

/** Lays out a plan, or the part of it that is drawn, in waves, as large as it can be seen in the room that is there. */
export function drawingOf(
  plan: Plan,
  states: ReadonlyMap<string, GoalState>,
  numbers: ReadonlyMap<string, string>,
  room: Size,
  wordsOf: (id: string) => string,
): GraphDrawing {
  const layout = wavesOf(plan, () => BOX.row);
  const { places, ...arranged } = arrange(layout, room);
  const boxes = layout.goals.map(({ id }, index): GraphBox => ({
    id,
    x: places[index]?.x ?? 0,
    y: places[index]?.y ?? 0,
    number: numbers.get(id) ?? '',
    words: wordsOf(id),
    state: states.get(id) ?? 'to_plan',
  }));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const edges: GraphDrawing['edges'][number][] = [];
  const join = (from: string | null, to: GraphBox, kind: 'child' | 'dependency') => {
    const box = byId.get(from ?? '');
    if (box !== undefined) edges.push({ from: box, to, kind });
  };
  for (const box of boxes) {
    const goal = plan.goals.get(box.id);
    join(goal?.parent_id ?? null, box, 'child');
    for (const id of goal?.dependencies ?? []) join(id, box, 'dependency');
  }
  return { boxes, byId, edges, waves: layout.columns, ...arranged };
}
