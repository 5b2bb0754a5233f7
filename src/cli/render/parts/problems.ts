import { quantityOf } from '../../../kernel/text/quantity-of.js';
import type { Terminal } from '../../terminal.js';

/** So many are told one by one. */
const MOST_TOLD = 20;

/** Warns on standard error of what could not be read, a line each; of very many, of the first and how many more there are. */
export function warnOfProblems(problems: readonly string[], { tell }: Pick<Terminal, 'tell'>): void {
  const more = problems.length - MOST_TOLD;
  const told = [
    ...problems.slice(0, MOST_TOLD),
    ...(more > 0 ? [`${quantityOf(more, 'more problem')}; --json has all of them`] : []),
  ];
  for (const one of told) tell(one, { label: 'warning' });
}
