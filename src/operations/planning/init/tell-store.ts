import { basename, dirname } from 'node:path';

import { realFolder } from '../../../host/files/folders.js';
import { isBelow } from '../../../host/files/is-below.js';
import type { Context } from '../../shared/context.js';
import { STORE_FOLDER } from '../../shared/open-files.js';
import type { Emit } from '../planning-progress.js';

/** Says which store a new plan is in, where that was found in a folder above and nobody has named it. */
export function tellStoreAbove(context: Context, emit: Emit): void {
  const { environment } = context;
  const store = context.storeFolder();
  if (store === null || basename(store) !== STORE_FOLDER || context.isStoreNamed()) return;
  const here = realFolder(environment.workingFolder);
  if (!isBelow(here, dirname(store))) return;
  emit({
    type: 'notice',
    message: `The plan is kept in ${store}, the store of a folder above. \`plan init … --dir ${STORE_FOLDER}\` makes one here.`,
  });
}
