import type { Dialect } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import { NO_REFERENCE } from '../model/references.js';
import { readWa } from './wa-reader.js';
import { writeWa } from './wa-writer.js';

/** Plans of wa, for panes of a terminal: tagged actions, preconditions, verification, ids made of the content. */
export const wa: Dialect = {
  name: 'wa',
  title: 'wa',
  references: NO_REFERENCE,
  slot: 'metadata',
  find: (root) => (memberOf(root, 'plan_version') === null || memberOf(root, 'steps') === null ? null : ''),
  allowsId: (id) => !/\p{Cs}/u.test(id),
  usualVariant: () => null,
  spell: () => null,
  read: readWa,
  write: writeWa,
};
