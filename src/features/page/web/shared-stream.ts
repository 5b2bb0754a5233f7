import { ApiError, askApi } from './api.js';

/** How it stands with what is followed. */
export type Connection = 'connecting' | 'live' | 'asleep' | 'lost' | 'denied' | 'ended';

/** What one tab tells the others of what they follow: a line of the stream, or how it stands with the stream. */
type Told = { readonly line: string } | { readonly connection: Connection };

interface Following<Line> {
  /** Whose lines are wanted: the id of a plan, or nothing for those of the store. */
  readonly topic: string;
  readonly onLine: (line: Line) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Whether a line is the last that will come. */
  readonly isLast?: (line: Line) => boolean;
}

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5000;
/** The server says something every 15 seconds; after this long it is gone, or this machine slept. */
const LONGEST_SILENCE_MS = 40_000;

/** Where tabs of this server talk: nobody else knows the name. */
let channel = '';

/** Notes what the server calls the channel of its tabs. */
export function shareStreamOn(name: string): void {
  channel = `frctl ${name}`;
}

/** Names of locks can be read by other pages that had this address, so that they begin like the channel only. */
const lockOf = (topic?: string) => `${channel.slice(0, 14)}${topic === undefined ? '' : ` for ${topic}`}`;

/**
 * Follows a plan or the store for as long as the tab is seen. A browser allows a server six connections for all its tabs:
 * one tab reads a stream for all of them, and another goes on when it is closed or hidden. Whoever begins to follow a plan
 * has it begin anew, with the whole.
 * @returns what ends it
 */
export function followStream<Line>({ topic, onLine, onConnection, isLast }: Following<Line>): () => void {
  let current: AbortController | undefined;
  const stop = () => {
    current?.abort();
    document.removeEventListener('visibilitychange', begin);
  };
  function begin(): void {
    current?.abort();
    if (document.hidden) return onConnection('asleep');
    current = new AbortController();
    onConnection('connecting');
    listen(topic, current.signal, (told) => {
      if ('connection' in told) return onConnection(told.connection);
      onConnection('live');
      const line: Line = JSON.parse(told.line);
      onLine(line);
      if (isLast?.(line) !== true) return;
      stop();
      onConnection('ended');
    });
  }
  document.addEventListener('visibilitychange', begin);
  begin();
  return stop;
}

/** Hears what is told of a topic, from whichever tab reads the stream, and reads it itself when no other does. */
function listen(topic: string, signal: AbortSignal, hear: (told: Told) => void): void {
  const ear = new BroadcastChannel(`${channel}/${topic}`);
  const control = new BroadcastChannel(channel);
  let silence = 0;
  const wait = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      hear({ connection: 'lost' });
      // Whoever should read does not.
      readForAll(true);
      wait();
    }, LONGEST_SILENCE_MS);
  };
  ear.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    wait();
    hear(data);
  });
  wait();
  signal.addEventListener('abort', () => {
    clearTimeout(silence);
    ear.close();
    control.close();
  });
  void navigator.locks
    .request(lockOf(topic), { mode: 'shared', signal }, () => {
      tell(control, topic);
      return over(signal);
    })
    .catch(() => undefined);

  function readForAll(steal: boolean): void {
    const term = new AbortController();
    const end = () => term.abort();
    signal.addEventListener('abort', end);
    navigator.locks
      .request(lockOf(), steal ? { steal } : { signal }, () => readStream(term.signal))
      .catch(() => {
        end();
        // Another tab has taken it over.
        if (!signal.aborted) readForAll(false);
      });
  }
  readForAll(false);
}

/** Reads the stream of whatever the tabs of this browser follow, and tells them. */
async function readStream(signal: AbortSignal): Promise<void> {
  const control = new BroadcastChannel(channel);
  const mouths = new Map<string, BroadcastChannel>();
  let connection: Connection = 'connecting';
  let isAskedAnew = new AbortController();
  control.addEventListener('message', ({ data: topic }: MessageEvent<string>) => {
    if (topic === '' && mouths.has(topic)) tell(mouths.get(topic), { connection });
    else isAskedAnew.abort();
  });
  const tellAll = (now: Connection) => {
    connection = now;
    for (const mouth of mouths.values()) tell(mouth, { connection });
  };
  for (let wait = FIRST_WAIT_MS; !signal.aborted;) {
    isAskedAnew = new AbortController();
    const turn = AbortSignal.any([signal, isAskedAnew.signal]);
    for (const mouth of mouths.values()) mouth.close();
    mouths.clear();
    for (const topic of await wantedTopics()) mouths.set(topic, new BroadcastChannel(`${channel}/${topic}`));
    try {
      for await (const line of linesOf([...mouths.keys()], turn)) {
        wait = FIRST_WAIT_MS;
        if (line === '') tellAll('live');
        else tell(mouths.get(topicOf(line, mouths)), { line });
      }
    } catch (thrown) {
      if (turn.aborted) continue;
      const isDenied = thrown instanceof ApiError && [401, 403, 421].includes(thrown.status);
      tellAll(isDenied ? 'denied' : 'lost');
      await over(turn, isDenied ? undefined : wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    }
  }
  for (const each of [control, ...mouths.values()]) each.close();
}

/** What tabs follow is told by the locks that they hold: those of a tab that is gone are gone with it. */
async function wantedTopics(): Promise<readonly string[]> {
  const { held = [] } = await navigator.locks.query();
  const prefix = lockOf('');
  return held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
}

/** Each line of a plan begins with its name. */
function topicOf(line: string, topics: ReadonlyMap<string, unknown>): string {
  return (
    [...topics.keys()].find(
      (topic) => topic !== '' && line.startsWith(`{"plan":${JSON.stringify(topic)},`),
    ) ?? ''
  );
}

/** The lines of a stream as they come, the first being empty. @throws ApiError, also when it ends or says nothing */
async function* linesOf(topics: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
  const query = new URLSearchParams(topics.filter((topic) => topic !== '').map((topic) => ['plan', topic]));
  const controller = new AbortController();
  const response = await askApi(`/api/stream?${query}`, {
    signal: AbortSignal.any([signal, controller.signal]),
  });
  yield '';
  const decoder = new TextDecoder();
  let rest: string[] = [];
  const reader = response.body?.getReader();
  for (;;) {
    const silence = setTimeout(() => controller.abort(), LONGEST_SILENCE_MS);
    const read = await reader?.read().finally(() => clearTimeout(silence));
    if (read?.done !== false) throw new ApiError(0, 'ENDED', 'the stream ended');
    const parts = decoder.decode(read.value, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      yield [...rest, part].join('');
      rest = [];
    }
    rest.push(parts.at(-1) ?? '');
  }
}

function tell(mouth: BroadcastChannel | undefined, what: Told | string): void {
  // There is no other origin on a channel.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  mouth?.postMessage(what);
}

/** Waits for the end of something, or so long. */
async function over(signal: AbortSignal, longestMs?: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (longestMs !== undefined) setTimeout(resolve, longestMs);
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
