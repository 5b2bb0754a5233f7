import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { sha256 } from '../../src/kernel/sha256.js';
import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { carryOut, newPlace as newRunPlace, prepare } from '../support/approving.js';
import { hasBrowser, openPage, SCREENSHOTS, useBrowser, violations } from '../support/browser.js';
import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { allAttacks } from '../support/hostile-text.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { servePage } from '../support/page-server.js';

useBrowser();

/** Somebody with a plan of three goals, one of which waits. */
async function newPlace() {
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
  for (const text of ['Pack', 'Drive', 'Settle']) await workspace.add(text, { under: 'root' });
  await workspace.depend({ goal: '2', on: ['1'] });
  return { user, workspace, plan: plan.id };
}

const serve = async (user: Pick<User, 'folder' | 'home'>, options: { write?: boolean; port?: number } = {}) =>
  servePage(user, { ...options, assets: new Map(await pageAssets()) });

const row = (page: Page, words: string) => page.getByRole('treeitem', { name: words });

const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Something to wait for until it is opened. */
function newGate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

/** Every text and number in a document; of texts, as they are told where they hold what reorders a line. */
function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.replaceAll('\u202E', '\\u202e')];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** The arguments of the steps of a plan. */
function argumentsOf(plan: unknown): readonly unknown[] {
  return z
    .object({ steps: z.array(z.object({ args: z.unknown() })) })
    .parse(plan)
    .steps.map(({ args }) => args);
}

