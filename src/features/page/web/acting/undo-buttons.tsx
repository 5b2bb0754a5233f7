import { useState } from 'preact/hooks';

import { ApiError, postToApi } from '../api.js';
import { wordsWithLocalTimes } from '../words.js';
import { errorInWords } from './act-on-goal.js';

/** What undo and redo tell of the command that they took back or brought back. */
type Told = Readonly<Record<'undone' | 'redone', { readonly message: string } | undefined>>;

/** Takes back the last change of whoever acts here, and brings it back. */
export function UndoButtons({ plan }: { readonly plan: string }) {
  const [said, setSaid] = useState('');
  const run = (name: 'undo' | 'redo') =>
    postToApi<Told>(name, { plan }).then(
      ({ undone, redone }) =>
        setSaid(undone === undefined ? `Redid: ${redone?.message ?? ''}` : `Undid: ${undone.message}`),
      (thrown: unknown) => {
        if (thrown instanceof ApiError) setSaid(errorInWords(thrown));
      },
    );
  return (
    <p class="facts undoing">
      <button type="button" onClick={() => void run('undo')}>
        Undo
      </button>
      <button type="button" onClick={() => void run('redo')}>
        Redo
      </button>
      <span role="status" dir="auto">
        {wordsWithLocalTimes(said)}
      </span>
    </p>
  );
}
