// A chat model on loopback that knows a tree of goals; it speaks the protocol of docs/model-protocol.md.
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { goalsOf, growTree } from '../support/trees.js';

/** What is said of leaves that are compared: none uses another's result. */
const NO_NEEDS = JSON.stringify({ needs: [], missing: [] });
const REASONING = 'One developer can do it in a sitting and check the outcome.';

let calls = 0;
let inputTokens = 0;
let outputTokens = 0;
/** @type {string} */
let longest = '';
/** @type {{ delay: number, exact: boolean }} */
let options = { delay: 0, exact: false };
/** Each goal's reply. @type {Map<string, string>} */
let replies = new Map();

process.on('message', (/** @type {any} */ message) => {
  if (message.kind === 'start') start(message);
  else report();
});
process.on('disconnect', () => process.exit(0));

function start(/** @type {any} */ { shape, delay = 0, exact = false }) {
  options = { delay, exact };
  replies = new Map(goalsOf(growTree(shape)).map(({ node }) => [node.description, replyTo(node)]));
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
  });
}

function report() {
  process.send?.({
    calls,
    inputTokens,
    outputTokens,
    longest: { characters: longest.length, tokens: countTokens(longest) },
  });
  calls = inputTokens = outputTokens = 0;
  longest = '';
}

function replyTo(/** @type {import('../support/trees.js').TreeNode} */ { children }) {
  return JSON.stringify({
    reasoning: REASONING,
    atomic: children.length === 0,
    sub_goals: children.map((child, index) => ({
      description: child.description,
      reasoning: REASONING,
      atomic: child.children.length === 0,
      acceptance: ['A test shows it'],
      size: child.children.length === 0 ? 'S' : 'L',
      depends_on: index === 0 ? [] : [index],
    })),
  });
}

async function answer(
  /** @type {import('node:http').IncomingMessage} */ request,
  /** @type {import('node:http').ServerResponse} */ response,
) {
  const replied = options.delay > 0 ? wait(options.delay) : undefined;
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  const [system, user] = JSON.parse(text).messages;
  const goal = /<goal>([^<]*)<\/goal>/.exec(user.content)?.[1] ?? '';
  const content = user.content.includes('<leaves>') ? NO_NEEDS : (replies.get(goal) ?? '');
  const prompt = `${system.content}\n${user.content}`;
  const usage = { prompt_tokens: tokensOf(prompt), completion_tokens: tokensOf(content) };
  calls += 1;
  inputTokens += usage.prompt_tokens;
  outputTokens += usage.completion_tokens;
  if (prompt.length > longest.length) longest = prompt;
  await replied;
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      id: `chatcmpl-${calls}`,
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
      usage,
    }),
  );
}

function tokensOf(/** @type {string} */ text) {
  return options.exact ? countTokens(text) : Math.ceil(text.length / 4);
}
