import { expect, test } from 'vitest';

import { readYaml } from '../../src/kernel/yaml.js';

const anchors = (count: number) =>
  Array.from({ length: count }, (_, index) => `- &a${index} x\n- *a${index}\n`).join('');

test('a text may point back a hundred times, and not once more, whatever it points at', () => {
  expect(readYaml(anchors(100))).toHaveProperty('value.length', 200);
  expect(readYaml(anchors(101))).toEqual({
    problem: 'aliases (*name) are used more than 100 times',
    line: 202,
    column: 3,
  });
});
