import type { ComponentChildren } from 'preact';

import type { Connection } from '../shared-stream.js';
import { STATE_SYMBOLS } from '../../../../plan/readiness/state-symbols.js';
import { timeFromNow, fullTime, stateWordClass } from '../words.js';
import { stateInWords } from '../../../../plan/readiness/goal-state.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';

/** A state in words, with its sign and colour. */
export function StateBadge({ state }: { readonly state: GoalState }) {
  return (
    <span class={`badge ${stateWordClass(state)}`}>
      <span aria-hidden="true">{STATE_SYMBOLS[state]} </span>
      {stateInWords(state)}
    </span>
  );
}

/** A time from now, with the whole of it where somebody points. */
export function Time({ at, now }: { readonly at: string; readonly now: number }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {timeFromNow(at, now)}
    </time>
  );
}

/** How much is done, as a bar and in words. */
export function Progress({ done, all }: { readonly done: number; readonly all: number }) {
  const words = `${done} of ${all} done`;
  return (
    <p class="done">
      <progress max={Math.max(1, all)} value={done} aria-label={words} />
      {words}
    </p>
  );
}

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'connecting …',
  live: 'live',
  asleep: 'asleep',
  lost: 'not connected; trying again …',
  denied: 'access denied',
  ended: 'ended',
};

/** Whether what is seen is what holds now. */
export function ConnectionBadge({ connection }: { readonly connection: Connection }) {
  return (
    <span class={`connection c-${connection}`} role="status">
      {CONNECTIONS[connection]}
    </span>
  );
}

/** Something that went wrong, and what to do. */
export function Problem({ message, hint }: { readonly message: string; readonly hint?: string | undefined }) {
  return (
    <p class="problem" role="alert">
      {message}
      {hint === undefined ? null : <span class="hint"> {hint}</span>}
    </p>
  );
}

/** A part of what is told, with its heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** What is said where there is nothing. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** A text of a stranger, of which only so much is drawn. */
export function LongText({ text }: { readonly text: string }) {
  const shown = text.length <= MOST_SHOWN ? text : text.slice(0, MOST_SHOWN);
  return (
    <p class="text" dir="auto">
      {shown}
      {shown === text ? null : (
        <em> … {text.length - MOST_SHOWN} more characters; `plan show` has all of them.</em>
      )}
    </p>
  );
}

const MOST_SHOWN = 20_000;
