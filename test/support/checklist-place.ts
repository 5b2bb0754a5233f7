import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from './folders.js';

/** A plan with a few goals, and the checklist beside its store. */
export async function newChecklistPlace(goals: readonly string[] = []) {
  const folder = temporaryFolder();
  const homeFolder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder, variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.init({ goal: 'Open a bakery', expander: 'agent' }).result;
  const sub_goals = (goals.length === 0 ? ['Find a place', 'Bake', 'Sell'] : goals).map((description) => ({
    description,
    atomic: true,
  }));
  await workspace.answer({ answers: [{ goal: 'root', atomic: false, sub_goals }] });
  // The plan that is meant, so that a list of one's own goes into it.
  await workspace.use((await workspace.status()).plan.id);
  const path = join(folder, 'TODO.md');
  return {
    folder,
    homeFolder,
    workspace,
    path,
    read: () => readFileSync(path, 'utf8'),
    write: (text: string) => writeFileSync(path, text),
    sync: () => workspace.sync('TODO.md'),
    goals: async () => (await workspace.status({ verbose: true })).goals ?? [],
  };
}

/** What {@link newChecklistPlace} makes. */
export type ChecklistPlace = Awaited<ReturnType<typeof newChecklistPlace>>;

/** A checklist as it is seen. */
export const withoutMarks = (text: string) => text.replaceAll(/ ?<!-- (?:goal|plan):\S+ -->/g, '');

/** Numbers, words and ticks of a plan. */
export const outline = async ({ goals }: ChecklistPlace) =>
  (await goals())
    .filter(({ number }) => number !== '')
    .map(({ number, description, status }) => `${number} ${description}${status === 'complete' ? ' ✓' : ''}`);
