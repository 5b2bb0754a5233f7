// An MCP server over standard input and output whose one tool says how often it was called since it was started.
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let calls = 0;

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'counting', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'count', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    calls += 1;
    return { content: [{ type: 'text', text: String(calls) }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  if (answer === undefined) say({ id, error: { code: -32601, message: 'no such method' } });
  else say({ id, result: answer(params ?? {}) });
});
