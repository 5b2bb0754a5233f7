import { clockOf } from '../words.js';
import type { RunReport } from '../wire.js';

type Attempt = RunReport['attempts'][number];

interface RunGridProps {
  readonly steps: RunReport['run']['steps'];
  readonly attempts: readonly Attempt[];
}

const SIGNS: Readonly<Record<string, string>> = {
  succeeded: '✓',
  failed: '✕',
  timed_out: '⧖',
  lost: '?',
  not_sent: '–',
  running: '●',
};

/** So many attempts have a column each, the last ones. */
const MOST_COLUMNS = 12;

/** A row for each step, a column for each attempt. */
export function RunGrid({ steps, attempts }: RunGridProps) {
  const byStep = new Map<string, Attempt[]>();
  for (const attempt of attempts) byStep.set(attempt.step, [...(byStep.get(attempt.step) ?? []), attempt]);
  const longest = [...byStep.values()].reduce((most, each) => Math.max(most, each.length), 1);
  const most = Math.min(MOST_COLUMNS, longest);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Steps by attempts">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">State</th>
            {Array.from({ length: most }, (_, index) => (
              <th key={index} scope="col">
                {index + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ step, state, words, tool, title, error, skipped_because }) => {
            const tried = (byStep.get(step) ?? []).slice(-most);
            return (
              <tr key={step}>
                <th scope="row">
                  <span dir="auto">{title ?? step}</span>
                  <small>
                    {title === null ? '' : `${step} · `}
                    {tool ?? ''}
                  </small>
                </th>
                <td class={`a-${state}`}>
                  {words}
                  {error === null ? null : <small dir="auto">{error.message}</small>}
                  {skipped_because === null ? null : <small>{skipped_because}</small>}
                </td>
                {Array.from({ length: most }, (_, index) => (
                  <AttemptCell key={index} attempt={tried[index]} />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function AttemptCell({ attempt }: { readonly attempt: Attempt | undefined }) {
  if (attempt === undefined) return <td />;
  const { outcome, started_at, ended_at, error } = attempt;
  const state = outcome ?? 'running';
  const seconds = ended_at === null ? null : (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  const words = `attempt ${attempt.attempt}: ${state.replace('_', ' ')}, began ${clockOf(started_at)}${seconds === null ? '' : `, took ${seconds.toFixed(1)} s`}${error === null ? '' : `: ${error}`}`;
  return (
    <td class={`a-${state}`} title={words}>
      <span aria-hidden="true">{SIGNS[state] ?? state}</span>
      <span class="sr">{words}</span>
    </td>
  );
}
