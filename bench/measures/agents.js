import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { spawnSync } from 'node:child_process';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { median } from '../support/statistics.js';
import { printTable, ratio, whole } from '../support/table.js';

const STARTS = 5;
const GROUPS = 6;
const LEAVES = 5;
const DONE = 'It is done as the goal says, and its test passes.';

/**
 * What a coding agent reads of a list of tools over MCP, how long it waits for it, and what it reads and writes to plan 30 goals
 * under six and to work them off. Peers are measured where FRCTL_BENCH_PEERS names a folder in which npm has installed them.
 * @param {string} folder
 */
export async function measureAgents(folder) {
  const peers = process.env.FRCTL_BENCH_PEERS;
  const bin = (/** @type {string} */ name) => join(resolve(peers ?? ''), 'node_modules', '.bin', name);
  const servers = [
    {
      name: 'plan mcp',
      command: process.execPath,
      args: [resolve('dist/cli/plan.js'), 'mcp'],
      work: workWithPlan,
    },
    ...(peers === undefined
      ? []
      : [
          { name: 'Backlog.md', command: bin('backlog'), args: ['mcp', 'start'], work: workWithBacklog },
          { name: 'Task Master (all)', command: bin('task-master-ai'), args: [], work: null },
        ].filter(({ command }) => existsSync(command))),
  ];
  const rows = [];
  let first = Number.NaN;
  for (const [index, server] of servers.entries()) {
    const own = join(folder, String(index));
    await mkdir(own, { recursive: true });
    spawnSync('git', ['init', '-q'], { cwd: own });
    if (server.work === workWithBacklog)
      spawnSync(server.command, ['init', 'bench', '--defaults'], { cwd: own });
    const times = [];
    for (let round = 0; round < STARTS; round += 1) {
      const started = performance.now();
      const { client } = await connect(server, own);
      await client.listTools();
      times.push(performance.now() - started);
      await client.close();
    }
    if (index === 0) first = median(times);
    const { client, call, counted } = await connect(server, own);
    const { tools } = await client.listTools();
    const list = countTokens(JSON.stringify(tools));
    if (server.work !== null) await server.work(call);
    const { calls, read, written } = counted();
    await client.close();
    const used = server.work === null ? ['', ''] : [whole(calls), whole(list + read + written)];
    rows.push([server.name, whole(tools.length), whole(list), ratio(median(times) / first), ...used]);
  }
  printTable(
    'Coding agents over MCP, 30 goals (o200k tokens)',
    ['server', 'tools', 'tokens of the list', 'start to list', 'calls', 'tokens, list included'],
    rows,
  );
}

/**
 * @typedef {(name: string, args: Record<string, unknown>) => Promise<{ text: string, document: any }>} Call
 */

/** Starts a server, and counts what is read and written. */
async function connect(
  /** @type {{ command: string, args: readonly string[] }} */ { command, args },
  /** @type {string} */ folder,
) {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, TASK_MASTER_TOOLS: 'all' },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(transport);
  let [calls, read, written] = [0, 0, 0];
  /** @type {Call} */
  const call = async (name, given) => {
    const answer = /** @type {any} */ (await client.callTool({ name, arguments: given }));
    const text = String(answer.content[0]?.text ?? '');
    if (answer.isError === true) throw new Error(`${name}: ${text}`);
    calls += 1;
    read += countTokens(text);
    written += countTokens(JSON.stringify({ name, arguments: given }));
    return { text, document: answer.structuredContent };
  };
  return { client, call, counted: () => ({ calls, read, written }) };
}

const groups = Array.from({ length: GROUPS }, (_, group) => ({
  description: `Build part ${group + 1} of the shop`,
  leaves: Array.from(
    { length: LEAVES },
    (__, leaf) => `Write function ${leaf + 1} of part ${group + 1}, with its test`,
  ),
}));

/** Answers the questions, then takes each goal and ends it. */
async function workWithPlan(/** @type {Call} */ call) {
  let { document: next } = await call('plan_start', { goal: 'Build the shop' });
  const { plan } = next;
  while (next.left > 0) {
    const answers = next.questions.map((/** @type {{ goal: string, ask: string }} */ { goal, ask }) => ({
      goal,
      atomic: false,
      sub_goals: subGoalsOf(ask),
    }));
    ({ document: next } = await call('plan_answer', { plan, answers, next: 9 }));
  }
  for (;;) {
    const { text } = await call('goal_take', { by: 'agent' });
    const [, goal, token] = /^goal: (\S+)\ntoken: (\S+)\n/.exec(text) ?? [];
    if (goal === undefined) return;
    await call('goal_done', { goal, token, outcome: 'complete', summary: DONE });
  }
}

function subGoalsOf(/** @type {string} */ ask) {
  const asked = /<goal>([^]*)<\/goal>/.exec(ask)?.[1];
  const leaves = groups.find(({ description }) => description === asked)?.leaves;
  if (leaves !== undefined) return leaves.map((description) => ({ description, atomic: true }));
  return groups.map(({ description }) => ({ description, atomic: false }));
}

/** Makes each task; then lists what is open, views, starts and ends each. */
async function workWithBacklog(/** @type {Call} */ call) {
  const ids = [];
  for (const { description, leaves } of groups) {
    const parentTaskId = idIn((await call('task_create', { title: description })).text);
    for (const title of leaves) ids.push(idIn((await call('task_create', { title, parentTaskId })).text));
  }
  for (const id of ids) {
    await call('task_list', { status: 'To Do', limit: 10 });
    await call('task_view', { id });
    await call('task_edit', { id, status: 'In Progress' });
    await call('task_edit', { id, status: 'Done', finalSummary: DONE });
  }
}

function idIn(/** @type {string} */ text) {
  return /\b(TASK-\d+(?:\.\d+)*)/i.exec(text)?.[1] ?? '';
}
