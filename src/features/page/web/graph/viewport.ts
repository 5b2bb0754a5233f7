import { BOX } from './box.js';
import type { GraphBox, GraphDrawing } from './drawing.js';
import type { Viewport } from './paint.js';

const SMALLEST = 0.02;
const LARGEST = 2;
/** What is left free around a drawing, in pixels. */
export const MARGIN = 16;

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
