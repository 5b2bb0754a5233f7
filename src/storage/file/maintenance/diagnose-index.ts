import { isSameJson } from '../../../kernel/json/same-json.js';
import { summarize } from '../../../plan/plan.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { MOST_INDEX_BYTES } from '../index/index-file.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { readPlainFile } from '../../../host/files/plain-file.js';
import { errorCode } from '../../../host/files/storage-error.js';
import { indexPath } from '../store-paths.js';
import type { PlanStore } from '../../plan-store.js';
import type { Diagnosis } from '../../maintenance.js';

/** What is wrong with the listing cache: that it cannot be read, or says something else than the plans themselves. */
export async function indexDiagnoses(folder: string, store: PlanStore): Promise<readonly Diagnosis[]> {
  const file = indexPath(folder);
  if (await isIndexDamaged(folder)) {
    return [
      {
        code: 'INDEX_DAMAGED',
        severity: 'warning',
        file,
        message: 'the listing cache is not JSON',
        cure: 'The next `plan list` rebuilds it.',
        mend: async () => {
          await store.list();
          return 'rebuilt it';
        },
      },
    ];
  }
  const wrong = await wronglyListed(store);
  if (wrong.length === 0) return [];
  return [
    {
      code: 'INDEX_DIFFERS',
      severity: 'error',
      file,
      message: `the listing cache says something else than ${wrong.slice(0, 5).join(', ')}${wrong.length > 5 ? ` and ${wrong.length - 5} more plans` : ''}; this program does not write such a one`,
      cure: '`plan doctor --fix` rebuilds it from the plans.',
      mend: async () => {
        await deleteFile(file);
        await store.list();
        return 'rebuilt it';
      },
    },
  ];
}

/** Ids of plans that are listed otherwise than they are. What cannot be read is named elsewhere. */
async function wronglyListed(store: PlanStore): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const which of ['active', 'archived'] as const) {
    for (const said of (await store.list(which)).plans) {
      const log = await store.open(said.id).catch(() => null);
      if (log === null) continue;
      const isRight = log.archived === (which === 'archived') && isSameJson(said, summarize(log.plan));
      if (!isRight) wrong.push(said.id);
    }
  }
  return wrong;
}

async function isIndexDamaged(store: string): Promise<boolean> {
  try {
    // What is no file is named as such.
    if ((await fileIdentity(indexPath(store)).catch(() => null)) === null) return false;
    JSON.parse(await readPlainFile(indexPath(store), MOST_INDEX_BYTES));
    return false;
  } catch (cause) {
    return errorCode(cause) !== 'ENOENT';
  }
}
