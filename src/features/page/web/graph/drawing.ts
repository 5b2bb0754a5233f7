import { pictureOf } from '../../../../exports/picture.js';
import { wavesOf } from '../../../../exports/wave-layout.js';
import type { Plan } from '../../../../plan/plan.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';

/** A goal as it is drawn, in units of the drawing. */
export interface GraphBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly label: string;
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
}

export const BOX = { width: 210, height: 46, column: 280, row: 58 } as const;

/** Lays goals out in waves, as `plan export --format svg` does. @param goals those to draw, with all above them; null for all */
export function drawingOf(
  plan: Plan,
  states: ReadonlyMap<string, GoalState>,
  numbers: ReadonlyMap<string, string>,
  goals: ReadonlySet<string> | null,
): GraphDrawing {
  const part = goals === null ? plan : pictureOf(plan, { goals }).plan;
  const layout = wavesOf(part, () => BOX.row);
  const boxes = layout.goals.map(({ id, column, y }): GraphBox => ({
    id,
    x: column * BOX.column,
    y: y - BOX.height / 2,
    label: `${numbers.get(id) ?? ''} ${part.goals.get(id)?.description ?? ''}`.trim(),
    state: states.get(id) ?? 'to_plan',
  }));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const edges: GraphDrawing['edges'][number][] = [];
  const join = (from: string | null, to: GraphBox, kind: 'child' | 'dependency') => {
    const box = byId.get(from ?? '');
    if (box !== undefined) edges.push({ from: box, to, kind });
  };
  for (const box of boxes) {
    const goal = part.goals.get(box.id);
    join(goal?.parent_id ?? null, box, 'child');
    for (const id of goal?.dependencies ?? []) join(id, box, 'dependency');
  }
  const width = (layout.columns - 1) * BOX.column + BOX.width;
  return { boxes, byId, edges, width, height: layout.height, waves: layout.columns };
}
