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
  'part of a list': (id) => structured(id, '{"items":["one"],"truncated":true}'),
  // What looks like a message and is none, in place of an answer.
  'error without a message': (id) => say({ id, error: { code: -32000 } }),
  'error that is a text': (id) => say({ id, error: 'no' }),
  'error without anything': (id) => say({ id, error: null }),
  'result that is a number': (id) => say({ id, result: 5 }),
  'answer without a result': (id) => say({ id }),
  'content that is none': (id) => say({ id, result: { content: 'x' } }),
  'structure alone': (id) => say({ id, result: { structuredContent: { n: 1 } } }),
  'structure that is a text': (id) => say({ id, result: { structuredContent: 'x' } }),
  nothing: (id) => say({ id, result: {} }),
  'error of control characters': (id) =>
    say({ id, error: { code: -32000, message: `\u001B[2J\n${'x'.repeat(100_000)}` } }),
  // Until it is ended.
  'notifications in floods': () => flood(() => say(LOUD)),
  'lists that change': () => flood(() => say({ method: 'notifications/tools/list_changed' })),
  'questions in floods': () => {
    process.stdin.pause();
    flood((number) => say({ id: `q${number}`, method: 'ping' }));
  },
  'lines that are no messages': () => flood(() => line('x'.repeat(1000))),
  'answers to nothing': () => flood((number) => say({ id: `x${number}`, result: {} })),
  'an answer to what was dropped': (id) => {
    setTimeout(() => say({ id, result: { content: [{ type: 'text', text: 'late' }] } }), 700);
  },
};
const LOUD = { method: 'notifications/message', params: { level: 'error', data: 'x'.repeat(1000) } };

/** Says something again and again, as fast as it is taken. */
function flood(sayOne, number = 0) {
  for (let one = 0; one < 200; one += 1) sayOne(number + one);
  if (process.stdout.writableNeedDrain) process.stdout.once('drain', () => flood(sayOne, number + 200));
  else setImmediate(() => flood(sayOne, number + 200));
}

const SAY = { name: 'say', description: 'Says.', inputSchema: { type: 'object' } };
const nested = (levels) => `${'{"properties":{"x":'.repeat(levels)}{}${'}}'.repeat(levels)}`;
const LISTS = {
  'pages without end': (cursor) => ({ tools: [SAY], nextCursor: `${Number(cursor ?? 0) + 1}` }),
  'one page again and again': () => ({ tools: [SAY], nextCursor: 'same' }),
  'eleven megabytes': () => ({ tools: [{ ...SAY, description: 'x'.repeat(11 * 1024 * 1024) }] }),
  'names of all kinds': () => ({
    tools: ['a/b', '\u001B[2J', '../x', '', '__proto__', 'say', 'say'].map((name) => ({ ...SAY, name })),
  }),
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
  else if (method === 'tools/list' && mode === 'schema of 200,000 levels')
    line(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"say","inputSchema":${nested(100_000)}}]}}`,
    );
  else if (method === 'tools/list') say({ id, result: LISTS[mode]?.(params?.cursor) ?? { tools: [SAY] } });
  else if (method === 'tools/call') (ANSWERS[mode] ?? ((one) => structured(one, '{"n":1}')))(id);
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'no such method' } });
});
