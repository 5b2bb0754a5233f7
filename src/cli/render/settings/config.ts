import { foldLines } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { costText } from '../parts/numbers.js';

type ConfigReport = ResultOf<'config show'>;

/** Shows every setting that has a value, and where it comes from. */
export const configShow: RendererOf<OperationNamed<'config show'>> = {
  render({ settings, api_key, expander, files, prompts }, { terminal: { colors } }) {
    const rows = settings
      .filter(({ value }) => value !== null)
      .map(
        ({ name, value, source }) =>
          `${name.padEnd(18)} ${legible(shown(value)).padEnd(28)} ${colors.dim(legible(source ?? ''))}\n`,
      );
    const others = settings.filter(({ value }) => value === null).map(({ name }) => name);
    return [
      ...rows,
      `${'api key'.padEnd(18)} ${(api_key.set ? 'set' : 'not set').padEnd(28)} ${colors.dim('environment')}\n`,
      prompts === null ? '' : promptsLine(prompts),
      colors.dim(`\nNot set: ${others.join(', ')}\n`),
      colors.dim(
        `Files:   ${files.project === null ? 'no .plans/ yet' : legible(files.project)}, ${legible(files.user)}\n`,
      ),
      expander === 'model'
        ? 'Plans are made by a model.\n'
        : expander === 'agent'
          ? 'Agents make the plans: they answer `plan ask`.\n'
          : 'Plans are made by the built-in rules; OPENAI_API_KEY or OPENAI_BASE_URL gives them a model.\n',
    ].join('');
  },
};

/** Says which file has the setting now. */
export const configSet: RendererOf<OperationNamed<'config set'>> = {
  render: ({ name, file }) => `Set ${name} in ${legible(file)}\n`,
};

/** Says which file has the setting no longer. */
export const configUnset: RendererOf<OperationNamed<'config unset'>> = {
  render: ({ name, file, changed }) =>
    changed ? `Removed ${name} in ${legible(file)}\n` : `${name} was not set in ${legible(file)}\n`,
};

/** Says which model answers, and on standard error what happened on the way. */
export const configTest: RendererOf<OperationNamed<'config test'>> = {
  remark({ notes }, { terminal }) {
    for (const note of notes) terminal.tell(note, { isDim: true });
  },
  render: ({ model, base_url, usage }) =>
    `${legible(model)} at ${legible(base_url)} answers as it should (${costText(usage)}).\n`,
};

/** Says what may be sent from now on. */
export const configTrust: RendererOf<OperationNamed<'config trust'>> = {
  render: ({ base_url, file }, { terminal: { columns } }) =>
    linesOf(
      [
        `What you plan, and your key, may be sent to ${legible(base_url)} from now on (kept in ${legible(file)}).`,
      ],
      columns,
    ),
};

/** Says which prompts may be sent from now on. */
export const configTrustPrompts: RendererOf<OperationNamed<'config trust-prompts'>> = {
  render: ({ digest, file, files }, { terminal: { columns } }) =>
    linesOf(
      [
        `These prompts of .plans/prompts may be sent to a model as they are now (digest ${digest}, kept in ${legible(file)}):`,
        ...files.map((name) => `  - ${legible(name)}`),
      ],
      columns,
    ),
};

/** Says what may be started from now on. */
export const configTrustCommand: RendererOf<OperationNamed<'config trust-command'>> = {
  render: ({ model, command, file }, { terminal: { columns } }) =>
    linesOf(
      [
        `Repositories may have ${legible(model)} started as the model from now on: ${command.map(shellWord).join(' ')} (kept in ${legible(file)}).`,
      ],
      columns,
    ),
};

function promptsLine({ files, trusted, digest }: NonNullable<ConfigReport['prompts']>): string {
  const names = files.map(legible).join(', ');
  const how = trusted ? 'trusted' : `not trusted; plan config trust-prompts ${digest.slice(0, 12)}`;
  return `${'prompts'.padEnd(18)} ${names} (${how})\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function linesOf(lines: readonly string[], columns = Infinity): string {
  return foldLines(lines, columns)
    .map((line) => `${line}\n`)
    .join('');
}
