import type { WaveLayout } from '../../../../exports/wave-layout.js';
import { BOX } from './box.js';

/** Width and height, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Arrangement extends Size {
  readonly isDown: boolean;
  /** The left upper corner of each goal, in the order of the layout. */
  readonly places: readonly { readonly x: number; readonly y: number }[];
}

const GAP = 16;
/** Between two waves of which one takes several lines. */
const WAVE_GAP = 44;
/** A wave is broken into so many lines at most. */
const MOST_LINES = 24;
/** One line a wave reads better than several; so much larger must it be with several. */
const WORTH = 1.3;

/** How large a drawing is seen in a room, 1 at most. */
export const scaleIn = ({ width, height }: Size, room: Size): number =>
  Math.min(1, room.width / Math.max(1, width), room.height / Math.max(1, height));

/**
 * Returns where the goals of a layout stand so that they are seen as large as can be: with a column for each wave, with
 * waves in several columns, or, in a narrow room, with the waves below each other.
 */
export function arrange(layout: WaveLayout, room: Size): Arrangement {
  let best = inColumns(layout);
  let most = scaleIn(best, room) * WORTH;
  const largest = sizesOf(layout).reduce((most, size) => Math.max(most, size), 1);
  const tried = new Set<number>();
  for (let lines = 1; lines <= MOST_LINES; lines += 1) {
    const length = Math.ceil(largest / lines);
    if (tried.has(length)) continue;
    tried.add(length);
    for (const isDown of [false, true]) {
      const size = sizeOfLines(layout, length, isDown);
      const scale = scaleIn(size, room);
      if (scale <= most) continue;
      most = scale;
      best = inLines(layout, length, isDown, size);
    }
  }
  return best;
}

function sizesOf({ goals, columns }: WaveLayout): readonly number[] {
  const sizes = Array.from({ length: columns }, () => 0);
  for (const { column } of goals) sizes[column] = (sizes[column] ?? 0) + 1;
  return sizes;
}

function inColumns({ goals, columns, height }: WaveLayout): Arrangement {
  const places = goals.map(({ column, y }) => ({ x: column * BOX.column, y: y - BOX.height / 2 }));
  return { places, isDown: false, width: (columns - 1) * BOX.column + BOX.width, height };
}

/** How far it is from a box to the next along a line, and from a line to the next. */
function steps(isDown: boolean): { readonly along: number; readonly across: number } {
  const [wide, high] = [BOX.width + GAP, BOX.row];
  return isDown ? { along: wide, across: high } : { along: high, across: wide };
}

function sizeOfLines(layout: WaveLayout, length: number, isDown: boolean): Size {
  const { along, across } = steps(isDown);
  const waves = sizesOf(layout);
  const lines = waves.reduce((sum, size) => sum + Math.ceil(size / length), 0);
  const [long, wide] = [length * along, lines * across + (waves.length - 1) * WAVE_GAP];
  return isDown ? { width: long, height: wide } : { width: wide, height: long };
}

function inLines(layout: WaveLayout, length: number, isDown: boolean, size: Size): Arrangement {
  const { along, across } = steps(isDown);
  const waves = sizesOf(layout);
  const starts: number[] = [];
  let start = 0;
  for (const count of waves) {
    starts.push(start);
    start += Math.ceil(count / length) * across + WAVE_GAP;
  }
  const used = waves.map(() => 0);
  const places = layout.goals.map(({ column }) => {
    const place = used[column] ?? 0;
    used[column] = place + 1;
    const line = Math.floor(place / length);
    const inLine = Math.min(length, (waves[column] ?? 0) - line * length);
    const from = ((length - inLine) * along) / 2 + (place % length) * along;
    const to = (starts[column] ?? 0) + line * across;
    return isDown ? { x: from, y: to } : { x: to, y: from };
  });
  return { places, isDown, ...size };
}
