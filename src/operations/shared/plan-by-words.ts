import { hintStep } from '../../kernel/hint.js';
import { PlanError } from '../../kernel/errors.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { PlanStore } from '../../storage/plan-store.js';

/** What is neither a letter nor a digit parts words. */
const NO_WORD = /[^\p{L}\p{N}]+/u;
/** So many plans are named where several fit. */
const MOST_NAMED = 5;

/** Whether a name may be words of a goal: at least one, nothing that a path or a member has, and no id that was cut too short. */
export function canBeWords(name: string): boolean {
  if (/^[0-9a-f]{1,2}$/.test(name)) return false;
  return name.length <= 200 && /^[^/\\_\p{C}]*$/u.test(name) && /[\p{L}\p{N}]/u.test(name);
}

/**
 * Returns the id of the plan whose goal has words that begin with all of `words`, without case. Plans that are archived count where no
 * other fits.
 * @param place what is before a message
 * @throws PlanError PLAN_NOT_FOUND, AMBIGUOUS_NAME with the plans that fit
 */
export async function planIdOfWords(store: PlanStore, words: string, place = ''): Promise<string> {
  const wanted = wordsOf(words);
  for (const scope of ['active', 'archived'] as const) {
    const { plans } = await store.list(scope);
    const fitting = plans.filter(({ description }) => {
      const there = wordsOf(description);
      return wanted.every((word) => there.some((each) => each.startsWith(word)));
    });
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) return only.id;
    if (fitting.length > 1) throw several(fitting, words, place);
  }
  throw new PlanError('PLAN_NOT_FOUND', `${place}there is no plan “${truncate(words, 80)}”`, {
    hint: [hintStep('list'), ' shows the plans there are; name one by its id, or by words of its goal.'],
    details: { plan: truncate(words, 200) },
  });
}

function several(
  plans: readonly { readonly id: string; readonly description: string }[],
  words: string,
  place: string,
): PlanError {
  const named = plans
    .slice(0, MOST_NAMED)
    .map(({ id, description }) => `${id} “${truncate(oneLine(description), 60)}”`)
    .join(', ');
  const more = plans.length > MOST_NAMED ? `, and ${plans.length - MOST_NAMED} more` : '';
  return new PlanError('AMBIGUOUS_NAME', `${place}${plans.length} plans fit “${truncate(words, 80)}”`, {
    hint: [`Give more words, or an id: ${named}${more}`],
    details: { matches: plans.map(({ id }) => id) },
  });
}

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(NO_WORD)
    .filter((word) => word !== '');
}
