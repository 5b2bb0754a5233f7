import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { scaleIn } from './arrange.js';
import type { Size } from './arrange.js';
import type { GraphDrawing } from './drawing.js';
import type { Reach } from './needs.js';
import type { Viewport } from './paint.js';
import { usePainting, useRoom, useWheel } from './use-painting.js';
import { boxAt, MARGIN, movedViewport, wholeViewport, zoomedViewport } from './viewport.js';

interface CanvasProps {
  /** Draws what there is, as large as it can be seen in a room. */
  readonly draw: (room: Size) => GraphDrawing;
  readonly reach: Reach | null;
  readonly summary: string;
  readonly onSelect: (goal: string) => void;
  /** A drawing that is another one is fitted into the view. */
  readonly fitKey: string;
}

const STEP = 1.3;
/** So far a pointer may move, in pixels, and it was a click. */
const CLICK = 4;

/** A drawing that can be moved and made larger, with the pointer, the keyboard or buttons. */
export function GraphCanvas({ draw, reach, summary, onSelect, fitKey }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const room = useRoom(canvas);
  const drawing = useMemo(() => draw(room), [draw, room]);
  const [viewport, setViewport] = useState<Viewport>({ x: 0, y: 0, scale: 1 });
  const sized = (change: (before: Viewport, width: number, height: number) => Viewport) => {
    const element = canvas.current;
    if (element !== null) setViewport((before) => change(before, element.clientWidth, element.clientHeight));
  };
  const fit = () => sized((_before, width, height) => wholeViewport(drawing, width, height));
  const zoom = (factor: number) =>
    sized((before, width, height) => zoomedViewport(before, factor, width / 2, height / 2));
  useLayoutEffect(fit, [fitKey, room, drawing.boxes.length === 0]);
  usePainting(canvas, drawing, viewport, reach);
  useWheel(canvas, ({ deltaY, offsetX, offsetY }) =>
    setViewport((before) => zoomedViewport(before, Math.exp(-deltaY / 300), offsetX, offsetY)),
  );
  const pointer = usePointer(
    (dx, dy) => setViewport((before) => movedViewport(before, -dx, -dy)),
    (x, y) => {
      const hit = boxAt(drawing, viewport, x, y);
      if (hit !== undefined) onSelect(hit.id);
    },
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move !== undefined) setViewport((before) => movedViewport(before, ...move));
    else if (event.key === '+' || event.key === '=') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') fit();
    else return;
    event.preventDefault();
  };
  return (
    <div class="graph">
      <canvas
        ref={canvas}
        style={`--height:${Math.round(drawing.height * scaleIn(drawing, room) + 2 * MARGIN)}px`}
        role="img"
        aria-label={`Drawing of dependencies: ${summary}. The list below shows the same for the chosen goal.`}
        tabIndex={0}
        {...pointer}
        onKeyDown={onKeyDown}
      />
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / STEP)}>
          −
        </button>
        <button type="button" onClick={fit}>
          Fit
        </button>
      </div>
    </div>
  );
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-60, 0],
  ArrowRight: [60, 0],
  ArrowUp: [0, -60],
  ArrowDown: [0, 60],
};

/** Tells drags from clicks. */
function usePointer(onDrag: (dx: number, dy: number) => void, onClick: (x: number, y: number) => void) {
  const last = useRef<{ readonly x: number; readonly y: number; readonly isDrag: boolean } | null>(null);
  return {
    onPointerDown: ({ clientX: x, clientY: y, pointerId, currentTarget }: PointerEvent) => {
      last.current = { x, y, isDrag: false };
      if (currentTarget instanceof Element) currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
      const from = last.current;
      if (from === null) return;
      const [dx, dy] = [x - from.x, y - from.y];
      if (!from.isDrag && Math.hypot(dx, dy) < CLICK) return;
      last.current = { x, y, isDrag: true };
      onDrag(dx, dy);
    },
    onPointerUp: ({ offsetX, offsetY }: PointerEvent) => {
      const isClick = last.current?.isDrag === false;
      last.current = null;
      if (isClick) onClick(offsetX, offsetY);
    },
    onPointerCancel: () => {
      last.current = null;
    },
  };
}
