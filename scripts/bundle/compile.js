// Has V8 compile the files of the commands beforehand (see src/cli/compiled-code.ts). What V8 keeps of a
// file is what has run of it, so that the commands which are to start fast are run here, on a plan in a temporary folder.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { CHECKSUMS_LENGTH, writeCompiled } from './write-compiled.cjs';

const run = promisify(execFile);
const RECORDER = fileURLToPath(new URL('./record-compiled.cjs', import.meta.url));
/** What people and agents run all the time; after a change the plan file is behind, and is looked at in another way. */
const COMMANDS = [
  ['init', 'Build a REST API with authentication', '--expander', 'rules'],
  ['list'],
  ['status'],
  ['next'],
  ['next', '--json'],
  ['show', '1'],
  ['tree'],
  ['claim', '1', '--by', 'builder', '--json'],
  ['release', '1', '--by', 'builder'],
  ['claim', '1', '--by', 'builder'],
  ['edit', '1', '--by', 'builder', '--detail', 'Ask first.'],
  ['status', '--json'],
  ['show', '1', '--json'],
  ['complete', '1', '--by', 'builder'],
  ['next'],
  ['list', '--json'],
  ['context', '2'],
  ['mcp'],
  ['init', 'Publish the API', '--expander', 'model', '--model', 'build'],
];
/** What a host says to `plan mcp`, which ends with its input. */
const INPUT = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'plan_status', arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

/** The library of MCP: a server lives long, and its 0.6 MB save 20 ms. */
const LONG_LIVED = 'mcp-server.js.bin';

/** What a model says to every question: two goals, both atomic. */
const REPLY = {
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: JSON.stringify({
          reasoning: 'Two steps.',
          atomic: false,
          sub_goals: ['Write the notes', 'Send the notes'].map((description) => ({
            description,
            reasoning: 'It is one step.',
            atomic: true,
            acceptance: [],
            size: 'S',
            depends_on: [],
          })),
        }),
      },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
};

/** Compiles the files of the commands in a folder for the Node that runs this. */
export async function compileCommands(folder) {
  const to = join(folder, 'compiled', `${process.version}-${process.platform}-${process.arch}`);
  mkdirSync(to, { recursive: true });
  // What there is nothing of yet is compiled when it is first loaded.
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js')))
    writeCompiled(to, join(folder, file), Buffer.of());
  const work = mkdtempSync(join(tmpdir(), 'frctl-compile-'));
  const model = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify(REPLY)));
  });
  await new Promise((done) => model.listen(0, '127.0.0.1', done));
  const environment = {
    PATH: process.env.PATH,
    HOME: work,
    COMPILED: resolve(to),
    OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
    OPENAI_API_KEY: 'none',
  };
  try {
    for (const words of COMMANDS) {
      const args = ['--require', RECORDER, resolve(folder, 'plan.js'), ...words];
      const running = run(process.execPath, args, { cwd: work, env: environment });
      running.child.stdin.end(words[0] === 'mcp' ? INPUT : '');
      await running;
    }
  } finally {
    model.close();
    rmSync(work, { recursive: true });
  }
  for (const file of readdirSync(to))
    if (file === LONG_LIVED || statSync(join(to, file)).size <= CHECKSUMS_LENGTH) rmSync(join(to, file));
}
