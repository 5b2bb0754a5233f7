import { BOX } from './drawing.js';
import type { GraphBox, GraphDrawing } from './drawing.js';

/** Which part of a drawing is seen: a point of it at the left upper corner, and how large it is. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Colours as the style sheet has them, for the theme that holds. */
export interface Palette {
  readonly text: string;
  readonly line: string;
  readonly strong: string;
  readonly background: string;
  readonly of: (state: string) => { readonly fill: string; readonly edge: string };
}

/** From this size on words are drawn. */
const LEGIBLE = 0.45;

/** Reads the colours of the page. */
export function paintPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const known = new Map<string, { fill: string; edge: string }>();
  return {
    text: value('--text'),
    line: value('--line'),
    strong: value('--muted'),
    background: value('--surface'),
    of(state) {
      const name = state.replaceAll(' ', '-');
      const found = known.get(name) ?? { fill: value(`--fill-${name}`), edge: value(`--edge-${name}`) };
      known.set(name, found);
      return found;
    },
  };
}

/** Draws what is seen of a drawing. */
export function paint(
  canvas: HTMLCanvasElement,
  drawing: GraphDrawing,
  { x, y, scale }: Viewport,
  palette: Palette,
  chosen: string | null,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const ratio = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(ratio * scale, 0, 0, ratio * scale, -x * scale * ratio, -y * scale * ratio);
  const seen = { left: x, top: y, right: x + width / scale, bottom: y + height / scale };
  paintEdges(context, drawing, seen, palette, chosen);
  for (const box of drawing.boxes)
    if (touches(seen, box.x, box.y, box.x + BOX.width, box.y + BOX.height))
      paintBox(context, box, scale, palette, box.id === chosen);
}

interface Seen {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function touches(seen: Seen, left: number, top: number, right: number, bottom: number): boolean {
  return left <= seen.right && right >= seen.left && top <= seen.bottom && bottom >= seen.top;
}

function paintEdges(
  context: CanvasRenderingContext2D,
  { edges }: GraphDrawing,
  seen: Seen,
  palette: Palette,
  chosen: string | null,
): void {
  for (const { from, to, kind } of edges) {
    const [ax, ay] = [from.x + BOX.width, from.y + BOX.height / 2];
    const [bx, by] = [to.x, to.y + BOX.height / 2];
    if (!touches(seen, Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by))) continue;
    const isNear = from.id === chosen || to.id === chosen;
    context.strokeStyle = isNear ? palette.text : kind === 'child' ? palette.line : palette.strong;
    context.lineWidth = isNear ? 2 : 1;
    context.setLineDash(kind === 'child' ? [] : [5, 4]);
    const bend = Math.max(30, Math.min(60, (bx - ax) / 2));
    context.beginPath();
    context.moveTo(ax, ay);
    context.bezierCurveTo(ax + bend, ay, bx - bend, by, bx, by);
    context.stroke();
    if (kind === 'dependency') paintArrow(context, bx, by);
  }
  context.setLineDash([]);
}

function paintArrow(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(x - 7, y - 4);
  context.lineTo(x, y);
  context.lineTo(x - 7, y + 4);
  context.stroke();
}

function paintBox(
  context: CanvasRenderingContext2D,
  { x, y, label, state }: GraphBox,
  scale: number,
  palette: Palette,
  isChosen: boolean,
): void {
  const { fill, edge } = palette.of(state);
  context.fillStyle = fill;
  context.strokeStyle = isChosen ? palette.text : edge;
  context.lineWidth = isChosen ? 3 : 1.2;
  context.beginPath();
  context.roundRect(x, y, BOX.width, BOX.height, 6);
  context.fill();
  context.stroke();
  if (scale < LEGIBLE) return;
  context.fillStyle = palette.text;
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const lines = linesOf(context, label);
  for (const [index, line] of lines.entries())
    context.fillText(line, x + 10, y + BOX.height / 2 + (index - (lines.length - 1) / 2) * 15);
}

/** At most two lines that fit into a box. */
function linesOf(context: CanvasRenderingContext2D, label: string): readonly string[] {
  const most = BOX.width - 20;
  const words = label.slice(0, 120).split(/\s+/);
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (context.measureText(longer).width <= most) line = longer;
    else if (lines.length === 0 && line !== '') {
      lines.push(line);
      line = word;
    } else {
      line = `${line} …`;
      break;
    }
  }
  lines.push(line);
  return lines.slice(0, 2).map((text) => cut(context, text, most));
}

function cut(context: CanvasRenderingContext2D, text: string, most: number): string {
  let kept = text;
  while (kept.length > 1 && context.measureText(kept).width > most) kept = `${kept.slice(0, -2)}…`;
  return kept;
}
