import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser, openPage, SCREENSHOTS, useBrowser, violations } from '../support/browser.js';
import { newUser } from '../support/command.js';
import { servePage } from '../support/page-server.js';

useBrowser();

/** A plan with a goal for each column of the board, and its page. */
async function newBoard({ write = true, width = 1440, touch = false } = {}) {
  const user = newUser();
  const workspace = openWorkspace({
    environment: {
      ...defaultEnvironment(),
      workingFolder: user.folder,
      homeFolder: user.home,
      variables: { PATH: process.env.PATH },
    },
  });
  const { plan } = await workspace.init({ goal: 'Move house', decompose: false }).result;
  await workspace.add('The flat', { under: 'root', composite: true });
  for (const text of ['Pack', 'Drive', 'Settle']) await workspace.add(text, { under: '1' });
  for (const text of ['Tell the bank', 'Sell the piano', 'Find a lorry'])
    await workspace.add(text, { under: 'root' });
  await workspace.depend({ goal: '1.2', on: ['1.1'] });
  await workspace.edit({ goal: '1.1', priority: 'high', tags: ['boxes'] });
  await workspace.claim('1.3', { by: 'ana' });
  await workspace.complete('2', { summary: 'Told' });
  await workspace.hold({ goal: '3', reason: 'until the spring' });
  await workspace.fail('4', { reason: 'All are lent' });
  const { url } = await servePage(user, { write, assets: new Map(await pageAssets()) });
  const page = await openPage(url, { width, touch });
  await page.getByRole('link', { name: 'Move house' }).click();
  await page.getByRole('link', { name: 'Board' }).click();
  await lane(page, 'Ready').getByText('Pack').waitFor({ state: 'attached' });
  const stateOf = async (goal: string) => (await workspace.show(goal, { plan: plan.id })).goal.state;
  return { workspace, folder: user.folder, plan: plan.id, page, stateOf };
}

const lane = (page: Page, title: string) => page.getByRole('region', { name: new RegExp(`^${title}: `) });
const card = (page: Page, words: string) => page.locator('.lane').getByRole('button', { name: words });
/** A finger on the screen, as Chromium takes one in. */
async function newFinger(page: Page) {
  const session = await page.context().newCDPSession(page);
  const middleOf = async (place: Locator) => {
    const { x = 0, y = 0, width = 0 } = (await place.boundingBox()) ?? {};
    return { x: Math.round(x + width / 2), y: Math.round(y + 15) };
  };
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    ...at: { x: number; y: number }[]
  ) => session.send('Input.dispatchTouchEvent', { type, touchPoints: at });
  return {
    /** How many times cards listen for the end of a touch. */
    listeners: async () => {
      const { result } = await session.send('Runtime.evaluate', {
        expression: 'document.querySelector(".board")',
      });
      const { listeners } = await session.send('DOMDebugger.getEventListeners', {
        objectId: result.objectId ?? '',
        depth: -1,
      });
      return listeners.filter(({ type }) => type === 'touchend' || type === 'touchcancel').length;
    },
    carry: async (
      from: Locator,
      to: Locator,
      { rest = 600, end = 'touchEnd' }: { rest?: number; end?: 'touchEnd' | 'touchCancel' } = {},
    ) => {
      const [start, target] = [await middleOf(from), await middleOf(to)];
      await touch('touchStart', start);
      await page.waitForTimeout(rest);
      for (const part of [0.1, 0.2, 0.4, 0.7, 1])
        await touch('touchMove', {
          x: start.x + (target.x - start.x) * part,
          y: start.y + (target.y - start.y) * part,
        });
      // A finger that rests at the end leaves nothing that scrolls on.
      await page.waitForTimeout(200);
      await touch(end);
    },
  };
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'The goal' });

