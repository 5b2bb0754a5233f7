import type { AgentQuestion } from '../../src/operations/planning/agent/question-maker.js';
import { unquote } from '../../src/llm/quote.js';
import { expansionOf } from './model-server.js';
import type { TreeNode } from './model-server.js';

/** An agent that knows a tree: the answer to each question about one of its goals, by what it reads in the question. */
export function answerFrom(tree: TreeNode): (question: Pick<AgentQuestion, 'goal' | 'messages'>) => unknown {
  const nodes = new Map<string, TreeNode>();
  const index = (node: TreeNode): void => {
    nodes.set(node.description, node);
    for (const child of node.children ?? []) index(child);
  };
  index(tree);
  return ({ goal, messages }) => {
    const asked = /<goal>([^]*)<\/goal>/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';
    const node = nodes.get(unquote(asked));
    if (node === undefined) throw new TypeError(`the agent knows no goal ${asked}`);
    return { goal, ...Object(expansionOf(node)) };
  };
}
