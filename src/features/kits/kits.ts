import { http } from './http/http.js';
import type { Kit } from './kit.js';
import { shell } from './shell/shell.js';
import { vault } from './vault/vault.js';

/** Every kit, in the order in which they are listed. */
export const KITS: readonly Kit[] = [vault, shell, http];
