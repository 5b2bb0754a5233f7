import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { agree, carryOut, newPlace, prepare } from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { hasBrowser, openPage, SCREENSHOTS, useBrowser, violations } from '../support/browser.js';
import { newUser } from '../support/command.js';
import { servePage } from '../support/page-server.js';

useBrowser();

const node = process.execPath;
const append = "require('fs').appendFileSync('tries', 'x')";
const TOOLS = JSON.stringify({
  tools: [
    { name: 'look', effects: 'none', run: { command: ['echo', 'looked'] } },
    {
      name: 'flaky',
      effects: 'idempotent',
      run: {
        command: [node, '-e', `${append}; process.exit(require('fs').statSync('tries').size < 3 ? 1 : 0)`],
      },
    },
    {
      name: 'slow',
      effects: 'once',
      run: { command: [node, '-e', "require('fs').writeFileSync('begun', ''); setTimeout(() => {}, 60000)"] },
    },
  ],
});

const LOOK = { id: 'look', title: 'Look around', tool: 'look', args: {} };

/** Prepares a plan of these steps and agrees to it. */
async function approved(
  { folder, workspace }: Place,
  title: string,
  steps: readonly object[],
): Promise<string> {
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ schema_version: '1.0', title, steps }));
  const { run, code } = await prepare(workspace);
  if (code !== '') await agree(workspace, code);
  return run;
}

/** A run that waits for an approval after a step with two retries, one whose outcome nobody knows, and one that is done. */
async function newRuns() {
  const place = await newPlace({ schema_version: '1.0', title: 'Look', steps: [LOOK] }, TOOLS);
  const retried = await approved(place, 'Retry', [
    { id: 'try', tool: 'flaky', args: {}, retry: { max_attempts: 3, initial_delay_ms: 1 } },
    { ...LOOK, id: 'ask', requires_approval: true, depends_on: ['try'] },
  ]);
  expect(await carryOut(place.workspace, retried)).toMatchObject({ status: 'waiting' });
  const unknown = await approved(place, 'Kill', [{ id: 'send', tool: 'slow', args: {} }]);
  // Whoever is killed cannot say what became of the call.
  const { process: child, ended } = newUser(place.folder).start(['run', unknown], {
    HOME: place.home,
    XDG_CONFIG_HOME: join(place.home, '.config'),
  });
  while (!existsSync(join(place.folder, 'begun'))) {
    if (child.exitCode !== null) throw new Error(JSON.stringify(await ended));
    await sleep(20);
  }
  child.kill('SIGKILL');
  await ended;
  expect(await carryOut(place.workspace, unknown)).toMatchObject({ status: 'waiting' });
  const done = await approved(place, 'Done', [LOOK]);
  expect(await carryOut(place.workspace, done)).toMatchObject({ status: 'succeeded' });
  return { place, retried, unknown, done };
}

describe.skipIf(!hasBrowser)('the runs on the page', () => {
  test('stand with what waits for a person on top, and their attempts in a grid, for everybody', async () => {
    const { place, retried, unknown, done } = await newRuns();
    const { url } = await servePage(place, { assets: new Map(await pageAssets()) });
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const page = await openPage(url, { theme, width });
      const look = async (name: string) => {
        const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        expect([name, Math.max(0, wide), await violations(page)]).toEqual([name, 0, []]);
        if (SCREENSHOTS === undefined) return;
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${theme}.png`), fullPage: true });
      };
      await page.getByRole('link', { name: 'Runs' }).click();
      await page.locator('.run').nth(2).waitFor();
      const cards = await page.locator('.run').allInnerTexts();
      expect(new Set(cards.slice(0, 2).map((text) => /run-\w{8}/.exec(text)?.[0]))).toEqual(
        new Set([retried, unknown]),
      );
      expect(cards[2]).toContain(done);
      expect(cards[0]).toMatch(/waits for a person/);
      expect(cards[2]).toMatch(/1 done/);
      // The plan is named as seen from the folder.
      expect(cards.join('\n')).not.toContain(place.folder);
      await look('runs');

      await page.locator('.run', { hasText: retried }).getByRole('link').click();
      const waiting = page.getByRole('region', { name: 'What waits for a person' });
      await waiting.getByText('asks for approval').waitFor();
      const row = page.getByRole('row', { name: 'try' });
      expect(await row.locator('td').allInnerTexts()).toEqual([
        expect.stringMatching(/^done/),
        expect.stringContaining('attempt 1: failed'),
        expect.stringContaining('attempt 2: failed'),
        expect.stringContaining('attempt 3: succeeded'),
      ]);
      // It is above the grid, so that nobody must look for it.
      const [above, below] = [await waiting.boundingBox(), await page.getByRole('table').boundingBox()];
      expect(above?.y).toBeLessThan(below?.y ?? 0);
      await look('retried');
      await page.emulateMedia({ media: 'print' });
      expect(await row.isVisible()).toBe(true);
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
      expect(await page.getByRole('link', { name: 'Plans', exact: true }).isVisible()).toBe(false);
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: join(SCREENSHOTS, `print-${theme}.png`), fullPage: true });
      await page.emulateMedia({ media: 'screen' });

      await page.getByRole('link', { name: 'Runs', exact: true }).click();
      await page.locator('.run', { hasText: unknown }).getByRole('link').click();
      await waiting.getByText('has an unknown outcome').waitFor();
      await waiting.getByText(`plan runs settle ${unknown} send --as done`).first().waitFor();
      await look('unknown');
    }
  });
});
