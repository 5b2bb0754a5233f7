import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf, View } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { goalLine } from '../parts/goal-lines.js';
import { countsText, runText, said } from './run-words.js';

/** Says what carrying out a run came to, and what is to be done where it is not over. */
export const carriedOut: RendererOf<OperationNamed<'run'>> = {
  async render(report, { terminal: { colors }, workspace }) {
    const { run, status, counts, failed, reason, waiting, warnings, completed_goal } = report;
    const why = failed === null ? '' : ` at ${oneLine(failed)}`;
    const because = reason === null ? '' : `: ${said(reason)}`;
    const lines = [
      `${run} ${runText(status, colors)}${why}${because} (${countsText(counts)})`,
      ...warnings.map((text) => colors.yellow(`  ${said(text)}`)),
      ...waiting.flatMap(({ summary, commands, code }) => [
        said(summary),
        ...(code === undefined ? [] : [`  Code: ${code}`]),
        ...commands.map((command) => `  ${oneLine(command)}`),
      ]),
      ...(waiting.length > 0 || status === 'interrupted' ? [`Then go on:  plan run ${run}`] : []),
      ...(status === 'failed' ? [`What happened:  plan runs show ${run}`] : []),
      ...(completed_goal === null ? [] : [await completion(completed_goal, workspace, colors)]),
    ];
    return `${lines.join('\n')}\n`;
  },
};

/** Says which goal the run has completed, by its number and words. */
async function completion(id: string, workspace: View['workspace'], colors: Colors): Promise<string> {
  const { goal } = await workspace.show(id);
  return `${colors.green('Completed')} ${goalLine(goal)}`;
}
