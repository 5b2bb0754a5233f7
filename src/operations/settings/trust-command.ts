import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';
import { truncate } from '../../kernel/text/truncate.js';
import { COMMAND_NAMES, commandOf, isCommandModel } from '../../llm/command/presets.js';
import { defineOperation } from '../operation.js';
import { userConfigPath } from '../shared/environment.js';
import { field } from '../shared/fields.js';
import { changeUserConfig } from './config-changes.js';
import type { UserConfig } from './config.js';
import type { OwnSettings } from './own-settings.js';
import type { ResolvedSettings } from './settings.js';

/**
 * The argument vector of a model that is a command. One that a repository names is not started until the user has trusted it.
 * @param own what the user himself gave for the plan before
 * @throws PlanError INVALID_CONFIG for a command there is none of, UNTRUSTED_COMMAND naming the command that trusts it
 */
export function trustedCommand(
  model: string,
  { sources }: ResolvedSettings,
  user: UserConfig,
  own: OwnSettings,
): readonly string[] {
  const argv = knownCommand(model, user);
  const fromRepository = sources.model === 'project' || sources.model === 'plan';
  const isOwn = own.model === model || user.model === model || user.trusted_commands?.includes(model);
  if (!fromRepository || isOwn === true) return argv;
  throw new PlanError(
    'UNTRUSTED_COMMAND',
    `the model ${model} is a command that ${sources.model === 'plan' ? 'the plan’s settings' : '.plans/config.json'} asks for; nothing is started`,
    {
      hint: {
        commandLine: `To let repositories start \`${argv.map(shellWord).join(' ')}\`, run \`plan config trust-command ${shellWord(model)}\` once. Otherwise give --model.`,
      },
      details: { model, command: argv },
    },
  );
}

/** @throws PlanError INVALID_CONFIG */
function knownCommand(model: string, user: UserConfig): readonly string[] {
  const argv = commandOf(model, user.model_command);
  if (argv !== undefined) return argv;
  throw new PlanError('INVALID_CONFIG', `there is no command for the model ${truncate(model, 80)}`, {
    hint: {
      commandLine: `Commands are ${COMMAND_NAMES.map((name) => `exec:${name}`).join(', ')}; the last is model_command of your own config, such as ["my-agent", "--once"].`,
    },
    details: { model },
  });
}

/** Lets repositories have a command started as the model. @throws PlanError INVALID_INPUT, INVALID_CONFIG */
export const trustCommand = defineOperation({
  arguments: ['model'],
  input: z.strictObject({ model: field(z.string(), 'the command, such as exec:claude', { value: 'model' }) }),
  output: z.object({ model: z.string(), command: z.array(z.string()).readonly(), file: z.string() }),
  examples: ['plan config trust-command exec:claude'],
  mutates: true,
  async run(context, { model }) {
    if (!isCommandModel(model))
      throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(model, 80))} is not a command`, {
        hint: { commandLine: `Commands are ${COMMAND_NAMES.map((name) => `exec:${name}`).join(', ')}.` },
      });
    const command = knownCommand(model, await context.userConfig());
    await changeUserConfig(context.environment, (user) => withTrustedCommand(user, model));
    return { model, command, file: userConfigPath(context.environment) };
  },
});

function withTrustedCommand(user: UserConfig, model: string): UserConfig {
  const trusted = user.trusted_commands ?? [];
  return trusted.includes(model) ? user : { ...user, trusted_commands: [...trusted, model] };
}