describe.skipIf(!hasBrowser)('the board', () => {
  test('has a column for how far each goal is, with its part, its priority and who works', async () => {
    const { page, workspace, plan } = await newBoard();
    for (const [title, words] of [
      ['Waiting', 'after 1.1'],
      ['Ready', 'Pack'],
      ['Claimed', 'ana, ends'],
      ['Review', 'All are lent'],
      ['On hold', 'until the spring'],
    ] as const)
      await lane(page, title).getByText(words).waitFor();
    expect(await card(page, 'Pack').innerText()).toMatch(/The flat[^]*1\.1[^]*high[^]*#boxes/);
    // The most urgent is the first, wherever it stands in the tree.
    await workspace.add('Burn the letters', { under: 'root', priority: 'critical', plan });
    await card(page, 'Burn the letters').waitFor();
    expect(await lane(page, 'Ready').locator('.card .words').allInnerTexts()).toEqual([
      'Burn the letters',
      'Pack',
    ]);
    // What is done is folded to its number.
    expect(await lane(page, 'Done').innerText()).toMatch(/Done 1$/);
    await page.getByRole('button', { name: 'Done 1' }).click();
    await lane(page, 'Done').getByText('Tell the bank').waitFor();
    const tops = await page
      .locator('.lane')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, 'board-wide.png') });
  });

  test('finds goals by words, tag, priority and who', async () => {
    const { page } = await newBoard();
    const shown = () => page.locator('.lane .card .words').allInnerTexts();
    await page.getByLabel('Show by tag').selectOption('boxes');
    expect(await shown()).toEqual(['Pack']);
    await page.getByLabel('Show by tag').selectOption('any tag');
    await page.getByLabel('Show by who').selectOption('ana');
    expect(await shown()).toEqual(['Settle']);
    await page.getByLabel('Show by who').selectOption('anybody');
    await page.getByLabel('Show by priority').selectOption('high');
    expect(await shown()).toEqual(['Pack']);
    await page.getByLabel('Show by priority').selectOption('any priority');
    await page.getByLabel('Search goals').fill('lorry');
    expect(await shown()).toEqual(['Find a lorry']);
  });

  test('is a column at a time in a narrow window', async () => {
    const { page } = await newBoard({ width: 390 });
    const shown = () =>
      page.locator('.lane:visible').evaluateAll((all) => all.map((one) => one.getAttribute('data-lane')));
    expect(await shown()).toEqual(['ready']);
    await page.getByRole('button', { name: /^Done/ }).first().click();
    expect(await shown()).toEqual(['done']);
    await lane(page, 'Done').getByText('Tell the bank').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });

  test('moves a card that is dragged as the rules allow it, and says why where they do not', async () => {
    const { page, stateOf } = await newBoard();
    await card(page, 'Pack').dragTo(lane(page, 'Claimed'));
    await lane(page, 'Claimed').getByText('Pack').waitFor();
    expect(await stateOf('1.1')).toBe('claimed');
    await card(page, 'Pack').dragTo(lane(page, 'Ready'));
    await lane(page, 'Ready').getByText('Pack').waitFor();
    expect(await stateOf('1.1')).toBe('ready');
    await card(page, 'Sell the piano').dragTo(lane(page, 'Ready'));
    await lane(page, 'Ready').getByText('Sell the piano').waitFor();
    await card(page, 'Find a lorry').dragTo(lane(page, 'Ready'));
    await lane(page, 'Ready').getByText('Find a lorry').waitFor();
    await card(page, 'Drive').dragTo(lane(page, 'Claimed'));
    await page.getByText('1.2: It can be claimed when what it waits for is done.').waitFor();
    // Somebody else’s claim is not taken.
    await card(page, 'Settle').dragTo(lane(page, 'Ready'));
    await page
      .getByRole('status')
      .getByText(/^1\.3: .*ana/)
      .waitFor();
    expect(await stateOf('1.3')).toBe('claimed');
    // What needs words asks for them.
    await card(page, 'Find a lorry').dragTo(lane(page, 'On hold'));
    await panelOf(page).getByLabel('Why it waits').fill('no money');
    await panelOf(page).getByRole('button', { name: 'Put it on hold' }).click();
    await lane(page, 'On hold').getByText('no money').waitFor();
    await card(page, 'Pack').dragTo(lane(page, 'Done'));
    await panelOf(page).getByLabel('What was accomplished').fill('Forty boxes');
    await panelOf(page).getByRole('button', { name: 'Mark as done' }).click();
    await expect.poll(() => stateOf('1.1')).toBe('done');
    await lane(page, 'Ready').getByText('Drive').waitFor();
  });

  test('moves a card by a long press, on a screen of any width, and scrolls by a short one', async () => {
    const { page, stateOf } = await newBoard({ touch: true });
    const fingerOnWide = await newFinger(page);
    await fingerOnWide.carry(card(page, 'Pack'), lane(page, 'Claimed'));
    await lane(page, 'Claimed').getByText('Pack').waitFor();
    expect(await stateOf('1.1')).toBe('claimed');
    expect(await page.locator('.ghost, .lifted, .over').count()).toBe(0);
    // The card is not opened by its move.
    expect(await panelOf(page).count()).toBe(0);
    await fingerOnWide.carry(card(page, 'Drive'), lane(page, 'Claimed'));
    await page.getByText('1.2: It can be claimed when what it waits for is done.').waitFor();

    const narrow = await newBoard({ touch: true, width: 390 });
    for (let index = 0; index < 20; index += 1)
      await narrow.workspace.add(`Box ${index}`, { under: 'root', plan: narrow.plan });
    await card(narrow.page, 'Box 19').waitFor();
    const finger = await newFinger(narrow.page);
    await finger.carry(card(narrow.page, 'Pack'), card(narrow.page, 'Box 6'), { rest: 0 });
    expect(await narrow.page.evaluate('scrollY')).toBe(0);
    await finger.carry(card(narrow.page, 'Box 6'), card(narrow.page, 'Box 0'), { rest: 0 });
    await expect.poll(() => narrow.page.evaluate<number>('scrollY')).toBeGreaterThan(100);
    expect(await finger.listeners()).toBe(0);
    // The names of the columns stay in reach.
    await finger.carry(card(narrow.page, 'Box 6'), narrow.page.getByRole('button', { name: 'On hold 1' }));
    await panelOf(narrow.page).getByLabel('Why it waits').fill('no lorry');
    await panelOf(narrow.page).getByRole('button', { name: 'Put it on hold' }).click();
    await narrow.page.getByRole('button', { name: 'On hold 2' }).waitFor();
    // A tap opens a card, and a finger that is taken away by the system moves none.
    await panelOf(narrow.page).getByRole('button', { name: 'Close' }).click();
    await finger.carry(card(narrow.page, 'Box 5'), narrow.page.getByRole('button', { name: 'Done 1' }), {
      end: 'touchCancel',
    });
    expect(await narrow.page.locator('.ghost, .lifted, .over').count()).toBe(0);
    expect(await panelOf(narrow.page).count()).toBe(0);
    await card(narrow.page, 'Box 5').tap();
    await panelOf(narrow.page).getByRole('heading', { name: 'Box 5' }).waitFor();
    expect(await finger.listeners()).toBe(0);
  });

  test('is worked with the keyboard alone', async () => {
    const { page, stateOf } = await newBoard();
    const focused = () => page.evaluate("document.activeElement.querySelector('.words')?.textContent");
    await card(page, 'Drive').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Pack');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Settle');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowRight');
    await lane(page, 'Claimed').getByText('Pack').waitFor();
    await expect.poll(focused).toBe('Pack');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Settle');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowLeft');
    await lane(page, 'Ready').getByText('Pack').waitFor();
    expect(await stateOf('1.1')).toBe('ready');
    await expect.poll(focused).toBe('Pack');
    await page.keyboard.press('Enter');
    await panelOf(page).getByRole('heading', { name: 'Pack' }).waitFor();
  });

  test('moves nothing where the page only shows', async () => {
    const { page, stateOf } = await newBoard({ write: false });
    expect(await card(page, 'Pack').getAttribute('draggable')).toBe('false');
    await card(page, 'Pack').focus();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await stateOf('1.1')).toBe('ready');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)('the panel of a goal', () => {
  test('adds, fails, reopens, takes back and brings back, and says why something cannot be done', async () => {
    const { page, workspace, plan, stateOf } = await newBoard();
    const panel = panelOf(page);
    await card(page, 'Drive').click();
    await panel.getByText('It can be claimed when what it waits for is done.').waitFor();
    expect(await panel.getByRole('button', { name: 'Claim …' }).count()).toBe(0);
    await card(page, 'Pack').click();
    await panel.getByRole('button', { name: 'Fail …' }).click();
    await panel.getByRole('button', { name: 'Mark as failed' }).click();
    await panel.getByRole('alert').getByText('a reason is missing').waitFor();
    await panel.getByLabel('Why it could not be done').fill('no boxes');
    await panel.getByRole('button', { name: 'Mark as failed' }).click();
    await lane(page, 'Review').getByText('no boxes').waitFor();
    await panel.getByText('plan replan 1.1').waitFor();
    await panel.getByRole('button', { name: 'Reopen' }).click();
    await lane(page, 'Ready').getByText('Pack').waitFor();
    await panel.getByRole('button', { name: 'Add a part …' }).click();
    await panel.getByLabel('What to accomplish').fill('Buy tape');
    await panel.getByLabel('Done when (one per line)').fill('Six rolls\nlie in the hall');
    await panel.getByRole('button', { name: 'Add it' }).click();
    await lane(page, 'Ready').getByText('Buy tape').waitFor();
    const added = (await workspace.show('1.1', { plan })).children.find(
      ({ description }) => description === 'Buy tape',
    );
    expect(added).toMatchObject({ acceptance: ['Six rolls', 'lie in the hall'] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('Undid: ').waitFor();
    await card(page, 'Buy tape').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Redo' }).click();
    await card(page, 'Buy tape').waitFor();
    expect(await stateOf('1.1')).toBe('divided');
  });
});

test.skipIf(!hasBrowser)('a goal of a document shows its lines, as text', async () => {
  const { page, workspace, folder } = await newBoard();
  writeFileSync(
    join(folder, 'WISHES.md'),
    `# Wishes\n\n- Paint <b>it</b> [red](javascript:alert(1))\n- Rest\n- Sing\n${'\n  A chapter.\n'.repeat(50)}`,
  );
  await workspace.init({ from: 'WISHES.md' }).result;
  await page.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('link', { name: 'Wishes' }).click();
  await page.getByRole('treeitem', { name: 'Rest' }).click();
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'WISHES.md:4' }).click();
  await panel.locator('.source .meant').getByText('- Rest').waitFor();
  await panel.getByText('- Paint <b>it</b> [red](javascript:alert(1))').waitFor();
  expect(await panel.locator('.source a, .source b').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await panel.getByRole('button', { name: 'WISHES.md:4' }).click();
  expect(await panel.locator('.source').count()).toBe(0);
  // Of a long one it is said how much more there is.
  await page.getByRole('treeitem', { name: 'Sing' }).click();
  await panel.getByRole('button', { name: 'WISHES.md:5' }).click();
  await panel.getByText('43 more lines of it in the document').waitFor();
  await page.getByRole('treeitem', { name: 'Rest' }).click();
  // Where it cannot be shown, it is said why.
  rmSync(join(folder, 'WISHES.md'));
  await panel.getByRole('button', { name: 'WISHES.md:4' }).click();
  await panel.getByRole('alert').getByText('there is no file').waitFor();
});

test.skipIf(!hasBrowser)(
  'a form that is opened before the answer to another action comes stays open',
  async () => {
    const { page, workspace } = await newBoard();
    const panel = panelOf(page);
    const opened = new AbortController();
    const answered = new AbortController();
    await page.route(/reopen/, async (route) => {
      const reopened = await workspace.reopen('4');
      if (!opened.signal.aborted) await once(opened.signal, 'abort');
      await route.fulfill({ json: reopened });
      answered.abort();
    });
    await card(page, 'Find a lorry').click();
    await panel.getByRole('button', { name: 'Reopen' }).click();
    await lane(page, 'Ready').getByText('Find a lorry').waitFor();
    await panel.getByRole('button', { name: 'Add a part …' }).click();
    await panel.getByLabel('What to accomplish').fill('Ask Ben');
    opened.abort();
    if (!answered.signal.aborted) await once(answered.signal, 'abort');
    // What comes after the answer was taken in.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(await panel.getByLabel('What to accomplish').inputValue()).toBe('Ask Ben');
  },
);

describe.skipIf(!hasBrowser)('decisions and findings', () => {
  test('have a view each, in which a choice is changed and a goal is found', async () => {
    const { page, workspace, plan } = await newBoard();
    await workspace.decide({ goal: 'root', what: 'lorry <b>', choice: 'rent one' });
    await workspace.decide({ goal: '1', what: 'boxes', open: true });
    await workspace.edit({ goal: '1.1', acceptance: ['It works'] });
    await page.getByRole('link', { name: 'Decisions' }).click();
    const ofLorry = page.getByRole('listitem').filter({ hasText: 'lorry <b>' });
    await ofLorry.getByText('for the whole plan').waitFor();
    await page.getByText('nobody has decided it').waitFor();
    await ofLorry.getByRole('button', { name: 'Change …' }).click();
    await ofLorry.getByLabel('The choice').fill('borrow one');
    await ofLorry.getByRole('button', { name: 'Decide it' }).click();
    await ofLorry.getByText('borrow one').waitFor();
    expect((await workspace.show('root', { plan })).decisions).toMatchObject([{ choice: 'borrow one' }]);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Findings' }).click();
    await page.getByText('CIRCULAR_CHECK').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: /the check of 1\.1 “Pack”/ }).click();
    await panelOf(page).getByRole('heading', { name: 'Pack' }).waitFor();
  });
});
