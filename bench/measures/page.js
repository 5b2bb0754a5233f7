import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { chromium } from 'playwright-core';

import { wavesOf } from '../../dist/exports/wave-layout.js';
import { startModelServer } from '../support/model-server.js';
import { median } from '../support/statistics.js';
import { openStore, writePlan } from '../support/stores.js';
import { milliseconds, printTable, whole } from '../support/table.js';

const PLAN = '0398a958';
const CLAIMS = 20;
const LAYOUTS = 9;
/** The goal that the trees of measures begin with. */
const ROOT = 'Deliver component 000001 of the shop with its tests, its settings and a page of documentation';
const COMMAND = join(import.meta.dirname, '../../dist/cli/plan.js');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/**
 * The page in a browser: how long a plan takes to be drawn, when another process's claim is seen, and what the memory of
 * server and page does while a large plan is planned.
 * @param {string} folder
 */
export async function measurePage(folder) {
  if (CHROMIUM === undefined) {
    console.log('\nThere is no Chromium; the page is not measured.');
    return;
  }
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
  try {
    await measureDrawing(browser, folder);
    await measurePlanning(browser, join(folder, 'planning'));
  } finally {
    await browser.close();
  }
}

async function measureDrawing(browser, folder) {
  const rows = [];
  for (const goals of [2000, 10_000]) {
    const home = join(folder, String(goals));
    mkdirSync(home, { recursive: true });
    const store = await openStore(join(home, '.plans'));
    const { plan } = await writePlan(store, PLAN, goals, { chain: 2 });
    const layouts = Array.from({ length: LAYOUTS }, () => timeOfLayout(plan));
    const { url, stop } = await serve(home);
    const page = await browser.newPage();
    await page.goto(url);
    await page.locator('.plans a').first().waitFor();
    const tree = await timed(page, `location.hash = '#/plans/${PLAN}/tree'`, '[role=treeitem]');
    const count = await page.locator('[role=treeitem]').count();
    const graph = await timed(
      page,
      `location.hash = '#/plans/${PLAN}/graph'`,
      'canvas[aria-label*="goals in"]',
    );
    const heap = await heapOf(page);
    await page.evaluate(`location.hash = '#/plans/${PLAN}/tree'`);
    await page.locator('[role=treeitem]').first().waitFor();
    const delays = [];
    const claims = goals === 2000 ? CLAIMS : 0;
    for (let round = 0; round < claims; round += 1) delays.push(await delayOfClaim(page, home, round));
    rows.push([
      whole(goals),
      whole(count),
      milliseconds(tree),
      `${milliseconds(layouts[0] ?? 0)}, then ${milliseconds(median(layouts))}`,
      milliseconds(graph),
      `${(heap / 2 ** 20).toFixed(0)} MB`,
      delays.length === 0
        ? ''
        : `${milliseconds(median(delays))}, at most ${milliseconds(Math.max(...delays))}`,
    ]);
    await page.close();
    stop();
  }
  printTable(
    `The page: from asking for a view to its drawing, and from the end of a command to its claim on the page (${CLAIMS} claims)`,
    [
      'goals',
      'rows',
      'tree drawn (2,000: ≤ 1.5 s)',
      'laid out alone, first and then (2,000: ≤ 100 ms)',
      'graph laid out and drawn',
      'heap (≤ 50 MB)',
      'claim seen (≤ 200 ms)',
    ],
    rows,
  );
}

async function measurePlanning(browser, home) {
  mkdirSync(home, { recursive: true });
  await openStore(join(home, '.plans'));
  const server = await startModelServer({
    shape: { kind: 'sized', goals: 5000, width: 8 },
    delay: 20,
  });
  const { url, stop, pid } = await serve(home);
  const page = await browser.newPage();
  await page.goto(url);
  const planning = spawn(
    process.execPath,
    [
      COMMAND,
      'init',
      ROOT,
      '--model',
      'm',
      '--base-url',
      server.baseUrl,
      '--max-goals',
      '20000',
      '--max-children',
      '8',
      '--concurrency',
      '16',
    ],
    { cwd: home, env: { ...process.env, HOME: home, OPENAI_API_KEY: 'k' }, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => planning.once('close', resolve));
  await page.getByRole('link', { name: ROOT }).first().click();
  const over = new AbortController();
  void ended.then(() => over.abort());
  const rows = [];
  while (!over.signal.aborted) {
    await Promise.race([sleep(1500), ended]);
    rows.push([
      (await page.locator('.plan-head .facts').textContent())?.match(/[\d,]+ goals?/)?.[0] ?? '',
      `${((await heapOf(page)) / 2 ** 20).toFixed(0)} MB`,
      `${(residentOf(pid) / 1024).toFixed(0)} MB`,
    ]);
  }
  // What a page keeps that comes when all is over.
  const fresh = await browser.newPage();
  await fresh.goto(url);
  await fresh.getByRole('link', { name: ROOT }).first().click();
  await fresh.locator('[role=treeitem]').first().waitFor();
  rows.push(['opened anew', `${((await heapOf(fresh)) / 2 ** 20).toFixed(0)} MB`, '']);
  printTable(
    'A planning run that is watched',
    ['goals', 'heap of the page', 'resident set of the server'],
    rows,
  );
  stop();
  server.stop();
}

async function serve(home) {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--json'], {
    cwd: home,
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve) => child.stdout.once('data', resolve));
  return { url: JSON.parse(String(line)).url, pid: child.pid, stop: () => child.kill('SIGINT') };
}

/** Milliseconds that this process works for a layout, whatever else the machine does. */
function timeOfLayout(plan) {
  const before = process.cpuUsage();
  wavesOf(plan, () => 58);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds from a step until something is there and two frames have been drawn since. */
async function timed(page, step, selector) {
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      const begin = performance.now();
      const look = () => document.querySelector(${JSON.stringify(selector)}) === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begin)));
      ${step};
      look();
    })`),
  );
}

async function heapOf(page) {
  return Number(await page.evaluate('gc(), performance.memory.usedJSHeapSize'));
}

/** Milliseconds from the end of a command until the page shows its claim; 0 where that was before. */
async function delayOfClaim(page, home, round) {
  const name = `worker-${round}`;
  const seen = page.evaluate(`new Promise((resolve) => {
    const look = () => document.querySelector('.latest')?.textContent.includes(${JSON.stringify(`${name} `)})
      ? resolve(Date.now())
      : setTimeout(look, 2);
    look();
  })`);
  await output(home, ['claim', await nextGoal(home), '--by', name]);
  const end = Date.now();
  return Math.max(0, Number(await seen) - end);
}

async function nextGoal(home) {
  const document = JSON.parse(await output(home, ['status', PLAN, '--json']));
  return document.ready[0];
}

function output(home, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: home,
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.on('close', () => resolve(text));
  });
}

/** Kilobytes that a process has in memory. */
function residentOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}
