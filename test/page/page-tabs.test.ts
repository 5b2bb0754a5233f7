import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser, openTabs, useBrowser } from '../support/browser.js';
import { newUser } from '../support/command.js';
import { servePage } from '../support/page-server.js';

useBrowser();

/** A browser allows a server six connections for all its tabs. */
const TABS = 7;

/** A server of plans of two goals each. */
async function newPlace(goals: readonly string[]) {
  const user = newUser();
  const workspace = openWorkspace({
    environment: {
      ...defaultEnvironment(),
      workingFolder: user.folder,
      homeFolder: user.home,
      variables: { PATH: process.env.PATH },
    },
  });
  const newPlan = async (goal: string) => {
    const { plan } = await workspace.init({ goal, decompose: false }).result;
    for (const text of ['Pack', 'Drive']) await workspace.add(text, { plan: plan.id, under: 'root' });
    return plan.id;
  };
  const plans: string[] = [];
  for (const goal of goals) plans.push(await newPlan(goal));
  const server = await servePage(user, { assets: new Map(await pageAssets()) });
  return { user, workspace, newPlan, plans, server, url: server.url };
}

const row = (page: Page, words: string) => page.getByRole('treeitem', { name: words });

describe.skipIf(!hasBrowser)('more tabs than connections', () => {
  test('of one plan are all live, answer, and go on when the first is closed and the second hidden', async () => {
    const { user, plans, url } = await newPlace(['Move house']);
    const tabs = await openTabs(Array.from({ length: TABS }, () => url));
    for (const tab of tabs) {
      await tab.evaluate(`location.hash = '#/plans/${plans[0] ?? ''}/tree'`);
      await row(tab, 'Pack').waitFor();
    }
    await user.run(['claim', '1', '--by', 'ana']);
    for (const tab of tabs) await row(tab, 'claimed by ana').waitFor();
    const [first, second, ...others] = tabs;
    await first?.close();
    await second?.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
       document.dispatchEvent(new Event('visibilitychange'));`,
    );
    await user.run(['claim', '2', '--by', 'bob']);
    for (const tab of others) {
      await row(tab, 'claimed by bob').waitFor();
      await row(tab, 'Drive').click();
      // The tree says it as well.
      await tab.getByRole('complementary').getByText('Claimed by bob').waitFor();
    }
    expect(await second?.getByText('claimed by bob').count()).toBe(0);
  });

  test('of as many plans and of the list are all live, and whoever comes last too', async () => {
    const goals = Array.from({ length: TABS }, (_, index) => `House ${index}`);
    const { workspace, newPlan, plans, url } = await newPlace(goals);
    const [list, ...tabs] = await openTabs(Array.from({ length: TABS + 1 }, () => url));
    for (const [index, tab] of tabs.entries())
      await tab.evaluate(`location.hash = '#/plans/${plans[index] ?? ''}/tree'`);
    for (const tab of tabs) await tab.getByText('live', { exact: true }).waitFor();
    for (const [index, tab] of tabs.entries()) {
      await workspace.claim('1', { plan: plans[index], by: `ana ${index}` });
      await row(tab, `claimed by ana ${index}`).waitFor();
    }
    await newPlan('House of the last');
    await list?.getByRole('link', { name: 'House of the last' }).waitFor();
    // A plan that is not there is said to be none, and the others stay.
    await list?.evaluate(`location.hash = '#/plans/ffffffff/tree'`);
    await list?.getByText('there is no plan').waitFor();
    await workspace.claim('2', { plan: plans[3], by: 'bob' });
    await tabs[3]?.getByText('claimed by bob').waitFor();
    expect(await tabs[4]?.getByText('claimed by bob').count()).toBe(0);
  });

  test('are told that the server is gone, and that it is another one', async () => {
    const { user, server } = await newPlace(['Move house']);
    const tabs = await openTabs([server.url, server.url]);
    for (const tab of tabs) await tab.getByText('live', { exact: true }).waitFor();
    await server.close();
    for (const tab of tabs) await tab.getByText('trying again').waitFor();
    const next = await servePage(user, { port: server.port, assets: new Map(await pageAssets()) });
    for (const tab of tabs) await tab.getByText('access denied').waitFor();
    await tabs[0]?.goto(next.url);
    await tabs[0]?.getByText('live', { exact: true }).waitFor();
    expect(await tabs[1]?.getByText('access denied').count()).toBe(1);
  });
});
