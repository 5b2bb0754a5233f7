import type { Context } from '../../../operations/shared/context.js';
import type { Diagnosis } from '../../../storage/maintenance.js';
import { attemptFolder, isOwned, readAttemptsIn } from '../attempt/state.js';
import { lostAttempts } from './lost-attempts.js';
import { stateFolder } from '../../../operations/shared/environment.js';

/** Returns the attempts of this repository whose command was killed, and those whose record is lost. */
export async function attemptDiagnoses({
  environment,
  projectFolder,
}: Pick<Context, 'environment' | 'projectFolder'>): Promise<readonly Diagnosis[]> {
  const root = stateFolder(environment);
  const folder = projectFolder() ?? environment.workingFolder;
  const found: Diagnosis[] = [];
  for (const attempt of await readAttemptsIn(root, folder)) {
    const { plan, goal, step } = attempt;
    if (attempt.state === 'waiting' || (await isOwned(attempt))) continue;
    found.push({
      code: 'ATTEMPT_LEFT',
      severity: 'warning',
      file: attemptFolder(root, attempt),
      message: `the command that worked on goal ${goal} was killed at the step ${step}`,
      cure: `\`plan work ${plan}\` goes on with it; \`plan attempts clean ${goal}\` gives it up.`,
    });
  }
  for (const { goal, file, ref } of await lostAttempts({ environment, projectFolder })) {
    found.push({
      code: 'ATTEMPT_LOST',
      severity: 'warning',
      file: file ?? root,
      message: `no record of an attempt at goal ${goal} can be read${ref === null ? '' : `; what it made is kept as ${ref}`}`,
      cure: [
        ...(ref === null
          ? []
          : [
              `\`git show ${ref}\` shows it; land what you want of it by hand, then \`git update-ref -d ${ref}\`.`,
            ]),
        ...(file === null ? [] : [`Remove ${file}: \`plan work\` does the goal anew.`]),
      ].join(' '),
    });
  }
  return found;
}
