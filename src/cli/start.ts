import process from 'node:process';

import { VERSION } from '../kernel/version.js';
import type { CommandSet } from './command-set.js';
import { watchOutput } from './delivery.js';

/**
 * Runs the command line of this process. The version alone is told before anything else is loaded, because scripts ask
 * for it often; beside other words it is commander's.
 * @param load what the command line offers
 */
export async function start(program: 'plan' | 'frctl', load: () => Promise<CommandSet>): Promise<void> {
  const [word = '', ...rest] = process.argv.slice(2);
  if (rest.length === 0 && ['--version', '-V'].includes(word)) {
    watchOutput();
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  keepCompiled();
  const { runCommandLine } = await import('./run-command-line.js');
  await runCommandLine(await load(), program);
}

/**
 * Has Node keep what it compiles of the commands, where it can (from 22.8 on), for the next command: in the user's own
 * cache, since what stands in a folder that others may write could be theirs. `NODE_DISABLE_COMPILE_CACHE` turns it off.
 */
function keepCompiled(): void {
  const { XDG_CACHE_HOME = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const path = process.getBuiltinModule('node:path');
  const cache = XDG_CACHE_HOME === '' && HOME !== '' ? path.join(HOME, '.cache') : XDG_CACHE_HOME;
  const enable: unknown = Reflect.get(process.getBuiltinModule('node:module'), 'enableCompileCache');
  if (typeof enable !== 'function') return;
  if (NODE_COMPILE_CACHE === '' && path.isAbsolute(cache))
    Reflect.apply(enable, null, [path.join(cache, 'frctl')]);
}
