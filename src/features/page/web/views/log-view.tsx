import { useState } from 'preact/hooks';

import { ApiError, getFromApi } from '../api.js';
import { useDocument, useThrottled } from '../hooks.js';
import { Empty, Problem } from '../parts/parts.js';
import { clockOf, dayOf, fullTime, wordsWithLocalTimes } from '../words.js';
import type { LogPage } from '../wire.js';
import type { ViewProps } from './view-props.js';

/** Who changed what and when, the newest first, by days. */
export function LogView({ live: { model }, onSelect }: ViewProps) {
  const path = `/api/plans/${model.header.id}/log`;
  // Asked for anew when something new is in the log, but not with every event while it is planned.
  const newest = useThrottled(model.feed[0]?.event, 1000);
  const { document: first, error } = useDocument<LogPage>(path, [newest]);
  const [older, setOlder] = useState<readonly LogPage[]>([]);
  const pages = first === null ? older : [first, ...older];
  const last = pages.at(-1);
  const seen = new Set<string>();
  const events = pages
    .flatMap((page) => page.events)
    .filter(({ event }) => !seen.has(event) && seen.add(event));
  const [missing, setMissing] = useState<ApiError | null>(null);
  const more = async () => {
    try {
      const page = await getFromApi<LogPage>(`${path}?before=${last?.before ?? 0}`);
      setOlder((before) => [...before, page]);
      setMissing(null);
    } catch (thrown) {
      setMissing(thrown instanceof ApiError ? thrown : new ApiError(0, 'INTERNAL', String(thrown)));
    }
  };
  if (error !== null) return <Problem message={error.message} hint={error.hint} />;
  if (pages.length === 0) return <Empty>Reading the log …</Empty>;
  const days = new Map<string, LogPage['events'][number][]>();
  for (const entry of events) days.set(dayOf(entry.at), [...(days.get(dayOf(entry.at)) ?? []), entry]);
  return (
    <div class="log">
      {[...days].map(([day, entries]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ol>
            {entries.map(({ event, at, by, message, goal, refused }) => (
              <li key={event} class={refused === null ? '' : 'refused'}>
                <time dateTime={at} title={fullTime(at)}>
                  {clockOf(at)}
                </time>
                <span class="by" dir="auto">
                  {by}
                </span>
                <span dir="auto">
                  {goal !== null && model.plan.goals.has(goal) ? (
                    <button type="button" class="link" onClick={() => onSelect(goal)}>
                      {wordsWithLocalTimes(message)}
                    </button>
                  ) : (
                    wordsWithLocalTimes(message)
                  )}
                  {refused === null ? null : <em> refused: {wordsWithLocalTimes(refused)}</em>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {missing === null ? null : <Problem message={missing.message} hint={missing.hint} />}
      {last?.before == null ? null : (
        <button type="button" onClick={() => void more()}>
          Show older entries
        </button>
      )}
      {first?.checked === false ? (
        <p class="hint">This log is long: `plan log` shows which entries were refused.</p>
      ) : null}
    </div>
  );
}
