import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { costText } from '../parts/numbers.js';

type ConfigReport = ResultOf<'config show'>;

/** Shows every setting that has a value, and where it comes from. */
export const configShow: RendererOf<OperationNamed<'config show'>> = {
  render({ settings, api_key, expander, files, prompts }, { terminal: { colors } }) {
    const rows = settings
      .filter(({ value }) => value !== null)
      .map(
        ({ name, value, source }) =>
          `${name.padEnd(18)} ${oneLine(shown(value)).padEnd(28)} ${colors.dim(source ?? '')}\n`,
      );
    const others = settings.filter(({ value }) => value === null).map(({ name }) => name);
    return [
      ...rows,
      `${'api key'.padEnd(18)} ${(api_key.set ? 'set' : 'not set').padEnd(28)} ${colors.dim('environment')}\n`,
      prompts === null ? '' : promptsLine(prompts),
      colors.dim(`\nNot set: ${others.join(', ')}\n`),
      colors.dim(`Files:   ${files.project ?? 'no .plans/ yet'}, ${files.user}\n`),
      expander === 'model'
        ? 'Plans are made by a model.\n'
        : expander === 'agent'
          ? 'Plans are made by whoever answers `plan ask`.\n'
          : 'Plans are made by the built-in rules; OPENAI_API_KEY or OPENAI_BASE_URL gives them a model.\n',
    ].join('');
  },
};

/** Says which file has the setting now. */
export const configSet: RendererOf<OperationNamed<'config set'>> = {
  render: ({ name, file }) => `Set ${name} in ${file}\n`,
};

/** Says which file has the setting no longer. */
export const configUnset: RendererOf<OperationNamed<'config unset'>> = {
  render: ({ name, file, changed }) =>
    changed ? `Removed ${name} in ${file}\n` : `${name} was not set in ${file}\n`,
};

/** Says which model answers, and on standard error what happened on the way. */
export const configTest: RendererOf<OperationNamed<'config test'>> = {
  remark({ notes }, { terminal }) {
    for (const note of notes) terminal.error(`${terminal.errorColors.dim(oneLine(note))}\n`);
  },
  render: ({ model, base_url, usage }) =>
    `${oneLine(model)} at ${base_url} answers as it should (${costText(usage)}).\n`,
};

/** Says what may be sent from now on. */
export const configTrust: RendererOf<OperationNamed<'config trust'>> = {
  render: ({ base_url, file }) =>
    `What you plan, and your key, may be sent to ${base_url} from now on (kept in ${file}).\n`,
};

/** Says which prompts may be sent from now on. */
export const configTrustPrompts: RendererOf<OperationNamed<'config trust-prompts'>> = {
  render({ digest, file, files }) {
    const names = files.map((name) => `  ${oneLine(name)}\n`).join('');
    return `These prompts of .plans/prompts may be sent to a model as they are now (digest ${digest}, kept in ${file}):\n${names}`;
  },
};

/** Says what may be started from now on. */
export const configTrustCommand: RendererOf<OperationNamed<'config trust-command'>> = {
  render: ({ model, command, file }) =>
    `Repositories may have ${oneLine(model)} started as the model from now on: ${oneLine(command.join(' '))} (kept in ${file}).\n`,
};

function promptsLine({ files, trusted, digest }: NonNullable<ConfigReport['prompts']>): string {
  const names = files.map(oneLine).join(', ');
  const how = trusted ? 'trusted' : `not trusted; plan config trust-prompts ${digest.slice(0, 12)}`;
  return `${'prompts'.padEnd(18)} ${names} (${how})\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
