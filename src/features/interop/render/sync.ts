import type { OperationNamed } from '../registry.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { leadingName } from '../../../cli/render/parts/leading-name.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

const WORDS: Readonly<Record<string, string>> = {
  goals_added: 'added',
  goal_edited: 'edited',
  goal_moved: 'moved',
  goal_removed: 'removed',
  goal_completed: 'completed',
  goal_reopened: 'reopened',
};

/** Says what came from the file and what went into it, and on standard error what contradicted. */
export const sync: RendererOf<OperationNamed<'sync'>> = {
  remark({ contradictions, warnings = [], dry_run }, { terminal }) {
    if (dry_run === true) terminal.tell('Nothing was written; this is what it would do:');
    for (const each of contradictions) terminal.tell(each, { label: 'contradiction' });
    for (const { message } of warnings) terminal.tell(message, { label: 'warning' });
  },
  render({ plan, file, made, lines, steps = [], account, dry_run }) {
    const changes = Object.entries(made).map(([type, times]) => `${times} ${WORDS[type] ?? type}`);
    const toPlan = changes.length === 0 ? 'nothing new' : changes.join(', ');
    const toFile =
      lines.added + lines.removed === 0
        ? 'nothing new'
        : `${quantityOf(lines.added, 'line')} written, ${lines.removed} gone`;
    const listed = steps.map(
      ({ to, line, what }) =>
        `${to === 'plan' ? `plan ${plan.id}` : leadingName(file)}${line === null ? '' : `, line ${line}`}: ${oneLine(what)}\n`,
    );
    const staying = account.left_out.map(
      ({ first_line, last_line, text }) =>
        `${leadingName(file)}, ${first_line === last_line ? `line ${first_line}` : `lines ${first_line}–${last_line}`}: left as is (“${oneLine(text)}”)\n`,
    );
    return `${listed.join('')}${dry_run === true ? staying.join('') : ''}plan ${plan.id}: ${toPlan}\n${leadingName(file)}: ${toFile}\n`;
  },
};
