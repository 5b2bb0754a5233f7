import { oneLine } from '../../../kernel/text/safe-text.js';
import { viewerWarnings } from '../../../operations/reading/exported-plan.js';
import type { InputOf, OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { treeStyle } from '../parts/style.js';

/** Draws the tree of goals, coloured where it is for a terminal. */
export const tree: RendererOf<OperationNamed<'tree'>> = {
  verbatim: () => true,
  remark({ format, text, goals }, { terminal, input }) {
    if (goals.length === 0 && input.depth === undefined) terminal.tell(noGoalIsSo(input));
    if (format === 'ascii') return;
    for (const { message } of viewerWarnings(format, text).warnings ?? [])
      terminal.tell(message, { label: 'warning' });
  },
  render: ({ format, text, draw, goals }, { terminal, input }) =>
    format === 'ascii' && goals.length === 0 && input.depth === undefined
      ? ''
      : format === 'ascii'
        ? draw({ style: treeStyle(terminal.colors), columns: terminal.columns })
        : text,
};

/** That nothing was found, with all that was looked for. */
function noGoalIsSo({ text, tag, status, by }: InputOf<'tree'>): string {
  const looked = [
    ...(text === undefined ? [] : [`says “${oneLine(text)}”`]),
    ...(tag === undefined ? [] : [`has the tag “${oneLine(tag)}”`]),
    ...(status === undefined ? [] : [`is ${status === 'to-plan' ? 'to plan' : status}`]),
    ...(by === undefined ? [] : [`is held by ${oneLine(by)}`]),
  ];
  return `No goal ${looked.join(' and ')}.`;
}