describe.skipIf(!hasBrowser)('the page', () => {
  test('shows planning while a slow server answers, to its end', async () => {
    const gates = Array.from({ length: 4 }, newGate);
    const server = await startModelServer({
      tree: uniformTree(2, 4),
      until: async ({ number }) => gates[number - 1]?.passed,
    });
    onTestFinished(() => server.close());
    const { user } = await newPlace();
    const { url } = await serve(user);
    const page = await openPage(url);
    const init = user.start(['init', 'Build the thing', '--model', 'm', '--base-url', server.baseUrl], {
      OPENAI_API_KEY: 'k',
    });
    await page.getByRole('link', { name: 'Build the thing' }).click();
    await page.getByText(/Calls/).first().waitFor();
    // It grows before the eyes, and not only at the end: nothing more is answered before what was is shown.
    const shown = () => page.getByRole('treeitem').count();
    let before = 0;
    for (const { open } of gates) {
      await expect.poll(shown, { timeout: 60_000 }).toBeGreaterThan(before);
      before = await shown();
      open();
    }
    await expect.poll(shown, { timeout: 60_000 }).toBe(21);
    expect((await init.ended).status).toBe(0);
    await page.getByText('planned', { exact: true }).waitFor();
    await page
      .getByText(/of an estimated/)
      .first()
      .waitFor({ state: 'attached' });
  });

  test('shows what another process does, after a reload and after the server was started anew too', async () => {
    const { user, plan } = await newPlace();
    const first = await serve(user);
    const page = await openPage(first.url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await row(page, 'Pack').waitFor();
    expect(new URL(page.url()).hash).not.toContain('token');
    await user.start(['claim', '1', '--by', 'ana']).ended;
    await page.getByText('claimed by ana').waitFor();
    await page.reload();
    await page.getByText('claimed by ana').waitFor();
    await first.close();
    await page.getByText('trying again').waitFor();
    const second = await serve(user, { port: first.port });
    await page.getByText('access denied').waitFor();
    await page.goto(second.url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await user.run(['release', '1', '--by', 'ana']);
    await row(page, 'Pack').getByText('ready').waitFor();
    // A tree has the same marks on the page as on a terminal, and its numbers are never broken.
    const drawn = (await user.run(['tree', plan])).out;
    for (const words of ['Move house', 'Pack', 'Drive']) {
      const mark = (await row(page, words).locator('.sign').textContent()) ?? '';
      expect(drawn).toMatch(new RegExp(`${mark.trim()} (?:\\d )?${words}`));
    }
    const wrapping = `getComputedStyle(document.querySelector('.row .number')).whiteSpace`;
    expect(await page.evaluate(wrapping)).toBe('nowrap');
    await user.run(['archive', plan]);
    await page.getByText('archived', { exact: true }).waitFor();
    await user.run(['delete', plan, '--purge', '--yes']);
    await page.getByText('there is no plan').waitFor();
  });

  test('is worked with the keyboard alone, from the list to a goal and back', async () => {
    const { user } = await newPlace();
    const { url } = await serve(user);
    const page = await openPage(url);
    const link = page.getByRole('link', { name: 'Move house' });
    await link.waitFor();
    const isFocused = async (locator: typeof link) =>
      (await locator.and(page.locator(':focus')).count()) === 1;
    for (let presses = 0; !(await isFocused(link)) && presses < 20; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await row(page, 'Move house').waitFor();
    for (let presses = 0; !(await isFocused(row(page, 'Move house'))) && presses < 30; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    expect(await isFocused(row(page, 'Settle'))).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await isFocused(row(page, 'Drive'))).toBe(true);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'The goal' });
    await panel.getByRole('heading', { name: 'Drive' }).waitFor();
    await panel.getByRole('heading', { name: 'Waits for', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await isFocused(row(page, 'Drive'))).toBe(true);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await row(page, 'Move house').getAttribute('aria-expanded')).toBe('false');
    expect(await page.getByRole('treeitem').count()).toBe(1);
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('treeitem').count()).toBe(4);
  });

  test.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)('is read by everybody, in %s and %i pixels wide', async (theme, width) => {
    const { user, workspace, plan } = await newPlace();
    await workspace.claim('1', { by: 'ana' });
    await workspace.fail('3', { reason: 'The lift is broken' });
    const { url } = await serve(user, { write: true });
    const page = await openPage(url, { theme, width });
    await page.getByRole('link', { name: 'Move house' }).waitFor();
    const goal = (await workspace.show('2', { plan })).goal.id;
    const found: string[] = [];
    for (const hash of [
      '#/',
      `#/plans/${plan}/tree`,
      `#/plans/${plan}/tree/${goal}`,
      `#/plans/${plan}/board`,
      `#/plans/${plan}/graph`,
      `#/plans/${plan}/graph/${goal}`,
      `#/plans/${plan}/decisions`,
      `#/plans/${plan}/findings`,
      `#/plans/${plan}/log`,
      '#/runs',
    ]) {
      await goTo(page, hash);
      await page.getByText('live', { exact: true }).waitFor();
      if (hash.endsWith(goal)) await page.getByText('Id', { exact: true }).waitFor();
      const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      found.push(...(beyond > 0 ? [`${hash}: ${beyond} pixels too wide`] : []));
      found.push(...(await violations(page)).map((each) => `${hash}: ${each}`));
    }
    expect(found).toEqual([]);
  });

  test('is read by everybody while what it shows is on its way', async () => {
    const { user, plan } = await newPlace();
    const { url } = await serve(user);
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).waitFor();
    await page.route(/\/api\/(stream|server|runs\/)/, () => undefined);
    for (const hash of [`#/plans/${plan}/tree`, '#/runs/run-00000000']) {
      await goTo(page, hash);
      await page.reload();
      await page.getByText('Loading the plans').waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await page.unroute(/\/api\/(stream|server|runs\/)/);
    await page.route(/\/api\/(stream|runs\/)/, () => undefined);
    await page.reload();
    await page.getByRole('heading', { name: 'Run', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await goTo(page, `#/plans/${plan}/tree`);
    await page.getByText('connecting').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('says in words how much is done and when a claim ends, as wide as the window is', async () => {
    const { user, workspace, plan } = await newPlace();
    const { goal } = await workspace.claim('1', { by: 'ana' });
    const { url } = await serve(user);
    const page = await openPage(url);
    await page.getByText('0 of 3 done', { exact: true }).waitFor();
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, 'plans.png') });
    await goTo(page, `#/plans/${plan}/board`);
    await page.getByText('0 of 3 done', { exact: true }).waitFor();
    await page.getByText(/^ana, ends in \d+m$/).waitFor();
    const right = async (part: string) => {
      const box = await page.locator(part).first().boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    expect(await right('.plan-head .done')).toBeCloseTo(await right('.tabs'), 0);
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, 'board.png') });
    await goTo(page, `#/plans/${plan}/board/${goal.id}`);
    await page.getByText(/^Claimed by ana, ends in \d+m$/).waitFor();
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, 'plan.png') });
  });

  test('tells every time as it is where it is read', async () => {
    const { user, workspace, plan } = await newPlace();
    const { claimed } = await workspace.claim('1', { by: 'ana' });
    await workspace.claim('1', { by: 'bob' }).catch(() => null);
    const { url } = await serve(user);
    const page = await openPage(url, { width: 360, zone: 'Asia/Tokyo' });
    await page.getByRole('link', { name: 'Move house' }).waitFor();
    const goal = (await workspace.show('1', { plan })).goal.id;
    for (const view of ['tree', 'board', 'log']) {
      await goTo(page, `#/plans/${plan}/${view}/${goal}`);
      await page.getByText('Id', { exact: true }).waitFor();
      if (view === 'log') await page.locator('.log li').first().waitFor();
      const html = String(await page.evaluate('document.body.innerHTML'));
      expect(html.replaceAll(/datetime="[^"]*"/g, '')).not.toMatch(/\d\d:\d\d:\d\d(\.\d+)?Z|UTC/);
    }
    const until = new Date(claimed.expires_at).toLocaleTimeString('en-GB', {
      timeZone: 'Asia/Tokyo',
      hour: '2-digit',
      minute: '2-digit',
    });
    const log = await page.locator('.log').innerText();
    expect(log).toContain(until);
    // Of a time of the day the day says the zone.
    expect(log).toContain('GMT+9');
  });

  test('puts hostile texts on the screen as text', async () => {
    const { user, workspace, plan } = await newPlace();
    const attacks = allAttacks.filter((text) => text.trim() !== '');
    for (const text of attacks) await workspace.add(text, { under: 'root', by: 'eve<b>' }).catch(() => null);
    await workspace.add('<img src=x onerror="document.title=1">', {
      under: 'root',
      detail: '<script>document.title = 2</script>',
      acceptance: ['<svg onload="document.title=3">'],
    });
    const { goals = [] } = await workspace.status({ plan, verbose: true });
    const number = goals.at(-1)?.number ?? '';
    await workspace.edit({ goal: number, tags: ['<b>tag</b>'] });
    await workspace.decide({
      goal: 'root',
      what: '<b>what</b>',
      choice: '<img src=x onerror="document.title=4">',
    });
    const { goal } = await workspace.show(number, { plan });
    const { url } = await serve(user);
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await page.getByText('</script><script>alert(1)</script>').first().waitFor();
    for (const view of ['tree', 'board', 'graph', 'log'])
      await goTo(page, `#/plans/${plan}/${view}/${goal.id}`);
    await goTo(page, `#/plans/${plan}/findings`);
    await page.getByText('NO_CHECK').waitFor();
    await goTo(page, `#/plans/${plan}/decisions/${goal.id}`);
    await page.locator('.view').getByText('<img src=x onerror="document.title=4">').waitFor();
    await page.getByText('<svg onload="document.title=3">').waitFor();
    await page.getByText('<script>document.title = 2</script>').waitFor();
    const made = await page.evaluate(
      "document.querySelectorAll('#page img, #page script, #page svg, #page b, #page iframe').length",
    );
    expect(made).toBe(0);
    expect(await page.title()).toContain('Move house');
  });

  test('claims, completes and edits, and says what was refused', async () => {
    const { user, workspace, plan } = await newPlace();
    const { question } = (await workspace.ask({ plan, kind: 'link' })).questions[0] ?? {};
    const needs = ['1', '2', '3'].map((goal) => ({ goal, on: goal === '2' ? ['1'] : [] }));
    const link = { kind: 'link', question, needs, missing: [{ what: 'A lorry', used_by: ['2'] }] };
    expect(await workspace.answer({ plan, answers: [link] })).toMatchObject({ refused: [] });
    const { url } = await serve(user, { write: true });
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await row(page, 'Pack').click();
    const panel = page.getByRole('complementary', { name: 'The goal' });
    await panel.getByRole('button', { name: 'Claim …' }).click();
    await panel.getByLabel('For how long').fill('soon');
    await panel.getByRole('button', { name: 'Claim it' }).click();
    await panel.getByText('is not a duration').waitFor();
    await panel.getByLabel('For how long').fill('2h');
    await panel.getByLabel('Who works').fill('ana');
    await panel.getByRole('button', { name: 'Claim it' }).click();
    await panel.getByText('Claimed by ana').waitFor();
    await panel.getByRole('button', { name: 'Complete …' }).click();
    await panel.getByLabel('What was accomplished').fill('Forty boxes');
    await panel.getByRole('button', { name: 'Mark as done' }).click();
    await panel.getByText('Forty boxes').first().waitFor();
    await row(page, 'Drive').getByText('ready').waitFor();
    await row(page, 'Drive').click();
    await panel.getByRole('heading', { name: 'Drive' }).waitFor();
    await workspace.edit({ goal: '2', acceptance: ['It works'] });
    await panel.getByText('A lorry').waitFor();
    await panel.getByText('CIRCULAR_CHECK: the check of 2 “Drive”').waitFor();
    await panel.getByRole('button', { name: 'Edit …' }).click();
    await panel.getByLabel('What to accomplish').fill('Drive home');
    await panel.getByLabel('Tags (one per line)').fill('car\nroad');
    await panel.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Drive home').waitFor();
    const { goal } = await workspace.show('2', { plan });
    expect(goal).toMatchObject({ description: 'Drive home', tags: ['car', 'road'] });
  });

  test('puts on hold, ends that, and chooses a priority', async () => {
    const { user, workspace, plan } = await newPlace();
    const { url } = await serve(user, { write: true });
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await row(page, 'Pack').click();
    const panel = page.getByRole('complementary', { name: 'The goal' });
    const packing = async () => (await workspace.show('1', { plan })).goal;
    await panel.getByRole('button', { name: 'Hold …' }).click();
    await panel.getByRole('button', { name: 'Put it on hold' }).click();
    await panel.getByText('reason').first().waitFor();
    await panel.getByLabel('Why it waits').fill('no boxes');
    await panel.getByLabel('Until (date)').fill('2999-01-01');
    await panel.getByRole('button', { name: 'Put it on hold' }).click();
    await row(page, 'Pack').getByText('on hold').waitFor();
    expect(await packing()).toMatchObject({ on_hold: { reason: 'no boxes' } });
    await panel.getByRole('button', { name: 'End the hold' }).click();
    await row(page, 'Pack').getByText('ready').waitFor();
    expect(await packing()).not.toHaveProperty('on_hold');
    await panel.getByLabel('Priority').selectOption('high');
    await expect.poll(packing).toMatchObject({ priority: 1 });
    await expect.poll(async () => panel.getByLabel('Priority').inputValue()).toBe('1');
    await panel.getByLabel('Priority').selectOption('same as parent');
    await expect.poll(packing).not.toHaveProperty('priority');
  });

  test('shows all that a yes is for, of a run and of a step with arguments, and takes the yes', async () => {
    const place = await newRunPlace(
      {
        schema_version: '1.0',
        title: 'Write a note',
        steps: [
          { id: 'first', tool: 'note', args: { path: 'a.md', text: 'hello' } },
          {
            id: 'second',
            tool: 'note',
            args: { path: 'b.md', text: '<b>good\u202Ebye</b> '.repeat(300) },
            requires_approval: true,
          },
        ],
      },
      'tools:\n  - name: note\n    run: { file: write, root: notes }\n',
    );
    outputFileSync(join(place.folder, 'notes/a.md'), 'was here');
    const { run, code } = await prepare(place.workspace);
    const { url } = await serve(place, { write: true });
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'plan.json' }).click();
    const agreeTo = async (given: string) => {
      await page.getByLabel('The code that').fill(given);
      await page.getByRole('button', { name: 'Show what would run' }).click();
      const region = page.getByRole('region', { name: 'What would run' });
      await region.waitFor();
      const {
        shown: _digest,
        expires_at: _time,
        plan,
        text,
        ...report
      } = await place.workspace.approve({
        code: given,
        dryRun: true,
      });
      const words = flat(await region.innerText());
      const missing = leaves({ ...report, parts: null, text: text.trim() }).filter(
        (leaf) => !words.includes(flat(leaf)),
      );
      expect(missing).toEqual([]);
      // Arguments stand on as many lines as they need.
      const letters = words.replaceAll(/[\s│]/g, '');
      const unshown = leaves(argumentsOf(plan)).filter(
        (leaf) => !letters.includes(leaf.replaceAll(/\s/g, '')),
      );
      expect(unshown).toEqual([]);
      expect(words).toContain('Open until');
      expect(await violations(page)).toEqual([]);
      if (SCREENSHOTS !== undefined)
        await page.screenshot({ path: join(SCREENSHOTS, `approve-${report.scope}.png`), fullPage: true });
      await page.getByRole('button', { name: 'Approve exactly this' }).click();
      await page.getByText('Approved.').waitFor();
      return words;
    };
    const ofRun = await agreeTo(code);
    expect(ofRun).toContain(sha256('was here'));
    const waiting = await carryOut(place.workspace, run);
    expect(waiting.status).toBe('waiting');
    const second = /"code":"([0-9A-Z]{8})"/.exec(JSON.stringify(waiting))?.[1] ?? '';
    expect(await agreeTo(second)).toContain('b.md');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('keeps the token of a claim that could not be given back', async () => {
    const { user } = await newPlace();
    const { url } = await serve(user, { write: true });
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await row(page, 'Pack').click();
    const panel = page.getByRole('complementary', { name: 'The goal' });
    await panel.getByRole('button', { name: 'Claim …' }).click();
    await panel.getByRole('button', { name: 'Claim it' }).click();
    await panel.getByText('Claimed by').waitFor();
    const tokens = () =>
      page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('frctl-claim-')).length");
    await page.route('**/api/operations/release', (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: 'STORAGE_FAILED', message: 'the disk is full' } },
      }),
    );
    await panel.getByRole('button', { name: 'Release' }).click();
    await panel.getByText('the disk is full').waitFor();
    expect(await tokens()).toBe(1);
    await page.unroute('**/api/operations/release');
    await panel.getByRole('button', { name: 'Release' }).click();
    await row(page, 'Pack').getByText('ready').waitFor();
    await expect.poll(tokens).toBe(0);
  });

  test('closes its stream while nobody sees it, and has everything when it is seen again', async () => {
    const { user } = await newPlace();
    const { url } = await serve(user);
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${String(hidden)} });
        document.dispatchEvent(new Event('visibilitychange'));`,
      );
    await hide(true);
    await page.getByText('asleep').waitFor();
    await user.run(['claim', '1', '--by', 'ana']);
    expect(await page.getByText('claimed by ana').count()).toBe(0);
    await hide(false);
    await page.getByText('claimed by ana').waitFor();
  });

  test('folds a plan of 3,000 goals, finds one of them, and draws them all', async () => {
    const { user, workspace } = await newPlace();
    const lines = Array.from({ length: 13 }, (_, a) =>
      [
        `- Part ${a}`,
        ...Array.from({ length: 16 }, (_unused, b) =>
          [
            `  - Part ${a}.${b}`,
            ...Array.from({ length: 15 }, (_none, c) => `    - Step ${a}.${b}.${c}`),
          ].join('\n'),
        ),
      ].join('\n'),
    );
    const { plan } = await workspace.init({
      text: `# Large\n\n${lines.join('\n')}\n`,
      from: 'large.md',
      settings: { max_goals: 10_000, max_children: 20 },
    }).result;
    expect(plan.total_goals).toBeGreaterThan(3000);
    const { url } = await serve(user);
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Large' }).click();
    await page.getByRole('treeitem').nth(5).waitFor();
    expect(await page.getByRole('treeitem').count()).toBeLessThan(1000);
    await page.getByLabel('Search goals').fill('Step 3.4.5');
    await row(page, 'Step 3.4.5').first().waitFor();
    await page.getByRole('link', { name: 'Graph' }).click();
    await page.getByLabel('every goal').check();
    await page.getByRole('img', { name: /Drawing of dependencies: 3,\d\d\d goals/ }).waitFor();
  });
});
