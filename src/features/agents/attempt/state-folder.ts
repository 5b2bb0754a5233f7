import { isAbsolute, join } from 'node:path';

import { realFolder } from '../../../host/files/folders.js';
import type { Environment } from '../../../operations/shared/environment.js';

/** Returns the folder in which attempts are kept: of the user, outside of every repository. */
export function stateFolder({ variables, homeFolder }: Environment): string {
  const base = variables.XDG_STATE_HOME;
  const own = base !== undefined && isAbsolute(base) ? base : join(homeFolder, '.local', 'state');
  return join(realFolder(own), 'frctl', 'work');
}
