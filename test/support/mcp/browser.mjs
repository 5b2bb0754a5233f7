// A browser behind an MCP server: what SoulBrowser's steps and conditions ask for, with the Chromium at the address that is given.
import { createInterface } from 'node:readline';

import { chromium } from 'playwright-core';

const anything = { type: 'object' };
let opened;

async function page() {
  opened ??= chromium.connect(process.argv[2]).then((browser) => browser.newPage());
  return opened;
}

async function found(locator) {
  const on = await page();
  if (locator.Css !== undefined) return on.locator(locator.Css).first();
  if (locator.Aria !== undefined) return on.getByRole(locator.Aria.role, { name: locator.Aria.name }).first();
  return on.getByText(locator.Text.content, { exact: locator.Text.exact }).first();
}

async function settled(tier) {
  if (tier === 'dom_ready') await (await page()).waitForLoadState('domcontentloaded');
  if (tier === 'idle') await (await page()).waitForLoadState('networkidle');
}

/** Whether a condition holds now, and what was seen. */
async function seen(condition) {
  const on = await page();
  const [[tag, value]] = Object.entries(condition);
  if (tag === 'UrlMatches') return { holds: on.url().includes(value), seen: on.url() };
  if (tag === 'UrlEquals') return { holds: on.url() === value, seen: on.url() };
  if (tag === 'TitleMatches') return { holds: (await on.title()).includes(value), seen: await on.title() };
  const isVisible = await (await found(value)).isVisible();
  return {
    holds: tag === 'ElementVisible' ? isVisible : !isVisible,
    seen: isVisible ? 'visible' : 'not visible',
  };
}

const tools = {
  'navigate-to-url': async ({ url, wait_tier }) => {
    await (await page()).goto(url);
    await settled(wait_tier);
    return { url: (await page()).url() };
  },
  click: async ({ anchor, wait_tier }) => {
    await (await found(anchor)).click({ timeout: 5000 });
    await settled(wait_tier);
    return { url: (await page()).url() };
  },
  'type-text': async ({ anchor, text, submit, wait_tier }) => {
    const field = await found(anchor);
    await field.fill(text, { timeout: 5000 });
    if (submit === true) await field.press('Enter');
    await settled(wait_tier);
    return { url: (await page()).url() };
  },
  'select-option': async ({ anchor, value }) => {
    const chosen = await (await found(anchor)).selectOption({ label: value }, { timeout: 5000 });
    return { chosen };
  },
  'scroll-page': async ({ target }) => {
    const on = await page();
    await on.evaluate((to) => window.scrollTo(0, to === 'Bottom' ? document.body.scrollHeight : 0), target);
    return { y: await on.evaluate(() => window.scrollY) };
  },
  'wait-for-condition': async ({ condition }) => {
    if (condition.Duration !== undefined) await (await page()).waitForTimeout(condition.Duration);
    else if (condition.NetworkIdle !== undefined) await settled('idle');
    else
      for (let look = 0; !(await seen(condition)).holds; look += 1) {
        if (look === 100) throw new Error(`it does not come: ${JSON.stringify(condition)}`);
        await (await page()).waitForTimeout(50);
      }
    return { waited: true };
  },
  condition: async ({ condition }) => seen(condition),
};

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function answer({ id, method, params }) {
  if (method === 'initialize')
    return say({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'browser', version: '1' },
      },
    });
  if (method === 'tools/list')
    return say({
      id,
      result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema: anything })) },
    });
  if (method !== 'tools/call')
    return id === undefined ? undefined : say({ id, error: { code: -32601, message: 'no such method' } });
  try {
    const structuredContent = await tools[params.name](params.arguments);
    return say({
      id,
      result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
    });
  } catch (cause) {
    return say({ id, result: { isError: true, content: [{ type: 'text', text: String(cause.message) }] } });
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void answer(JSON.parse(line)));
lines.on('close', () => {
  void (opened ?? Promise.resolve(null))
    .then((on) => on?.context().browser()?.close())
    .finally(() => process.exit(0));
});
