import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Says what was copied, and on standard error what was not and why. */
export const storeCopy: RendererOf<OperationNamed<'store copy'>> = {
  remark({ copied }, { terminal }) {
    for (const { kind, id, message } of copied)
      if (message !== undefined)
        terminal.tell(`${kind.replace('_', ' ')} ${id}: ${message}`, { label: 'warning' });
  },
  render({ copied, from, to, kind }) {
    const those = (outcome: (typeof copied)[number]['outcome']) =>
      copied.filter((one) => one.outcome === outcome);
    const written = [...those('copied'), ...those('went_on')];
    const counts = (['plan', 'run', 'action_plan', 'output'] as const).map((one) =>
      quantityOf(written.filter((each) => each.kind === one).length, one.replace('_', ' ')),
    );
    const events = written.reduce((sum, one) => sum + one.events, 0);
    const left = those('differs').length + those('failed').length;
    const more = [
      `${those('same').length} there already`,
      ...(those('ahead').length === 0 ? [] : [`${those('ahead').length} further on there`]),
      ...(left === 0 ? [] : [`${left} not copied`]),
    ];
    const next =
      left === 0
        ? `\`plan config set store ${kind}\` has the project use it.\n`
        : 'Nothing was overwritten.\n';
    return `Copied ${counts.join(', ')} with ${quantityOf(events, 'event')} from ${legible(from)} to ${legible(to)}; ${more.join(', ')}.\n${next}`;
  },
};
