import { oneLine } from '../../../kernel/text/safe-text.js';
import { libraryOf } from '../../../operations/library.js';
import { runs } from '../registry.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import { askOnTerminal, canAsk, notTheWord } from '../../../cli/confirm.js';
import type { RendererOf } from '../../../cli/renderer.js';
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
    terminal.error(`Not trusted: ${notTheWord(answer)}.\n`);
    return input;
  },
  render(trust, { terminal }) {
    if (trust.trusted)
      return `Plans may use the tools of ${oneLine(trust.file)} as they are now (digest ${trust.digest}, kept in ${oneLine(trust.config)}).\n`;
    return `${whatItRuns(trust, terminal)}Not trusted. \`plan tools trust ${oneLine(trust.file)} --digest ${trust.digest.slice(0, 12)}\` trusts just this.\n`;
  },
};

function whatItRuns({ file, tools, servers, changes, was_trusted }: Trust, { colors }: Terminal): string {
  const rows = tools.flatMap(({ name, effects, runs, warning }) =>
    runs === null
      ? []
      : [
          `  ${oneLine(name)} (${effects}): ${oneLine(runs)}\n`,
          ...(warning === null ? [] : [`    ${colors.yellow(warning)}\n`]),
        ],
  );
  const started = servers.map(({ name, runs }) => `  server ${oneLine(name)}: ${oneLine(runs)}\n`);
  const told = (changes ?? []).map(({ sign, line, text }) => {
    const row = `${sign}${String(line).padStart(5)}  ${oneLine(text)}`;
    return `${sign === '-' ? colors.red(row) : sign === '+' ? colors.green(row) : colors.dim(row)}\n`;
  });
  const about = was_trusted
    ? `${oneLine(file)} has changed since you trusted it.`
    : `${oneLine(file)} lets plans run:`;
  return [
    `${about}\n`,
    ...(told.length === 0 ? [] : ['Changed:\n', ...told, 'It lets plans run:\n']),
    ...started,
    ...rows,
  ].join('');
}

/** Says whose signatures count from now on. */
export const configTrustApprovers: RendererOf<OperationNamed<'config trust-approvers'>> = {
  render: ({ signers, digest, min, file }) =>
    `Those whom ${oneLine(signers)} names as it is now approve runs (${min} ${min === 1 ? 'signature' : 'signatures'}; digest ${digest}, kept in ${oneLine(file)}).\n`,
};
