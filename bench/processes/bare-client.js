// Makes the calls of a tree that it knows beforehand, and one at the end as planners do that compare the leaves, and does
// nothing with the replies: what no planner undercuts on the same machine, node's own start included.
import { Agent, request } from 'node:http';
import process from 'node:process';

import { growTree } from '../support/trees.js';

const [baseUrl = '', shape = '', places = ''] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(`${baseUrl}/chat/completions`);
const agent = new Agent({ keepAlive: true });
const waiting = [growTree(JSON.parse(shape))];
let inFlight = 0;
let isLast = false;

function askOn() {
  while (inFlight < Number(places)) {
    const goal = waiting.shift();
    if (goal === undefined) break;
    inFlight += 1;
    ask(`<goal>${goal.description}</goal>`, goal.children);
  }
  if (inFlight > 0) return;
  if (isLast) process.exit(0);
  isLast = true;
  inFlight += 1;
  ask('<leaves></leaves>', []);
}

function ask(
  /** @type {string} */ content,
  /** @type {import('../support/trees.js').TreeNode[]} */ children,
) {
  const messages = [{ content: '' }, { content }];
  const asked = request({ hostname, port, path: pathname, method: 'POST', agent }, (response) => {
    response.resume().on('end', () => {
      inFlight -= 1;
      waiting.push(...children.filter((child) => child.children.length > 0));
      askOn();
    });
  });
  asked.end(JSON.stringify({ messages }));
}

askOn();
