import { oneLine } from '../../../operations/front-end.js';
import type { ConfigReport } from '../../../operations/front-end.js';
import { PlanError } from '../../../kernel/errors.js';
import { runDroppably } from '../interruption.js';
import { planningFlags } from '../planning-options.js';
import type { CommandOutcome, Invocation, RunCommand } from '../command.js';
import { costText } from '../render/numbers.js';
import type { Colors } from '../terminal.js';

/** Shows and changes settings, tries the model, trusts a server or the prompts of a repository. */
export const run: RunCommand = async (invocation) => {
  const [action = 'show'] = invocation.args;
  switch (action) {
    case 'set':
    case 'unset':
      return change(invocation, action);
    case 'test':
      return test(invocation);
    case 'trust':
      return trust(invocation);
    case 'trust-prompts':
      return trustPrompts(invocation);
    default: {
      const report = await invocation.workspace.config.show();
      return { data: report, text: renderConfig(report, invocation.terminal.colors) };
    }
  }
};

async function change(
  { args, options, workspace }: Invocation,
  action: 'set' | 'unset',
): Promise<CommandOutcome> {
  const [, name, value] = args;
  if (name === undefined || (action === 'set') !== (value !== undefined)) {
    throw new PlanError(
      'USAGE',
      action === 'set' ? 'a name and a value are needed' : 'a name alone is needed',
      {
        hint: action === 'set' ? 'plan config set NAME VALUE' : 'plan config unset NAME',
      },
    );
  }
  const changed = await workspace.config.set({ name, value: value ?? null, user: options.user === true });
  return {
    data: changed,
    text: `${action === 'set' ? 'Set' : 'Removed'} ${changed.name} in ${changed.file}\n`,
  };
}

async function test({ options, workspace, terminal }: Invocation): Promise<CommandOutcome> {
  const flags = planningFlags({ model: options.model, baseUrl: options.baseUrl });
  const tested = await runDroppably((signal) => workspace.config.test({ ...flags, signal }));
  for (const note of tested.notes) terminal.error(`${terminal.errorColors.dim(oneLine(note))}\n`);
  return {
    data: tested,
    text: `${oneLine(tested.model)} at ${tested.base_url} answers as it should (${costText(tested.usage)}).\n`,
  };
}

async function trust({ args, workspace }: Invocation): Promise<CommandOutcome> {
  const [, url] = args;
  if (url === undefined) throw new PlanError('USAGE', 'a URL is needed', { hint: 'plan config trust URL' });
  const trusted = await workspace.config.trust(url);
  return {
    data: trusted,
    text: `What you plan, and your key, may be sent to ${trusted.base_url} from now on (kept in ${trusted.file}).\n`,
  };
}

async function trustPrompts({ args, workspace }: Invocation): Promise<CommandOutcome> {
  const trusted = await workspace.config.trustPrompts(args[1]);
  const files = trusted.files.map((name) => `  ${oneLine(name)}\n`).join('');
  return {
    data: trusted,
    text: `These prompts of .plans/prompts may be sent to a model as they are now (digest ${trusted.digest}, kept in ${trusted.file}):\n${files}`,
  };
}

function renderConfig({ settings, api_key, expander, files, prompts }: ConfigReport, colors: Colors): string {
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
      : 'Plans are made by the built-in rules; OPENAI_API_KEY or OPENAI_BASE_URL gives them a model.\n',
  ].join('');
}

function promptsLine({ files, trusted, digest }: NonNullable<ConfigReport['prompts']>): string {
  const names = files.map(oneLine).join(', ');
  const how = trusted ? 'trusted' : `not trusted; plan config trust-prompts ${digest.slice(0, 12)}`;
  return `${'prompts'.padEnd(18)} ${names} (${how})\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
