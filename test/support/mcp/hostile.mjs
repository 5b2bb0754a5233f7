// An MCP server over standard input and output that says what nobody expects; what, its first argument tells.
import { createInterface } from 'node:readline';

const [mode] = process.argv.slice(2);
const line = (text) => process.stdout.write(`${text}\n`);
const say = (message) => line(JSON.stringify({ jsonrpc: '2.0', ...message }));
const structured = (id, json) =>
  line(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${json}}}`);

const ANSWERS = {
  long: (id) => structured(id, JSON.stringify({ text: 'x'.repeat(9 * 1024 * 1024) })),
  deep: (id) => structured(id, `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  surrogate: (id) => structured(id, String.raw`{"a":"\ud800","\udfff":1}`),
  proto: (id) =>
    structured(id, '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  escapes: (id) => structured(id, JSON.stringify({ text: '\u001B]0;title\u0007\u001B[2J' })),
  many: (id) => {
    // Answers to what was never asked, and one twice.
    for (let other = 1000; other < 3000; other += 1) say({ id: other, result: {} });
    structured(id, '{"n":1}');
    structured(id, '{"n":2}');
  },
};

createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (method === 'initialize')
    say({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'h', version: '1' },
      },
    });
  else if (method === 'tools/list')
    say({ id, result: { tools: [{ name: 'say', description: 'Says.', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') ANSWERS[mode](id);
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'no such method' } });
});
