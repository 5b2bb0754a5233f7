import type { Kit } from './kit.js';
import { vault } from './vault/vault.js';

/** Every kit, in the order in which they are listed. */
export const KITS: readonly Kit[] = [vault];
