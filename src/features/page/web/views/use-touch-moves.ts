import { useRef } from 'preact/hooks';

import { LANES } from '../acting/goal-moves.js';
import type { Lane } from '../acting/goal-moves.js';

/** So long a finger rests on a card before the card follows it; a finger that moves earlier scrolls. */
const PRESS_MS = 350;
const REST_PX = 10;
/** So near to an edge of the board a card scrolls it, and so far. */
const EDGE_PX = 40;
const SCROLL_PX = 12;

/** A finger on a card. */
interface Press {
  readonly card: HTMLElement;
  readonly x: number;
  readonly y: number;
  readonly timer: ReturnType<typeof setTimeout>;
  /** What follows the finger; null until the card is lifted. */
  ghost: HTMLElement | null;
  over: Element | null;
  /** Ends what the card is listened to for. */
  readonly heard: AbortController;
}

/** What the board does with fingers. */
interface TouchMoves {
  readonly onTouchStart: (event: TouchEvent) => void;
  readonly onTouchMove: (event: TouchEvent) => void;
  readonly onContextMenu: (event: Event) => void;
}

/** A React hook that moves cards by touch: a long press lifts a card, and it is dropped on a column or on its name. */
export function useTouchMoves(drop: (goal: string, lane: Lane) => void): TouchMoves {
  const press = useRef<Press | null>(null);
  // A press may outlast the render that it began in.
  const latest = useRef(drop);
  latest.current = drop;
  const end = (): void => {
    const ended = press.current;
    press.current = null;
    if (ended === null) return;
    clearTimeout(ended.timer);
    ended.heard.abort();
    ended.ghost?.remove();
    ended.card.classList.remove('lifted');
    ended.card.draggable = true;
    ended.over?.classList.remove('over');
  };
  const onTouchEnd = (event: TouchEvent): void => {
    const [at] = event.changedTouches;
    const { card, ghost } = press.current ?? {};
    end();
    if (event.type !== 'touchend' || at === undefined || card === undefined || ghost == null) return;
    // The card is not opened by the end of its move.
    event.preventDefault();
    const name = placeAt(at)?.getAttribute('data-lane');
    const lane = LANES.find(([each]) => each === name)?.[0];
    if (lane !== undefined) latest.current(card.dataset.goal ?? '', lane);
  };
  const onTouchStart = ({ target, touches, cancelable }: TouchEvent): void => {
    end();
    // It stops what scrolls on by itself.
    if (!cancelable) return;
    const card = target instanceof Element ? target.closest<HTMLElement>('[draggable="true"]') : null;
    const [at] = touches;
    if (card === null || at === undefined || touches.length > 1) return;
    // A browser that drags by touch itself would end this touch.
    card.draggable = false;
    const { clientX: x, clientY: y } = at;
    const timer = setTimeout(() => {
      if (press.current !== null) press.current.ghost = ghostOf(card, at);
    }, PRESS_MS);
    const heard = new AbortController();
    press.current = { card, x, y, timer, ghost: null, over: null, heard };
    // A card that is drawn elsewhere meanwhile tells only itself that the finger is gone.
    for (const name of ['touchend', 'touchcancel'] as const)
      card.addEventListener(name, onTouchEnd, { signal: heard.signal });
  };
  const onTouchMove = (event: TouchEvent): void => {
    const { current } = press;
    const [at] = event.touches;
    if (current === null || at === undefined) return;
    const [right, down] = [at.clientX - current.x, at.clientY - current.y];
    if (current.ghost === null || !event.cancelable) {
      if (Math.hypot(right, down) > REST_PX) end();
      return;
    }
    event.preventDefault();
    current.ghost.style.transform = `translate(${right}px, ${down}px)`;
    current.over?.classList.remove('over');
    current.over = placeAt(at);
    current.over?.classList.add('over');
    scrollBoard(current.card.closest('.board'), at.clientX);
  };
  const onContextMenu = (event: Event): void => {
    if (press.current !== null) event.preventDefault();
  };
  return { onTouchStart, onTouchMove, onContextMenu };
}

/** Returns the column, or the name of one, under a finger. */
const placeAt = ({ clientX, clientY }: Touch): Element | null =>
  document.elementFromPoint(clientX, clientY)?.closest('[data-lane]') ?? null;

/** Returns a copy of a card that is there for the eye alone, below the finger so that what it points at is seen. */
function ghostOf(card: HTMLElement, { clientX, clientY }: Touch): HTMLElement {
  const ghost = document.createElement('div');
  ghost.className = `${card.className} ghost`;
  ghost.ariaHidden = 'true';
  for (const each of card.childNodes) ghost.append(each.cloneNode(true));
  Object.assign(ghost.style, { left: `${clientX - 80}px`, top: `${clientY + 16}px` });
  document.body.append(ghost);
  card.classList.add('lifted');
  return ghost;
}

function scrollBoard(board: Element | null, x: number): void {
  if (board === null) return;
  const { left, right } = board.getBoundingClientRect();
  if (x < left + EDGE_PX) board.scrollLeft -= SCROLL_PX;
  else if (x > right - EDGE_PX) board.scrollLeft += SCROLL_PX;
}
