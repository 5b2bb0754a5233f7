import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

type Linked = NonNullable<ResultOf<'status'>['linked']>;

/** As many goals are named that use a result. */
const USERS_SHOWN = 8;

/** Returns what comparing all leaves came to: what it changed on one line, and what no goal makes. */
export function renderLinked({ missing, ...linked }: Linked, colors: Colors): string {
  const { added, replaced, chain, can_start } = linked;
  const parts = [
    `${quantityOf(added, 'need')} added`,
    `${quantityOf(replaced, 'wide wait')} replaced`,
    ...(chain === undefined ? [] : [`longest chain ${chain.join(' → ')}`]),
    ...(can_start === undefined ? [] : [`can start ${can_start.join(' → ')}`]),
  ];
  const undo = added + replaced === 0 ? '' : colors.dim(' (`plan undo` takes it back)');
  return `\n${colors.bold('All leaves compared')} ${parts.join(' · ')}${undo}\n${renderMissing(missing, colors)}`;
}

/** Returns the results that goals use and none makes, each with the command that adds a goal for it; empty where there is none. */
export function renderMissing(missing: Linked['missing'], colors: Colors): string {
  if (missing.length === 0) return '';
  const lines = missing.map(({ command, used_by, what }) => {
    const users = used_by.slice(0, USERS_SHOWN).map(({ number }) => number);
    const more = used_by.length > users.length ? ', …' : '';
    return `  - ${oneLine(what)} ${colors.dim(`(used by ${users.join(', ')}${more})`)}\n    \`${oneLine(command)}\`\n`;
  });
  return `\n${colors.bold('No goal makes')} ${colors.dim('(`plan depend` then makes those that use it wait for it)')}\n${lines.join('')}`;
}
