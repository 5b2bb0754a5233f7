import type { Dialect } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { NO_REFERENCE } from '../model/references.js';
import { readSoulBrowser } from './soulbrowser-reader.js';
import { writeSoulBrowser } from './soulbrowser-writer.js';

/** How deep a plan is wrapped at most: `{"plan": {"plan": …}}`. */
const WRAPPERS = 2;

/** Plans of SoulBrowser for a web browser: tagged tools with locators, waits and validations; often wrapped. */
export const soulBrowser: Dialect = {
  name: 'soulbrowser',
  title: 'SoulBrowser',
  references: NO_REFERENCE,
  slot: 'step metadata',
  find(root) {
    let [node, pointer]: [JsonNode | null, JsonPointer] = [root, ''];
    for (let level = 0; node !== null && level <= WRAPPERS; level += 1) {
      if (isPlan(node)) return pointer;
      node = memberOf(node, 'plan');
      pointer = pointerTo(pointer, 'plan');
    }
    return null;
  },
  allowsId: (id) => id !== '',
  usualVariant: () => null,
  spell: () => null,
  read: readSoulBrowser,
  write: writeSoulBrowser,
};

function isPlan(node: JsonNode): boolean {
  const steps = memberOf(node, 'steps');
  if (steps?.kind !== 'array') return false;
  if (steps.elements.length === 0) return memberOf(node, 'task_id') !== null;
  return steps.elements.some((step) => memberOf(step, 'tool')?.kind === 'object');
}
