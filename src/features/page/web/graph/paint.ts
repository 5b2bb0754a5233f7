import { BOX } from './box.js';
import type { GraphBox, GraphDrawing } from './drawing.js';
import type { Reach } from './needs.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';

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
  readonly accent: string;
  readonly of: (state: string) => { readonly fill: string; readonly edge: string };
}

/** From this size on words are drawn; below it numbers, as large as there is room. */
const LEGIBLE = 0.6;
/** How large words are, in units of the drawing, and numbers, in pixels. */
const WORDS = 13;
const NUMBERS = 11;
/** What has nothing to do with the goal that is chosen. */
const FADED = 0.3;

/** Reads the colours of the page. */
export function paintPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const known = new Map<string, { fill: string; edge: string }>();
  return {
    text: value('--text'),
    line: value('--line'),
    strong: value('--muted'),
    accent: value('--accent'),
    of(state) {
      const name = state.replaceAll('_', '-');
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
  reach: Reach | null,
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
  paintEdges(context, drawing, seen, scale, palette, reach);
  for (const box of drawing.boxes)
    if (touches(seen, box.x, box.y, box.x + BOX.width, box.y + BOX.height))
      paintBox(context, box, scale, palette, reach);
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
  { edges, isDown }: GraphDrawing,
  seen: Seen,
  scale: number,
  palette: Palette,
  reach: Reach | null,
): void {
  for (const { from, to, kind } of edges) {
    const [ax, ay] = isDown
      ? [from.x + BOX.width / 2, from.y + BOX.height]
      : [from.x + BOX.width, from.y + BOX.height / 2];
    const [bx, by] = isDown ? [to.x + BOX.width / 2, to.y] : [to.x, to.y + BOX.height / 2];
    if (!touches(seen, Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by))) continue;
    const isNeeded = kind === 'dependency' && isIn(reach?.needs, from.id, to.id, reach?.goal);
    const isNear = isNeeded || (kind === 'dependency' && isIn(reach?.neededBy, to.id, from.id, reach?.goal));
    context.globalAlpha = reach === null || isNear ? 1 : FADED;
    context.strokeStyle = isNeeded ? palette.accent : kind === 'child' ? palette.line : palette.strong;
    context.lineWidth = (isNear ? 2.5 : 1) / Math.min(1, scale * 1.2);
    context.setLineDash(kind === 'child' ? [] : [5, 4]);
    const bend = Math.max(16, Math.min(60, (isDown ? by - ay : bx - ax) / 2));
    context.beginPath();
    context.moveTo(ax, ay);
    if (isDown) context.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by);
    else context.bezierCurveTo(ax + bend, ay, bx - bend, by, bx, by);
    context.stroke();
    if (kind === 'dependency') paintArrow(context, bx, by, isDown);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

const isIn = (set: ReadonlySet<string> | undefined, one: string, other: string, goal: string | undefined) =>
  set?.has(one) === true && (set.has(other) || other === goal);

function paintArrow(context: CanvasRenderingContext2D, x: number, y: number, isDown: boolean): void {
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(...(isDown ? ([x - 4, y - 7] as const) : ([x - 7, y - 4] as const)));
  context.lineTo(x, y);
  context.lineTo(...(isDown ? ([x + 4, y - 7] as const) : ([x - 7, y + 4] as const)));
  context.stroke();
}

function paintBox(
  context: CanvasRenderingContext2D,
  { id, x, y, number, words, state }: GraphBox,
  scale: number,
  palette: Palette,
  reach: Reach | null,
): void {
  const { fill, edge } = palette.of(state);
  const isChosen = reach?.goal === id;
  const isNeeded = reach?.needs.has(id) === true;
  context.globalAlpha = reach === null || isChosen || isNeeded || reach.neededBy.has(id) ? 1 : FADED;
  context.fillStyle = fill;
  context.strokeStyle = isChosen ? palette.text : isNeeded ? palette.accent : edge;
  context.lineWidth = (isChosen ? 3 : isNeeded ? 2.5 : 1.2) / Math.min(1, scale);
  context.beginPath();
  context.roundRect(x, y, BOX.width, BOX.height, 6);
  context.fill();
  context.stroke();
  context.fillStyle = palette.text;
  context.textBaseline = 'middle';
  const isSmall = scale < LEGIBLE;
  const size = isSmall ? Math.min(BOX.height * 0.8, NUMBERS / scale) : WORDS;
  context.font = `${size}px system-ui, sans-serif`;
  const sign = `${STATE_SYMBOLS[state]} ${number}`.trim();
  const lines = isSmall ? [cut(context, sign, BOX.width - 12)] : linesOf(context, `${sign} ${words}`);
  for (const [index, line] of lines.entries())
    context.fillText(line, x + 10, y + BOX.height / 2 + (index - (lines.length - 1) / 2) * (size + 3));
  context.globalAlpha = 1;
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
