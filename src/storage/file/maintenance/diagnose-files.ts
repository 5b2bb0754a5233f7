import { basename } from 'node:path';

import type { PlanError } from '../../../kernel/errors.js';
import { missingGitLines } from './inspect-store.js';
import type { FileFinding } from './inspect-store.js';
import { addLines } from './mend-store.js';
import { planIdOfPurged } from '../store-paths.js';
import { endPurge } from '../purge-plan.js';
import type { PlanStore } from '../../plan-store.js';
import { indexDiagnoses } from './diagnose-index.js';
import type { Diagnosis } from '../../maintenance.js';

const FILES: Readonly<
  Record<FileFinding['kind'], Pick<Diagnosis, 'code' | 'severity' | 'message' | 'cure'>>
> = {
  strange: {
    code: 'STRANGE_FILE',
    severity: 'note',
    message: 'this file is not part of a store',
    cure: 'Move it elsewhere if it is not yours to keep here.',
  },
  temporary: {
    code: 'TEMPORARY_FILE',
    severity: 'note',
    message: 'a process that was stopped left it behind',
    cure: 'It goes by itself after a while.',
  },
  purged: {
    code: 'PURGE_UNFINISHED',
    severity: 'warning',
    message:
      'a process was stopped while it deleted this plan for good; the plan is gone, the rest of it not yet',
    cure: '`plan doctor --fix` removes the rest.',
  },
  link: {
    code: 'SYMBOLIC_LINK',
    severity: 'error',
    message: 'what should be a file or folder of the store is a symbolic link',
    cure: 'Put the file or folder itself here.',
  },
  not_a_file: {
    code: 'NOT_A_FILE',
    severity: 'error',
    message: 'what should be a file of the store is none',
    cure: 'Move it elsewhere.',
  },
  not_a_folder: {
    code: 'NOT_A_FOLDER',
    severity: 'error',
    message: 'what should be a folder of the store is none',
    cure: 'Move it elsewhere.',
  },
  unreadable: {
    code: 'NO_PERMISSION',
    severity: 'error',
    message: 'the file cannot be read',
    cure: 'chmod u+rw, or chown.',
  },
  unwritable: {
    code: 'READ_ONLY',
    severity: 'warning',
    message: 'the file cannot be written to',
    cure: 'chmod u+w, or chown.',
  },
};

/** What is wrong with files as files: names, links, permissions. */
export function fileDiagnoses(findings: readonly FileFinding[], folder: string): readonly Diagnosis[] {
  return findings.map(({ kind, path }) => ({
    ...FILES[kind],
    file: path,
    mend: kind === 'purged' ? () => endPurgeOf(folder, path) : undefined,
  }));
}

export const CANNOT_BE_READ = 'CANNOT_BE_READ';

/** The diagnosis of a file that cannot be read, for whatever the system says. */
export function cannotBeRead({ message, details: { path } }: PlanError): Diagnosis {
  return {
    code: CANNOT_BE_READ,
    severity: 'error',
    file: typeof path === 'string' ? path : '',
    message,
    cure: 'Put the file or folder that belongs there in its place, or move it elsewhere.',
  };
}

/** The diagnosis of a plan that this version cannot use, such as one of a later format; nothing is done to it. */
export function unusablePlan({ code, message, hint, details: { path } }: PlanError): Diagnosis {
  return {
    code,
    severity: 'error',
    file: typeof path === 'string' ? path : '',
    message,
    cure: hint ?? 'Bring the plan back from version control or a backup.',
  };
}

async function endPurgeOf(folder: string, path: string): Promise<string | null> {
  const id = planIdOfPurged(basename(path));
  if (id === null) return null;
  await endPurge(folder, id);
  return 'removed the rest';
}

/** What is wrong with the store as a whole: its index, and what git needs. */
export async function storeDiagnoses(folder: string, store: PlanStore): Promise<readonly Diagnosis[]> {
  const lines = [...(await missingGitLines(folder))].map(([name, missing]): Diagnosis => ({
    code: 'GIT_LINES_MISSING',
    severity: 'warning',
    file: `${folder}/${name}`,
    message: `${name} lacks ${missing.join(', ')}`,
    cure: '`plan doctor --fix` adds what git needs.',
    mend: async () => {
      await addLines(folder, name, missing);
      return 'added the lines';
    },
  }));
  return [...lines, ...(await indexDiagnoses(folder, store))];
}
