import { join } from 'node:path';

import { isFolder } from '../../../host/files/folders.js';
import { folderNames, readStoredTextIfAny } from '../../../host/files/text-files.js';
import { documentsBelow, documentsIn } from './documents-in.js';
import type { OtherToolPlan } from '../imports/other-tool-plan.js';

const MOST_BYTES = 4 * 1024 * 1024;

/** The features of Spec Kit in a folder: the project, its `specs/`, or one feature; null when there are none. */
export async function readSpecKit(path: string): Promise<OtherToolPlan | null> {
  const { specKitPlan } = await import('../imports/spec-kit-plan.js');
  for (const place of ['specs', '.specify/specs', '.']) {
    const folder = join(path, place);
    if (!isFolder(folder)) continue;
    const found = specKitPlan(await featuresIn(folder, await folderNames(folder)));
    if (found !== null) return found;
  }
  return specKitPlan(await featuresIn(path, ['.']));
}

async function featuresIn(folder: string, names: readonly string[]) {
  const features = await Promise.all(
    names.map(async (name) => {
      const text = (file: string) => readStoredTextIfAny(join(folder, name, file), MOST_BYTES);
      const tasks = await text('tasks.md');
      if (tasks === null) return [];
      const others = await otherDocuments(folder, name, ['tasks.md', 'spec.md', 'plan.md']);
      return [{ name, tasks, spec: await text('spec.md'), plan: await text('plan.md'), others }];
    }),
  );
  return features.flat();
}

/** The changes of OpenSpec that are not archived, of a project or of its `openspec/`; null when there are none. */
export async function readOpenSpec(path: string): Promise<OtherToolPlan | null> {
  const { openSpecPlan } = await import('../imports/open-spec-plan.js');
  for (const place of ['openspec/changes', 'changes']) {
    const folder = join(path, place);
    if (!isFolder(folder)) continue;
    const names = (await folderNames(folder)).filter((name) => name !== 'archive');
    const found = openSpecPlan(await Promise.all(names.map((name) => changeIn(folder, name))));
    if (found !== null) return found;
  }
  return null;
}

async function changeIn(folder: string, name: string) {
  const text = (file: string) => readStoredTextIfAny(join(folder, name, file), MOST_BYTES);
  const specs = join(folder, name, 'specs');
  const capabilities = isFolder(specs) ? await folderNames(specs) : [];
  const read = await Promise.all(
    capabilities.map(async (capability) => ({
      capability,
      text: (await text(join('specs', capability, 'spec.md'))) ?? '',
    })),
  );
  const [proposal, design, tasks] = [
    await text('proposal.md'),
    await text('design.md'),
    await text('tasks.md'),
  ];
  const others = await otherDocuments(folder, name, ['proposal.md', 'design.md', 'tasks.md']);
  return { name, proposal, design, tasks, specs: read, others };
}

/** The documents of a folder of a feature or change, and of all below it, but for those that are read. */
async function otherDocuments(folder: string, name: string, read: readonly string[]) {
  const place = join(folder, name);
  // The folder that a user named may hold more than a feature.
  const names = name === '.' ? ['checklists', 'contracts'] : await folderNames(place);
  const isRead = new Set(read);
  const below = await documentsBelow(place, names);
  return [
    ...(await documentsIn(place, (file) => file.endsWith('.md') && !isRead.has(file))),
    ...below.filter((file) => !/^specs\/[^/]+\/spec\.md$/.test(file.name)),
  ];
}
