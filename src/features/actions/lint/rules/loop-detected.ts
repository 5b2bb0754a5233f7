import type { Rule } from '../rule.js';

/** LOOP_DETECTED: steps that wait for each other. */
export const loopDetected: Rule = {
  id: 'LOOP_DETECTED',
  severity: 'error',
  summary: 'steps that need each other in a circle',
  explanation: `Such steps can never run. Declared dependencies and references both count, for a step needs the output that it refers to. One
finding names one whole circle, the shortest through its first step. Joining two earlier steps is no circle, nor is an id that
occurs within another one or in ordinary text.`,
  example: {
    bad: `{
  "goal": "Publish the notes",
  "steps": [
    { "id": "draft", "tool": "note.write", "parameters": { "text": "{{review.result.text}}" }, "depends_on": ["review"], "on_fail": "abort" },
    { "id": "review", "tool": "note.review", "parameters": { "text": "{{draft.result.text}}" }, "depends_on": ["draft"], "on_fail": "abort" }
  ]
}`,
    good: `{
  "goal": "Publish the notes",
  "steps": [
    { "id": "draft", "tool": "note.write", "parameters": { "text": "Hello" }, "on_fail": "abort" },
    { "id": "review", "tool": "note.review", "parameters": { "text": "{{draft.result.text}}" }, "depends_on": ["draft"], "on_fail": "abort" }
  ]
}`,
  },
  *check({ graphs, placeOf }) {
    for (const { loops } of graphs) {
      for (const loop of loops) {
        const [first] = loop;
        if (first === undefined) continue;
        const ids = loop.map(({ step }) => step.id);
        const path = ids.join(' → ');
        const message =
          loop.length === 2 ? `the step ${path} needs itself` : `the steps need each other: ${path}`;
        yield { message, about: ids, region: placeOf(`${first.pointer}/id`) };
      }
    }
  },
};
