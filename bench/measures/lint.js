import process from 'node:process';

import { lint } from '../../dist/index.js';
import { milliseconds, printTable, ratio, whole } from '../support/table.js';

const STEPS = 50;
const PLANS = 1000;
const SIZES = [5000, 10_000, 20_000];
const POLICY = {
  allow_tools: ['db.*', 'notify.*'],
  bounds: { 'notify.email.count': /** @type {[number, number]} */ ([0, 5]) },
  deny_tokens_regex: ['AWS_SECRET', 'API_KEY', 'CUST-[0-9]{6}'],
  max_steps: 100_000,
};

/** Checking action plans: how many a minute, and whether the time grows with the plan alone. */
export async function measureLint() {
  const text = planOf(STEPS);
  for (let warm = 0; warm < 200; warm += 1) await lint(text, POLICY);
  const rows = [];
  for (const [name, policy] of /** @type {const} */ ([
    ['no policy', undefined],
    ['a policy with three patterns', POLICY],
  ])) {
    const each = (await timeOf(PLANS, text, policy)) / PLANS;
    rows.push([name, milliseconds(each), whole(60_000 / each)]);
  }
  printTable(
    `Plans of ${STEPS} steps, ${whole(text.length)} characters`,
    ['', 'each', 'a minute (≥ 10,000)'],
    rows,
  );
  for (const size of SIZES) await lint(planOf(size), POLICY);
  const times = [];
  for (const size of SIZES) times.push(await timeOf(1, planOf(size), POLICY));
  const [base = 1] = times;
  printTable(
    'Larger plans',
    ['steps', 'time', '÷ linear'],
    SIZES.map((size, index) => {
      const time = times[index] ?? 0;
      return [whole(size), milliseconds(time), ratio(time / (base * (size / (SIZES[0] ?? 1))))];
    }),
  );
}

/** Milliseconds of the processor, which other programs on the machine do not lengthen much. */
async function timeOf(
  /** @type {number} */ times,
  /** @type {string} */ text,
  /** @type {typeof POLICY | undefined} */ policy,
) {
  const before = process.cpuUsage();
  for (let run = 0; run < times; run += 1) await lint(text, policy);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A plan of queries and letters that refer to each other. */
function planOf(/** @type {number} */ count) {
  const steps = Array.from({ length: count }, (_, index) => ({
    id: `step-${index}`,
    ...(index % 5 === 0 ? query(index) : letter(index)),
    ...(index === 0 ? {} : { depends_on: [`step-${index - 1}`] }),
    on_fail: 'abort',
  }));
  return JSON.stringify({ goal: 'Send the statements', steps }, null, 2);
}

function query(/** @type {number} */ index) {
  const sql = `SELECT id, name, created_at FROM accounts WHERE id = $1 AND note = 'x ${index}'`;
  return { tool: 'db.query_ro', parameters: { query: sql, args: [`user-${index}`] } };
}

function letter(/** @type {number} */ index) {
  const to = `{{step-${index - 1}.result.email}}`;
  const body = `Your balance is {{step-${index - (index % 5)}.result.balance}}, and the rest is as ever.`;
  return { tool: 'notify.email', parameters: { to, subject: 'Your statement', body } };
}
