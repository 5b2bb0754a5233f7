import { errorCode } from '../../host/files/storage-error.js';
import { readPlainBytesNow } from '../../host/files/plain-file.js';
import { PlanError } from '../../kernel/errors.js';
import { configPath } from './store-paths.js';

const MOST_BYTES = 1024 * 1024;

/**
 * Where the config of a store's folder says that plans and runs are kept. The rest of the config, and what is wrong with it,
 * is for whoever reads it as a whole.
 * @throws PlanError INVALID_CONFIG where it may say so and cannot be read: plans would go to the wrong place
 */
export function readStoreKind(folder: string): 'files' | 'postgres' {
  const path = configPath(folder);
  const text = textOf(path);
  if (!text.includes('postgres')) return 'files';
  try {
    const config: unknown = JSON.parse(text);
    const isThere = typeof config === 'object' && config !== null && 'store' in config;
    return isThere && config.store === 'postgres' ? 'postgres' : 'files';
  } catch {
    throw new PlanError('INVALID_CONFIG', `${path} is not JSON, and may say where plans are kept`, {
      hint: ['Repair it by hand, or remove it.'],
      details: { path },
    });
  }
}

function textOf(path: string): string {
  try {
    return readPlainBytesNow(path, MOST_BYTES).toString('utf8');
  } catch (cause) {
    // What a repository puts in place of a file says nothing; what is not for these eyes may.
    if (errorCode(cause) !== 'EACCES') return '';
    throw new PlanError('INVALID_CONFIG', `${path} cannot be read, and may say where plans are kept`, {
      hint: ['Make it a plain file that you may read, or remove it.'],
      details: { path },
      cause,
    });
  }
}
