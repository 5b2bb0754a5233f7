import * as z from 'zod';

import { PlanError } from '../../../../kernel/errors.js';
import { defineOperation } from '../../../../operations/operation.js';
import { changeUserConfig } from '../../../../operations/settings/config-changes.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import { text } from '../../../../operations/shared/fields.js';
import { readApprovers } from '../approving/approvers.js';
import { digestOfFile, withTrustedFile } from './trusted-files.js';

/** So many characters of a digest name what a file holds. */
const LEAST_DIGEST = 12;

/**
 * Lets those approve runs by their signatures whom the list of signers names, as it is now.
 * @throws PlanError FILE_NOT_FOUND when no list is named, REFUSED when it is another, STORAGE_FAILED
 */
export const trustApprovers = defineOperation({
  arguments: ['digest'],
  input: z.strictObject({
    digest: text('the beginning of its digest, so that what was read is what is trusted', 'digest'),
  }),
  output: z.object({
    digest: z.string(),
    signers: z.string().describe('The allowed-signers file.'),
    min: z.number().describe('Signatures that a run needs.'),
    file: z.string().describe('Your own config, where it is kept.'),
  }),
  examples: ['plan config trust-approvers', 'plan config trust-approvers 6be1f5c9d3a0'],
  mutates: true,
  async run(context, { digest: expected }) {
    const approvers = await readApprovers(context);
    if (approvers === null)
      throw new PlanError('FILE_NOT_FOUND', 'the config names no approvers', {
        hint: { commandLine: 'The setting `approval` does: {"signers": ".plans/approvers", "min": 2}.' },
      });
    const digest = digestOfFile(approvers);
    if (expected !== undefined && (expected.length < LEAST_DIGEST || !digest.startsWith(expected)))
      throw new PlanError(
        'REFUSED',
        `${approvers.name} is not the version that you name: its digest is ${digest}`,
        {
          hint: ['It has changed since you read it. Read it again.'],
          details: { digest },
        },
      );
    await changeUserConfig(context.environment, (user) => withTrustedFile(user, approvers));
    return { digest, signers: approvers.path, min: approvers.min, file: userConfigPath(context.environment) };
  },
});
