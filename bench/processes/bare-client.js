// Makes the calls of a tree that it knows beforehand, and does nothing with the replies: what no planner undercuts
// on the same machine, node's own start included.
import { Agent, request } from 'node:http';
import process from 'node:process';

import { growTree } from '../support/trees.js';

const [baseUrl = '', shape = '', places = ''] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(`${baseUrl}/chat/completions`);
const agent = new Agent({ keepAlive: true });
const waiting = [growTree(JSON.parse(shape))];
let inFlight = 0;

function askOn() {
  while (inFlight < Number(places)) {
    const goal = waiting.shift();
    if (goal === undefined) break;
    inFlight += 1;
    ask(goal);
  }
  if (inFlight === 0) process.exit(0);
}

function ask(/** @type {import('../support/trees.js').TreeNode} */ { description, children }) {
  const messages = [{ content: '' }, { content: `<goal>${description}</goal>` }];
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
