import { useState } from 'preact/hooks';

import { useLiveDocument, useNow } from '../hooks.js';
import { ConnectionBadge, Empty, Problem, Time } from '../parts/parts.js';
import { hrefOfRoute } from '../route.js';
import type { RunReport, RunSummary, ServerInfo } from '../wire.js';
import { ApproveForm } from './approve-form.js';
import { RunGrid } from './run-grid.js';

const WAITS: ReadonlySet<string> = new Set(['waiting', 'prepared']);

/** Every run: what waits for a person first, then the newest. */
export function RunList() {
  const {
    document: listing,
    error,
    connection,
  } = useLiveDocument<{ readonly runs: readonly RunSummary[] }>('/api/runs');
  const now = useNow(10_000);
  const runs = (listing?.runs ?? []).toSorted(
    (a, b) => Number(WAITS.has(b.status)) - Number(WAITS.has(a.status)),
  );
  return (
    <main class="list" id="main">
      <div class="toolbar">
        <h1>Runs</h1>
        <ConnectionBadge connection={connection} />
      </div>
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
      {listing !== null && runs.length === 0 ? (
        <Empty>No runs yet. `plan prepare` makes one from an action plan.</Empty>
      ) : null}
      <ul class="plans">
        {runs.map(({ run, status, updated_at, words }) => (
          <li key={run} class={`card run r-${status}`}>
            <a href={hrefOfRoute({ page: 'runs', run })} dir="auto">
              {words.plan}
            </a>
            <p class="facts">
              <span class={`badge r-${status}`}>{words.status}</span>
              <span>{words.steps}</span>
              <Time at={updated_at} now={now} />
              <code>{run}</code>
            </p>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** One run: what waits for a person, then its steps by attempts. */
export function RunView({ run: id, server }: { readonly run: string; readonly server: ServerInfo }) {
  const {
    document: report,
    error,
    connection,
    again,
  } = useLiveDocument<RunReport>(`/api/runs/${encodeURIComponent(id)}`);
  const now = useNow(10_000);
  const [said, setSaid] = useState('');
  if (report === null)
    return (
      <main class="list" id="main">
        <h1>Run</h1>
        {error === null ? null : <Problem message={error.message} hint={error.hint} />}
        <a href={hrefOfRoute({ page: 'runs', run: null })}>All runs</a>
      </main>
    );
  const { run, attempts } = report;
  return (
    <main class="list" id="main">
      <div class="toolbar">
        <h1 dir="auto">{run.words.plan}</h1>
        <ConnectionBadge connection={connection} />
      </div>
      <p class="facts">
        <span class={`badge r-${run.status}`}>{run.words.status}</span>
        <span>
          changed <Time at={run.updated_at} now={now} />
        </span>
        <code>{run.run}</code>
        <a href={hrefOfRoute({ page: 'runs', run: null })}>All runs</a>
      </p>
      {run.reason === null ? null : <Problem message={run.reason} />}
      {said === '' ? null : <p role="status">{said}</p>}
      <Waiting run={run} server={server} say={setSaid} again={again} />
      <RunGrid steps={run.steps} attempts={attempts} />
      {run.next.length === 0 ? null : (
        <section class="part">
          <h2>What can be done now</h2>
          <dl>
            {run.next.map(({ command, does }) => (
              <>
                <dt>
                  <code>{command}</code>
                </dt>
                <dd>{does}</dd>
              </>
            ))}
          </dl>
        </section>
      )}
    </main>
  );
}

interface WaitingProps {
  readonly run: RunReport['run'];
  readonly server: ServerInfo;
  readonly say: (words: string) => void;
  readonly again: () => void;
}

/** For what a run waits, and the way to agree to it. */
function Waiting({ run, server, say, again }: WaitingProps) {
  const isPrepared = run.status === 'prepared';
  if (run.waiting.length === 0 && !isPrepared) return null;
  return (
    <section class="waiting" aria-label="What waits for a person">
      <h2>Waits for a person</h2>
      <ul>
        {run.waiting.map(({ step, for: what, summary, commands }) => (
          <li key={step}>
            <strong dir="auto">{step}</strong>{' '}
            {what === 'approval' ? 'asks for approval' : 'has an unknown outcome'}:{' '}
            <span dir="auto">{summary}</span>
            <ul>
              {commands.map((command) => (
                <li key={command}>
                  <code>{command}</code>
                </li>
              ))}
            </ul>
          </li>
        ))}
        {isPrepared ? <li>It is prepared, and starts once somebody approves it.</li> : null}
      </ul>
      {server.write ? (
        <ApproveForm say={say} again={again} />
      ) : (
        <p class="hint">`plan serve --write` lets you approve it here.</p>
      )}
    </section>
  );
}
