import { join } from 'node:path';

import { makeFolder } from '../../host/files/make-folder.js';
import { deleteFile } from '../../host/files/move-file.js';
import { createFile, replaceFile } from '../../host/files/replace-file.js';
import { fileNames, readStoredTextIfAny } from '../../host/files/text-files.js';
import { parseOrNull } from '../../kernel/json/parse-or-null.js';
import { checkedGoalId, checkedPlanId } from '../document-ids.js';
import { spendingNoteSchema } from '../spending-notes.js';
import type { SpendingNote, SpendingNotes } from '../spending-notes.js';

/** A note has some numbers. */
const MOST_BYTES = 64 * 1024;

/** Notes of what calls may have used, as files in a folder of the store that git does not see. */
export function spendingNotesIn(store: string): SpendingNotes {
  const folder = join(store, 'calls');
  // The same form as the id of a goal has.
  const pathOf = (planId: string, id: string) =>
    join(folder, `${checkedGoalId(`${checkedPlanId(planId)}-${id}`)}.json`);
  const namesOf = async (planId: string) => {
    const own = `${checkedPlanId(planId)}-`;
    return (await fileNames(folder)).filter((name) => name.startsWith(own) && name.endsWith('.json'));
  };
  let isMade = false;
  return {
    async keep(planId, { id, by, usage }) {
      if (!isMade) {
        await makeFolder(folder);
        await createFile(join(folder, '.gitignore'), '*\n');
        isMade = true;
      }
      const text = `${JSON.stringify({ by, usage })}\n`;
      await replaceFile(pathOf(planId, id), text, { isDurable: false });
    },
    async drop(planId, id) {
      await deleteFile(pathOf(planId, id));
    },
    async of(planId) {
      const names = await namesOf(planId);
      const notes = await Promise.all(
        names.map(async (name): Promise<readonly SpendingNote[]> => {
          const text = await readStoredTextIfAny(join(folder, name), MOST_BYTES).catch(() => null);
          const note = spendingNoteSchema.safeParse(parseOrNull(text ?? ''));
          return note.success ? [{ id: name.slice(9, -'.json'.length), ...note.data }] : [];
        }),
      );
      return notes.flat();
    },
    async dropAll(planId) {
      for (const name of await namesOf(planId)) await deleteFile(join(folder, name));
    },
  };
}
