import { bringTogether, inspectTwoFolders } from '../two-folders.js';
import type { Diagnosis } from '../../maintenance.js';
import type { DiagnosisOptions } from './diagnosis-options.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/**
 * Names a plan that has files both in the store's folder and in `archive/`. What the log that counts lacks is
 * appended to it, as a merge would; where the two logs are histories of their own, the other is set aside.
 */
export async function diagnoseTwoFolders({
  store,
  folder,
  planFolder,
  id,
}: Omit<DiagnosisOptions, 'keep'>): Promise<Diagnosis> {
  const found = await inspectTwoFolders(folder, id, planFolder);
  const { paths, others, missing, isOneHistory } = found;
  const lacks = missing.length === 0 ? '' : `, which lacks ${missing.length} of the events of the other`;
  const cure = isOneHistory || missing.length === 0 ? 'brings the two together' : 'sets the other aside';
  return {
    code: 'IN_TWO_PLACES',
    severity: missing.length === 0 ? 'warning' : 'error',
    file: missing.length === 0 ? others.planFile : others.eventLog,
    message: `there are files of this plan in archive/ too; ${paths.eventLog} counts${lacks}`,
    cure: `\`plan doctor --fix\` ${cure}; the files as they were are kept in backup/.`,
    async mend() {
      await bringTogether(found);
      const isPublished = await (await store.open(id)).publish('now');
      if (!isPublished) return null;
      return isOneHistory && missing.length > 0
        ? `appended ${quantityOf(missing.length, 'event')} to the log that counts and removed the other files`
        : 'removed the other files';
    },
  };
}
