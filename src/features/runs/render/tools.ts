import { foldLines } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { libraryOf } from '../../../operations/library.js';
import { runs } from '../registry.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import { askOnTerminal, canAsk, notTheWord } from '../../../cli/confirm.js';
import { leadingName } from '../../../cli/render/parts/leading-name.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { boundedLines } from '../../../cli/render/parts/bounded-lines.js';
import type { Terminal } from '../../../cli/terminal.js';

type Trust = ResultOf<'tools trust'>;

/** Shows what a tools file runs and what has changed in it, and asks whether it is trusted. */
export const toolsTrust: RendererOf<OperationNamed<'tools trust'>> = {
  async ask(input, { terminal, json, context }) {
    if (input.digest !== undefined || !canAsk(terminal, json)) return input;
    const shown = await libraryOf(context, runs.operations).tools.trust({ ...input });
    if (shown.trusted) return input;
    terminal.error(whatItRuns(shown, terminal));
    const answer = await askOnTerminal('Type yes to let plans run it as it is: ', terminal);
    if (answer === 'yes') return { ...input, digest: shown.digest };
    terminal.tell(`Not trusted: ${notTheWord(answer)}.`);
    return input;
  },
  verbatim: ({ trusted }) => !trusted,
  render(trust, { terminal }) {
    if (trust.trusted)
      return `Plans may use the tools of ${legible(trust.file)} as they are now (digest ${trust.digest}, kept in ${legible(trust.config)}).\n`;
    return `${whatItRuns(trust, terminal)}Not trusted. \`plan tools trust ${shellWord(trust.file)} --digest ${trust.digest.slice(0, 12)}\` trusts just this.\n`;
  },
};

/** A terminal that is narrower would break lines by itself, so that a part of one looks like a line. */
const WIDEST = 78;

function whatItRuns(trust: Trust, { colors, columns = 0 }: Terminal): string {
  const { file, parts, changes, was_trusted } = trust;
  const told = (changes ?? []).map(({ sign, line, text }) => {
    const row = `${sign}${String(line).padStart(5)}  ${legible(text)}`;
    return `${sign === '-' ? colors.red(row) : sign === '+' ? colors.green(row) : colors.dim(row)}\n`;
  });
  const about = was_trusted
    ? `${leadingName(file)} has changed since you trusted it.`
    : `${leadingName(file)} lets plans run:`;
  const width = columns > 0 ? Math.min(columns, WIDEST) : WIDEST;
  const command = `plan tools trust ${shellWord(file)} --json`;
  const { lines, hidden } = boundedLines(
    parts.flatMap(({ title, lines: own }) => [
      `${title}:`,
      ...foldLines(
        own.map((line) => `  ${line}`),
        width,
      ),
    ]),
    command,
  );
  return [
    `${about}\n`,
    ...(told.length === 0 ? [] : ['Changed:\n', ...told, 'It lets plans run:\n']),
    ...lines.map((line) => `${line}\n`),
    hidden === 0
      ? ''
      : `*** ${hidden} characters of this are not shown above. See all of it first: ${command}\n`,
  ].join('');
}
