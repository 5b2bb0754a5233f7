// A host in a process of its own: starts `plan mcp`, and plans with the official client by answering from a tree that it knows.
// On standard output a line of JSON a deed: the server's process, what it sends, what was acknowledged.
import { readFileSync, writeSync } from 'node:fs';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [treeFile, program, mode] = process.argv.slice(2);
const tell = (deed) => writeSync(1, `${JSON.stringify(deed)}\n`);

// Its server is killed now and then; whoever runs it looks at what it told.
process.on('uncaughtException', ({ message }) => {
  if (message !== 'Connection closed') writeSync(2, `${message}\n`);
  process.exit(1);
});

const nodes = new Map();
const index = (node) => {
  nodes.set(node.description, node);
  for (const child of node.children ?? []) index(child);
};
const tree = JSON.parse(readFileSync(treeFile, 'utf8'));
index(tree);

function answerTo({ goal, ask }) {
  const node = nodes.get(/<goal>([^]*)<\/goal>/.exec(ask)?.[1]);
  const sub_goals = (node.children ?? []).map(({ description, atomic, depends_on }) => ({
    description,
    atomic,
    depends_on,
  }));
  return { goal, atomic: node.atomic, sub_goals };
}

const transport = new StdioClientTransport({
  command: process.execPath,
  args: [program, 'mcp'],
  cwd: process.cwd(),
  env: process.env,
  stderr: 'ignore',
});
const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: JSON.parse(mode) } });
await client.connect(transport);
tell({ server: transport.pid });

const call = async (name, args) => {
  const { structuredContent, content } = await client.callTool({ name, arguments: args });
  if (structuredContent === undefined) throw new Error(content[0].text);
  return structuredContent;
};
let next = await call('plan_start', { goal: tree.description });
const { plan } = next;
while (next.left > 0) {
  const answers = next.questions.map(answerTo);
  const goals = answers.map(({ goal }) => goal);
  tell({ sent: goals });
  next = await call('plan_answer', { plan, answers, next: 9 });
  tell({ acknowledged: goals, refused: next.refused ?? [] });
}
tell({ done: true });
await client.close();
