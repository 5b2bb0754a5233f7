import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { GOAL_STATES } from '../../src/plan/choices.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser, openPage, useBrowser } from '../support/browser.js';
import { newUser } from '../support/command.js';
import { servePage } from '../support/page-server.js';

useBrowser();

/** A plan of so many parts, each of so many goals, of which each but the first needs the one before; a part needs the last. */
async function newPlace(parts: number, each: number) {
  const user = newUser();
  const workspace = openWorkspace({
    environment: {
      ...defaultEnvironment(),
      workingFolder: user.folder,
      homeFolder: user.home,
      variables: { PATH: process.env.PATH },
    },
  });
  const lines = Array.from({ length: parts }, (_, part) =>
    [`- Part ${part}`, ...Array.from({ length: each }, (_unused, step) => `  - Step ${part}.${step}`)].join(
      '\n',
    ),
  );
  const { plan } = await workspace.init({
    text: `# Large\n\n${lines.join('\n')}\n`,
    from: 'large.md',
    settings: { max_goals: 1000, max_children: 40 },
  }).result;
  await workspace.depend({ goal: '2', on: ['1'] });
  await workspace.depend({ goal: '2.2', on: ['2.1'] });
  const chosen = (await workspace.show('2.2', { plan: plan.id })).goal.id;
  const { url } = await servePage(user, { assets: new Map(await pageAssets()) });
  return { url, plan: plan.id, chosen };
}

const colour = z.object({ red: z.number(), green: z.number(), blue: z.number() });
const drawnSchema = z.object({
  /** What part of the width and of the height the drawing takes, of which more is used. */
  used: z.number(),
  /** Whether nothing is drawn at its edges. */
  isWhole: z.boolean(),
  /** How many points have the colour of what the chosen goal needs. */
  needed: z.number(),
  /** What most of the points that are drawn on have. */
  most: colour,
});

/** What is seen of the drawing, point by point. */
async function drawn(page: Page): Promise<z.output<typeof drawnSchema>> {
  return drawnSchema.parse(
    await page.evaluate(`(() => {
      const canvas = document.querySelector('canvas');
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(canvas).getPropertyValue('--accent');
      probe.fillRect(0, 0, 1, 1);
      const accent = [...probe.getImageData(0, 0, 1, 1).data];
      let [left, right, top, bottom, needed] = [width, 0, height, 0, 0];
      const colours = new Map();
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) {
          const at = 4 * (y * width + x);
          if (data[at + 3] === 0) continue;
          [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
          if (accent.every((part, index) => Math.abs(part - data[at + index]) < 3)) needed += 1;
          const key = data[at] + ' ' + data[at + 1] + ' ' + data[at + 2];
          colours.set(key, (colours.get(key) ?? 0) + 1);
        }
      const [red, green, blue] = [...colours].sort((a, b) => b[1] - a[1])[0][0].split(' ').map(Number);
      return {
        used: Math.max((right - left) / width, (bottom - top) / height),
        isWhole: left > 4 && top > 4 && right < width - 5 && bottom < height - 5,
        needed,
        most: { red, green, blue },
      };
    })()`),
  );
}

const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

describe.skipIf(!hasBrowser)('the graph', () => {
  test.each([
    ['light', 1440, 3, 4],
    ['dark', 1440, 3, 4],
    ['light', 390, 3, 4],
    ['dark', 390, 15, 19],
    ['light', 1440, 15, 19],
  ] as const)(
    'opens fitted and readable, in %s, %i wide, of %i parts of %i goals',
    async (theme, width, parts, each) => {
      const { url, plan, chosen } = await newPlace(parts, each);
      const page = await openPage(url, { theme, width });
      await page.getByRole('link', { name: 'Large' }).waitFor();
      await goTo(page, `#/plans/${plan}/graph`);
      await page.getByRole('img', { name: /Drawing of dependencies: 16 goals/ }).waitFor();
      const whole = await drawn(page);
      expect(whole).toMatchObject({ isWhole: true, needed: 0 });
      expect(whole.used).toBeGreaterThan(0.7);
      const { red, green, blue } = whole.most;
      // Boxes are as light as the page in light, and as dark in dark.
      expect((red + green + blue) / 3 > 128).toBe(theme === 'light');
      await goTo(page, `#/plans/${plan}/graph/${chosen}`);
      await page.getByText('Blue is what the chosen goal needs').waitFor();
      expect((await drawn(page)).needed).toBeGreaterThan(100);
    },
  );

  test('draws every one of 300 goals in the room there is', async () => {
    const { url, plan } = await newPlace(15, 19);
    const page = await openPage(url, { width: 1440 });
    await page.getByRole('link', { name: 'Large' }).waitFor();
    await goTo(page, `#/plans/${plan}/graph`);
    await page.getByLabel('every goal').check();
    await page.getByRole('img', { name: /Drawing of dependencies: 301 goals/ }).waitFor();
    const seen = await drawn(page);
    expect(seen).toMatchObject({ isWhole: true });
    expect(seen.used).toBeGreaterThan(0.7);
  });

  test.each(['light', 'dark'] as const)('has colours for every state, in %s', async (theme) => {
    const { url } = await newPlace(3, 4);
    const page = await openPage(url, { theme });
    await page.getByRole('link', { name: 'Large' }).waitFor();
    const missing = await page.evaluate(
      `${JSON.stringify(GOAL_STATES)}.flatMap((state) => ['fill', 'edge', 'ink'].map((kind) => '--' + kind + '-' + state.replaceAll('_', '-'))).filter((name) => getComputedStyle(document.body).getPropertyValue(name) === '')`,
    );
    expect(missing).toEqual([]);
  });
});
