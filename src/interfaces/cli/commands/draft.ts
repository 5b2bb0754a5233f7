import { oneLine } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { runDroppably } from '../interruption.js';
import { planningFlags, text } from '../planning-options.js';
import { renderDraft } from '../render/draft.js';

/** Drafts the action plan of a goal. Ctrl-C drops the call in flight. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const { text: preview, ...report } = await runDroppably((signal) =>
    workspace.draft(args[0], {
      ...planningFlags(options),
      plan: text(options.plan),
      request: text(options.request),
      tools: text(options.tools),
      policy: text(options.policy),
      force: options.force === true,
      signal,
      onNotice: (message) => terminal.error(`${terminal.errorColors.dim(oneLine(message))}\n`),
    }),
  );
  const isBad = report.findings.some(({ severity }) => severity === 'error');
  return {
    data: report,
    text: `${preview}${renderDraft(report, terminal.colors)}`,
    ...(isBad ? { status: 1 } : {}),
  };
};
