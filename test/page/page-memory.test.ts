import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser, openPage, useBrowser } from '../support/browser.js';
import { newUser } from '../support/command.js';
import { writeLargePlan } from '../support/large-plan.js';
import { servePage } from '../support/page-server.js';

useBrowser();

/** So many goals come while it is looked at. */
const GOALS = 15;

/** Kilobytes of the page's own that are in use, once what is garbage was collected. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024;
}

describe.skipIf(!hasBrowser)('what the page keeps', () => {
  // Each goal comes under another one, so that what is drawn with it is not drawn again.
  test('of a plan that it saw grow goal by goal is what it keeps of one that is there', async () => {
    const user = newUser();
    const { plan } = await writeLargePlan(user.folder, 800, 'words');
    const workspace = openWorkspace({
      environment: {
        ...defaultEnvironment(),
        workingFolder: user.folder,
        homeFolder: user.home,
        variables: { PATH: process.env.PATH },
      },
    });
    const { url } = await servePage(user, { assets: new Map(await pageAssets()) });
    // Each in a browser of its own, so that they share no memory.
    const watched = await openPage(url);
    await watched.getByRole('link', { name: 'Large' }).click();
    for (let count = 0; count < GOALS; count += 1) {
      await workspace.add(`More ${count}`, { plan, under: String(count + 1) });
      await watched.getByRole('treeitem', { name: `More ${count}` }).waitFor();
    }
    const fresh = await openPage(url);
    await fresh.getByRole('link', { name: 'Large' }).click();
    await fresh.getByRole('treeitem', { name: `More ${GOALS - 1}` }).waitFor();
    const [grown, expected] = [await heapOf(watched), await heapOf(fresh)];
    expect(grown).toBeLessThan(1.5 * expected);
  });
});
