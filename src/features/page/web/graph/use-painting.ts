import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

import type { GraphDrawing } from './drawing.js';
import { paint, paintPalette } from './paint.js';
import type { Viewport } from './paint.js';

/** Keeps a canvas drawn: anew when what is drawn changes, the canvas its size, or the system its theme. */
export function usePainting(
  canvas: RefObject<HTMLCanvasElement | null>,
  drawing: GraphDrawing,
  viewport: Viewport,
  goal: string | null,
): void {
  const [turn, setTurn] = useState(0);
  useLayoutEffect(() => {
    if (canvas.current !== null) paint(canvas.current, drawing, viewport, paintPalette(canvas.current), goal);
  }, [drawing, viewport, goal, turn]);
  useEffect(() => {
    const again = () => setTurn((before) => before + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const size = new ResizeObserver(again);
    if (canvas.current !== null) size.observe(canvas.current);
    dark.addEventListener('change', again);
    return () => {
      dark.removeEventListener('change', again);
      size.disconnect();
    };
  }, []);
}

/** Tells of the wheel, with Ctrl or Shift; without them it scrolls the page, as everywhere. */
export function useWheel(
  canvas: RefObject<HTMLCanvasElement | null>,
  onWheel: (event: WheelEvent) => void,
): void {
  useEffect(() => {
    const element = canvas.current;
    const listen = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      onWheel(event);
    };
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);
}
