import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { PayloadOf } from '../../../plan/events.js';
import { givenText } from '../../editing/goal-texts.js';

/**
 * Returns the decisions that a user makes before a plan is made, each given as `what=choice`; one without a choice
 * (`what=`) is left open.
 * @throws PlanError INVALID_INPUT
 */
export function decidedBeforehand(
  given: readonly string[],
  root: string,
): readonly PayloadOf<'decision_made'>[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    if (at < 0)
      throw new PlanError(
        'INVALID_INPUT',
        `a decision is given as what=choice, not as “${truncate(text, 80)}”`,
        {
          hint: [{ commandLine: 'For example: --decide "database=PostgreSQL"' }],
        },
      );
    const choice = text.slice(at + 1).trim();
    return {
      type: 'decision_made',
      goal: root,
      what: givenText('matter', text.slice(0, at)),
      choice: choice === '' ? null : givenText('choice', choice),
    };
  });
}
