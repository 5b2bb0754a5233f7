import { partOpener } from '../../operations/shared/parts.js';
import { KIT_SHELF } from '../actions/parts.js';
import { KIT_CARRIER } from '../runs/parts.js';

/** The kits, for tools files that name some; they are kept in no store. */
export const KIT_PARTS = [
  partOpener({ part: KIT_SHELF, store: null, open: async () => (await import('./shelf.js')).shelf }),
  partOpener({
    part: KIT_CARRIER,
    store: null,
    open: async () => (await import('./carrier.js')).createCarrier(),
  }),
];
