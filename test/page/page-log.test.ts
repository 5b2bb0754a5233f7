import { expect, test } from 'vitest';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { hasBrowser, openPage, useBrowser } from '../support/browser.js';
import { servePage } from '../support/page-server.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

useBrowser();

test.skipIf(!hasBrowser)(
  'older entries of the log that cannot be had are told, and can be asked for again',
  async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    const edit = (number: number) => ({
      type: 'goal_edited' as const,
      goal: id('a'),
      fields: { description: `Pack, for the ${number}th time` },
    });
    await place.change(...Array.from({ length: 1010 }, (_, number) => edit(number)));
    const { url } = await servePage(place, { assets: new Map(await pageAssets()) });
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Ship the product' }).click();
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const older = page.getByRole('button', { name: 'Show older entries' });
    await page.route('**/log?before=*', (route) => route.abort());
    await older.click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/log?before=*');
    await older.click();
    await page.locator('.log li').nth(399).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);
