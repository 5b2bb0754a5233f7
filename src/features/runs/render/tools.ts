import { foldLine } from '../../../kernel/text/fold-lines.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import { askOnTerminal, canAsk, notTheWord } from '../../../cli/confirm.js';
import { leadingName } from '../../../cli/render/parts/leading-name.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Colors } from '../../../cli/terminal.js';

type Trust = ResultOf<'tools trust'>;

/** Shows what a tools file runs and what has changed in it, and asks whether it is trusted. */
export const toolsTrust: RendererOf<OperationNamed<'tools trust'>> = {
  async ask(input, { terminal, json, workspace }) {
    if (input.digest !== undefined || !canAsk(terminal, json)) return input;
    const shown = await workspace.tools.trust({ ...input });
    if (shown.trusted) return input;
    terminal.error(whatItRuns(shown, terminal.errorColors, terminal.stderr.columns));
    const answer = await askOnTerminal('Type yes to let plans run it as it is: ', terminal);
    if (answer === 'yes') return { ...input, digest: shown.digest };
    terminal.tell(`Not trusted: ${notTheWord(answer)}.`);
    return input;
  },
  render(trust, { terminal }) {
    if (trust.trusted)
      return `Plans may use the tools of ${legible(trust.file)} as they are now (digest ${trust.digest}, kept in ${legible(trust.config)}).\n`;
    return `${whatItRuns(trust, terminal.colors, terminal.columns)}Not trusted. \`plan tools trust ${shellWord(trust.file)} --digest ${trust.digest.slice(0, 12)}\` trusts just this.\n`;
  },
};

function whatItRuns(
  { file, tools, servers, changes, was_trusted }: Trust,
  colors: Colors,
  columns = Infinity,
): string {
  const rows = tools.flatMap(({ name, effects, runs, warning }): LinePart[][] =>
    runs === null
      ? []
      : [
          [`  - ${legible(name)} (${effects}): ${legible(runs)}`],
          ...(warning === null ? [] : [['    ', { text: warning, paint: colors.yellow }]]),
        ],
  );
  const started = servers.map(({ name, runs }) => [`  - server ${legible(name)}: ${legible(runs)}`]);
  const told = (changes ?? []).map(({ sign, line, text }) => {
    const row = `${sign}${String(line).padStart(5)}  ${legible(text)}`;
    return [{ text: row, paint: sign === '-' ? colors.red : sign === '+' ? colors.green : colors.dim }];
  });
  const about = was_trusted
    ? `${leadingName(file)} has changed since you trusted it.`
    : `${leadingName(file)} lets plans run:`;
  const lines: LinePart[][] = [
    [about],
    ...(told.length === 0 ? [] : [['Changed:'], ...told, ['It lets plans run:']]),
    ...started,
    ...rows,
  ];
  return lines.flatMap((line) => foldLine(line, columns).map((each) => `${each}\n`)).join('');
}
