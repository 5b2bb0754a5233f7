import { watchFolder } from '../../host/files/watch-folder.js';
import type { WatchedFolder } from '../../host/files/watch-folder.js';
import type { StoreChange } from '../plan-store.js';
import { PLAN_FOLDERS, planFolderPath, planIdOfFile } from './store-paths.js';
import { runOfFile, runsFolder } from './run-paths.js';

/** So often somebody looks whether something has changed that the system did not tell, as on network file systems. */
const LOOK_MS = 5000;

/**
 * Tells what changes in the logs of a store. Plan files are not looked at: they follow from the logs, and a watcher that
 * was told of them would hear itself. Folders that come later, or anew, are watched from then on.
 * @returns what ends it
 */
export function watchStore(folder: string, onChange: (change: StoreChange) => void): () => void {
  const watched = new Map<string, WatchedFolder>();
  const watchOne = (path: string, tell: (name: string | null) => void) => {
    if (watched.get(path)?.isCurrent() === true) return;
    watched.get(path)?.stop();
    watched.delete(path);
    const found = watchFolder(path, tell);
    if (found === null) return;
    watched.set(path, found);
    onChange({ kind: 'any' });
  };
  const attach = () => {
    for (const planFolder of PLAN_FOLDERS) watchOne(planFolderPath(folder, planFolder), onPlanFile);
    watchOne(runsFolder(folder), onRunFile);
  };
  const onPlanFile = (name: string | null) => {
    if (name === null) return onChange({ kind: 'any' });
    if (name === 'runs' || name === 'archive') return attach();
    const id = name.endsWith('.jsonl') ? planIdOfFile(name) : null;
    if (id !== null) onChange({ kind: 'plan', id });
  };
  const onRunFile = (name: string | null) => {
    if (name === null) return onChange({ kind: 'any' });
    const id = runOfFile(name);
    if (id !== null) onChange({ kind: 'run', id });
  };
  attach();
  const look = setInterval(() => {
    attach();
    onChange({ kind: 'any' });
  }, LOOK_MS);
  look.unref();
  return () => {
    clearInterval(look);
    for (const each of watched.values()) each.stop();
    watched.clear();
  };
}
