import { BOX } from './drawing.js';
import type { GraphBox, GraphDrawing } from './drawing.js';
import type { Viewport } from './paint.js';

const SMALLEST = 0.02;
const LARGEST = 2;
const MARGIN = 24;
/** Words can be read from here on. */
const READABLE = 0.8;
/** A drawing of more goals is looked at as a whole first. */
const MOST_READABLE = 60;

/** The viewport that shows all of a drawing. */
export function wholeViewport(
  { width, height }: GraphDrawing,
  seenWidth: number,
  seenHeight: number,
): Viewport {
  const [across, down] = [
    (seenWidth - 2 * MARGIN) / Math.max(1, width),
    (seenHeight - 2 * MARGIN) / Math.max(1, height),
  ];
  const scale = clamp(Math.min(across, down, 1));
  return { scale, x: (width - seenWidth / scale) / 2, y: (height - seenHeight / scale) / 2 };
}

/**
 * The viewport that shows all of a drawing; where words would be too small then, what is around the goal, or the
 * beginning.
 */
export function fittedViewport(
  drawing: GraphDrawing,
  seenWidth: number,
  seenHeight: number,
  goal: string | null,
): Viewport {
  const { width, byId, boxes } = drawing;
  const all = wholeViewport(drawing, seenWidth, seenHeight);
  const { scale } = all;
  if (scale >= READABLE || boxes.length > MOST_READABLE) return all;
  const middle = byId.get(goal ?? '') ?? boxes[0];
  if (middle === undefined) return all;
  const halfWidth = seenWidth / READABLE / 2;
  return {
    scale: READABLE,
    x: Math.max(-MARGIN, Math.min(middle.x + BOX.width / 2 - halfWidth, width - 2 * halfWidth + MARGIN)),
    y: middle.y + BOX.height / 2 - seenHeight / READABLE / 2,
  };
}

/** The viewport on the same part, larger or smaller, with a point of the screen where it was. */
export function zoomedViewport(
  { x, y, scale }: Viewport,
  factor: number,
  atX: number,
  atY: number,
): Viewport {
  const next = clamp(scale * factor);
  return { scale: next, x: x + atX / scale - atX / next, y: y + atY / scale - atY / next };
}

function clamp(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

/** The viewport of the same size, moved by so much of the screen. */
export function movedViewport({ x, y, scale }: Viewport, byX: number, byY: number): Viewport {
  return { scale, x: x + byX / scale, y: y + byY / scale };
}

/** The goal at a point of the viewport, as it is on the screen. */
export function boxAt(
  { boxes }: GraphDrawing,
  { x, y, scale }: Viewport,
  atX: number,
  atY: number,
): GraphBox | undefined {
  const [left, top] = [x + atX / scale, y + atY / scale];
  return boxes.find(
    (box) => left >= box.x && left <= box.x + BOX.width && top >= box.y && top <= box.y + BOX.height,
  );
}
