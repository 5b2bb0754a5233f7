import { PlanError } from '../../kernel/errors.js';
import type { Diagnosis, Maintenance } from '../../storage/maintenance.js';
import { isNoConfig } from '../settings/config.js';
import { userConfigPath } from '../shared/environment.js';
import type { Context } from '../shared/context.js';

/** What keeps the configs, the store's and the user's own, from being read: no command that plans runs then. */
export async function configDiagnoses(
  context: Context,
  maintenance: Maintenance,
): Promise<readonly Diagnosis[]> {
  const settings = (await context.documents())?.settings ?? null;
  const ofStore = await whatIsWrong(context.projectConfig);
  const ofUser = await whatIsWrong(context.userConfig);
  return [
    ...(settings === null || ofStore === null
      ? []
      : [
          {
            ...diagnosisOf(settings.location, ofStore, ''),
            ...(isNoConfig(ofStore) && {
              cure: '`plan doctor --fix` sets it aside.',
              async mend() {
                const copy = await maintenance.keepCopy(settings.location, 'config');
                await settings.change(() => '{}\n');
                return `set it aside (backup/config/${copy ?? ''}) and began an empty one`;
              },
            }),
          },
        ]),
    ...(ofUser === null ? [] : [diagnosisOf(userConfigPath(context.environment), ofUser, ' --user')]),
  ];
}

async function whatIsWrong(read: () => Promise<unknown>): Promise<PlanError | null> {
  try {
    await read();
    return null;
  } catch (thrown) {
    if (thrown instanceof PlanError) return thrown;
    throw thrown;
  }
}

function diagnosisOf(file: string, error: PlanError, option: string): Diagnosis {
  const byCommand = `\`plan config unset <name>${option}\` takes a setting out, \`plan config set\` gives it another value.`;
  const isMember = error.code === 'INVALID_CONFIG' && !isNoConfig(error);
  return {
    code: 'CONFIG_UNUSABLE',
    severity: 'error',
    file,
    message: error.message,
    cure: isMember ? byCommand : (error.hint ?? 'Repair it by hand, or remove it.'),
  };
}
