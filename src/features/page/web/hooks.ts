import { useEffect, useRef, useState } from 'preact/hooks';

import { ApiError, getFromApi } from './api.js';
import { goalStatesAt, planModelWithLine } from './plan-model.js';
import type { PlanModel } from './plan-model.js';
import { followStream } from './shared-stream.js';
import type { Connection } from './shared-stream.js';
import type { GoalState } from '../../../plan/readiness/goal-state.js';
import type { PlanLine, WireError } from './wire.js';

/** A React hook for the time, told anew every so often, for what is said relative to it and for claims that end. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A React hook for a value, told anew no more often than that. */
export function useThrottled<Value>(value: Value, everyMs: number): Value {
  const [throttled, setThrottled] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        last.current = Date.now();
        setThrottled(value);
      },
      Math.max(0, last.current + everyMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [value, everyMs]);
  return throttled;
}

/** A plan that is followed. */
export interface LivePlan {
  readonly model: PlanModel | null;
  readonly states: ReadonlyMap<string, GoalState>;
  readonly connection: Connection;
  /** Why nothing more comes. */
  readonly error: WireError | null;
}

const NOTHING: LivePlan = { model: null, states: new Map(), connection: 'connecting', error: null };

/** A React hook that follows a plan. States are told anew with each line, and when a claim may have ended. */
export function useLivePlan(id: string): LivePlan {
  const [live, setLive] = useState(NOTHING);
  const now = useNow(5000);
  useEffect(() => {
    setLive(NOTHING);
    return followStream<PlanLine>({
      topic: id,
      isLast: ({ type }) => type === 'gone',
      onConnection: (connection) => setLive((before) => ({ ...before, connection })),
      onLine: (line) =>
        setLive((before) => {
          if (line.type === 'gone') return { ...before, error: line.error };
          const model = planModelWithLine(before.model, line);
          return {
            ...before,
            model,
            states: model === null ? before.states : goalStatesAt(model, Date.now()),
          };
        }),
    });
  }, [id]);
  useEffect(() => {
    setLive((before) =>
      before.model === null ? before : { ...before, states: goalStatesAt(before.model, now) },
    );
  }, [now]);
  return live;
}

/** A document that is asked for anew whenever the store says that it may have changed. */
export interface LiveDocument<Document> {
  readonly document: Document | null;
  readonly error: ApiError | null;
  readonly connection: Connection;
  readonly again: () => void;
}

/** A React hook that follows a document of a path. */
export function useLiveDocument<Document>(path: string): LiveDocument<Document> {
  const [state, setState] = useState<Omit<LiveDocument<Document>, 'again' | 'connection'>>({
    document: null,
    error: null,
  });
  const [connection, setConnection] = useState<Connection>('connecting');
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      followStream<{ readonly type: string }>({
        topic: '',
        onConnection: setConnection,
        onLine: () => setTurn((before) => before + 1),
      }),
    [path],
  );
  useEffect(() => {
    const controller = new AbortController();
    getFromApi<Document>(path, controller.signal).then(
      (document) => setState({ document, error: null }),
      (thrown: unknown) => {
        if (thrown instanceof ApiError) setState((before) => ({ ...before, error: thrown }));
      },
    );
    return () => controller.abort();
  }, [path, turn]);
  return { ...state, connection, again: () => setTurn((before) => before + 1) };
}

/** A document of a path, once it is there. */
interface Asked<Document> {
  readonly path: string;
  readonly document: Document | null;
  readonly error: ApiError | null;
}

/** A React hook for a document that is asked for once, and again when one of its reasons changes. */
export function useDocument<Document>(path: string, reasons: readonly unknown[]): Asked<Document> {
  const [state, setState] = useState<Asked<Document>>({
    path,
    document: null,
    error: null,
  });
  useEffect(() => {
    const controller = new AbortController();
    getFromApi<Document>(path, controller.signal).then(
      (document) => setState({ path, document, error: null }),
      (thrown: unknown) => {
        if (thrown instanceof ApiError) setState({ path, document: null, error: thrown });
      },
    );
    return () => controller.abort();
  }, [path, ...reasons]);
  return state.path === path ? state : { path, document: null, error: null };
}
