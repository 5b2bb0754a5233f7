import { useState } from 'preact/hooks';

import { actOnGoal } from '../acting/act-on-goal.js';
import { Field, Form } from '../acting/form.js';
import { ApiError } from '../api.js';
import { useDocument, useThrottled } from '../hooks.js';
import { Empty, Problem } from '../parts/parts.js';
import type { PlanDecision } from '../wire.js';
import type { ViewProps } from './view-props.js';

/** What was decided, for which part of the plan, and what is open. */
export function DecisionsView({ live: { model }, onSelect, onAsk }: ViewProps) {
  const newest = useThrottled(model.feed[0]?.event, 1000);
  const { document, error } = useDocument<{ readonly decisions: readonly PlanDecision[] }>(
    `/api/plans/${model.header.id}/decisions`,
    [newest],
  );
  if (error !== null) return <Problem message={error.message} hint={error.hint} />;
  if (document === null) return <Empty>Reading the decisions …</Empty>;
  if (document.decisions.length === 0)
    return (
      <Empty>
        No decisions yet.{' '}
        {onAsk === null ? (
          <code>plan decide GOAL WHAT CHOICE</code>
        ) : (
          'Open a goal and choose “Decide …” to make one.'
        )}
      </Empty>
    );
  return (
    <ul class="plans">
      {document.decisions.map((decision) => (
        <li key={`${decision.goal} ${decision.what}`} class="card">
          <strong dir="auto">{decision.what}</strong>: <span dir="auto">{decision.choice ?? 'open'}</span>
          <p class="facts">
            <button type="button" class="link" onClick={() => onSelect(decision.goal)}>
              {decision.number === '' ? 'for the whole plan' : `for ${decision.number} and below`}
            </button>
            <span>{standingOf(decision, model.numbers)}</span>
          </p>
          {onAsk === null ? null : <Choosing plan={model.header.id} decision={decision} />}
        </li>
      ))}
    </ul>
  );
}

function standingOf(decision: PlanDecision, numbers: ReadonlyMap<string, string>): string {
  if (decision.choice === null) {
    const decider = decision.decided_by === null ? undefined : numbers.get(decision.decided_by);
    return decider === undefined ? 'nobody has decided it' : `decided in ${decider}`;
  }
  return decision.confirmed ? 'confirmed' : 'chosen while planning; nobody has confirmed it';
}

/** Confirms a choice, or changes it. */
function Choosing({ plan, decision }: { readonly plan: string; readonly decision: PlanDecision }) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const decide = async (choice: string): Promise<void> => {
    try {
      await actOnGoal(plan, decision.goal, 'decide', { what: decision.what, choice });
      setError(null);
      setOpen(false);
    } catch (thrown) {
      if (thrown instanceof ApiError) setError(thrown);
    }
  };
  const { choice, confirmed } = decision;
  return (
    <>
      <div class="buttons">
        {choice === null || confirmed ? null : (
          <button type="button" onClick={() => void decide(choice)}>
            Confirm
          </button>
        )}
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {choice === null ? 'Decide …' : 'Change …'}
        </button>
      </div>
      {isOpen ? (
        <Form submit="Decide it" onSubmit={(written) => decide(written.get('choice') ?? '')}>
          <Field name="choice" label="The choice" value={choice ?? ''} />
        </Form>
      ) : null}
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
    </>
  );
}
