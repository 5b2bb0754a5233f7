import { storageError } from '../../../host/files/storage-error.js';
import type { PublishTime } from '../../plan-store.js';
import type { Publisher } from '../snapshot/publish-plan-file.js';
import type { LogReader } from './log-reader.js';
import type { LogReaderOptions } from './plan-state.js';

/** Publishes what a reader has read. */
export interface Publishing {
  /**
   * Publishes the state. What fails is told where warnings go, or thrown.
   * @returns false when the plan file could not be written
   * @throws PlanError STORAGE_FAILED
   */
  publish(when: PublishTime): Promise<boolean>;
  /** A log that has lost what was read of it: this process may have the only copy, and publishes it. */
  saveIfCutOff(): Promise<void>;
}

/** Makes the publishing of a plan that is read by a reader. */
export function createPublishing(
  { paths, warn }: Pick<LogReaderOptions, 'paths' | 'warn'>,
  reader: LogReader,
  publisher: Publisher,
): Publishing {
  return {
    async publish(when) {
      try {
        await publishState(when);
        return true;
      } catch (cause) {
        const { message } = storageError('write', paths.planFile, cause);
        if (warn === undefined) throw cause;
        warn({
          code: 'NOT_PUBLISHED',
          message: `what was changed is stored, but the plan file could not be written anew: ${message}`,
          file: paths.planFile,
        });
        return false;
      }
    },
    async saveIfCutOff() {
      if (reader.missing > 0) await publishState('now').catch(() => undefined);
    },
  };

  async function publishState(when: PublishTime): Promise<void> {
    if ((await publishOnce(when)) !== 'beside another log') return;
    await reader.readOn(new Map());
    await publishOnce('now');
  }

  async function publishOnce(when: PublishTime) {
    const { reading, plan, view } = reader;
    // What is in no log yet is not published.
    if (reading === null || reading.pending.length > 0) return 'not needed';
    const done = await publisher.publish({ reading, plan, isEdited: view === 'edited', when });
    if (done === 'published') reader.noteFits();
    return done;
  }
}
