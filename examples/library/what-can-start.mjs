// Prints the goals that can start now, of every plan of a store: plan, number, description.
// usage: node what-can-start.mjs [STORE]
import process from 'node:process';

import { openWorkspace } from 'frctl';

const workspace = openWorkspace({ dir: process.argv[2] });
const { plans } = await workspace.list();
for (const plan of plans) {
  const { goals } = await workspace.next({ plan: plan.id, limit: 100 });
  for (const { number, description } of goals) {
    console.log([plan.id, number, description.replaceAll(/\s+/g, ' ')].join('\t'));
  }
}
