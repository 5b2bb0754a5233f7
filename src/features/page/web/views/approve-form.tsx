import { useState } from 'preact/hooks';

import { ApiError, postToApi } from '../api.js';
import { Problem } from '../parts/parts.js';
import { fullTime } from '../words.js';
import type { ShownApproval } from '../wire.js';
import { Field, Form } from '../acting/form.js';

interface ApproveFormProps {
  /** Says something where it stays, because the form goes when nothing waits any more. */
  readonly say: (words: string) => void;
  readonly again: () => void;
}

interface Looked {
  readonly code: string;
  readonly shown: ShownApproval;
}

/**
 * Two steps, as on a terminal: the code brings up what would run, and only then is there something to agree to.
 */
export function ApproveForm({ say, again }: ApproveFormProps) {
  const [looked, setLooked] = useState<Looked | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const tried = async (work: () => Promise<void>) => {
    try {
      setError(null);
      await work();
    } catch (thrown) {
      if (thrown instanceof ApiError) setError(thrown);
    }
  };
  const look = async (code: string) => {
    say('');
    setLooked({ code, shown: await postToApi<ShownApproval>('approve', { code, dryRun: true }) });
  };
  const agree = async ({ code, shown: { shown } }: Looked) => {
    const { commit_command, workers } = await postToApi<{ commit_command: string; workers: boolean }>(
      'approve',
      {
        code,
        agreed: { via: 'page', shown },
      },
    );
    setLooked(null);
    say(`Approved. Next: ${workers ? 'workers go on' : commit_command}`);
    again();
  };
  return (
    <div class="actions">
      {error === null ? null : <Problem message={error.message} hint={error.hint} />}
      {looked === null ? (
        <Form submit="Show what would run" onSubmit={(values) => tried(() => look(values.get('code') ?? ''))}>
          <Field
            name="code"
            label="The code that `plan prepare` or `plan run` printed"
            placeholder="K3F9-X2W8"
          />
        </Form>
      ) : (
        <>
          <WhatWouldRun shown={looked.shown} />
          <div class="buttons">
            <button type="button" class="primary" onClick={() => void tried(() => agree(looked))}>
              Approve exactly this
            </button>
            <button type="button" onClick={() => setLooked(null)}>
              Cancel
            </button>
          </div>
        </>
      )}
    </div>
  );
}

/** Everything that a yes is for. */
function WhatWouldRun({ shown: { scope, run, text, parts } }: { readonly shown: ShownApproval }) {
  return (
    <section aria-label="What would run">
      <h3 dir="auto">{scope === 'run' ? `This would run as ${run}` : `This step of ${run} would run`}</h3>
      <pre class="preview" tabIndex={0} role="region" aria-label="The plan that would run">
        {text}
      </pre>
      <dl class="agreed">
        {parts.map(({ title, lines, kind }) => (
          <>
            <dt>{title}</dt>
            {lines.map((line) => (
              <dd key={line} dir="auto">
                {kind === 'time' ? fullTime(line) : line}
              </dd>
            ))}
          </>
        ))}
      </dl>
    </section>
  );
}
