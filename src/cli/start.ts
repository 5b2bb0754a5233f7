import process from 'node:process';

import { VERSION } from '../kernel/version.js';
import type { CommandSet } from './command-set.js';
import { useCompiledCode } from './compiled-code.js';
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
  useCompiledCode(import.meta.dirname);
  const { runCommandLine } = await import('./run-command-line.js');
  await runCommandLine(await load(), program);
}
