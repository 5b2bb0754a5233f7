import { useDocument, useThrottled } from '../hooks.js';
import { Empty, Problem } from '../parts/parts.js';
import type { PlanFinding } from '../wire.js';
import type { ViewProps } from './view-props.js';

/** What looks wrong in the plan, by kinds. */
export function FindingsView({ live: { model }, onSelect }: ViewProps) {
  const newest = useThrottled(model.feed[0]?.event, 1000);
  const { document, error } = useDocument<{ readonly findings: readonly PlanFinding[] }>(
    `/api/plans/${model.header.id}/findings`,
    [newest],
  );
  if (error !== null) return <Problem message={error.message} hint={error.hint} />;
  if (document === null) return <Empty>Looking at the plan …</Empty>;
  if (document.findings.length === 0) return <Empty>Nothing looks wrong.</Empty>;
  const kinds = new Map<string, PlanFinding[]>();
  for (const finding of document.findings) {
    const known = kinds.get(finding.code);
    if (known === undefined) kinds.set(finding.code, [finding]);
    else known.push(finding);
  }
  return (
    <>
      {[...kinds].map(([code, findings]) => (
        <section key={code} class="part">
          <h2>
            <code>{code}</code> <span class="count">{findings.length}</span>
          </h2>
          <ul class="relatives">
            {findings.slice(0, MOST_SHOWN).map(({ goal, message, hint }, index) => (
              <li key={index}>
                {model.plan.goals.has(goal) ? (
                  <button type="button" class="link" dir="auto" onClick={() => onSelect(goal)}>
                    {message}
                  </button>
                ) : (
                  <span dir="auto">{message}</span>
                )}
                <p class="hint" dir="auto">
                  {hint}
                </p>
              </li>
            ))}
          </ul>
          {findings.length > MOST_SHOWN ? (
            <p class="hint">and {findings.length - MOST_SHOWN} more: `plan check` lists them all</p>
          ) : null}
        </section>
      ))}
    </>
  );
}

const MOST_SHOWN = 100;
