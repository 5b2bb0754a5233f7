import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';

import type { Size } from './arrange.js';
import type { GraphDrawing } from './drawing.js';
import type { Reach } from './needs.js';
import { paint, paintPalette } from './paint.js';
import type { Viewport } from './paint.js';
import { MARGIN } from './viewport.js';

/** Keeps a canvas drawn: anew when what is drawn changes, the canvas its size, or the system its theme. */
export function usePainting(
  canvas: RefObject<HTMLCanvasElement | null>,
  drawing: GraphDrawing,
  viewport: Viewport,
  reach: Reach | null,
): void {
  const [turn, setTurn] = useState(0);
  useLayoutEffect(() => {
    if (canvas.current !== null)
      paint(canvas.current, drawing, viewport, paintPalette(canvas.current), reach);
  }, [drawing, viewport, reach, turn]);
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

/** From this width on a drawing is lower than the window, so that what stands below it is seen. */
const WIDE = 640;

/** The room, in pixels, that a drawing on a canvas has in this window. */
export function useRoom(canvas: RefObject<HTMLCanvasElement | null>): Size {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return useMemo(
    () => ({
      width: width - 2 * MARGIN,
      height: innerHeight * (width < WIDE ? 0.8 : 0.62) - 2 * MARGIN,
    }),
    [width],
  );
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
