import { resolve } from 'node:path';

import { withKits } from '../../../actions/tools/kits.js';
import { readToolsFile } from '../../../actions/tools/read-tools-file.js';
import type { ToolsFile } from '../../../actions/tools/read-tools-file.js';
import { refuseUnsafeVariables } from '../../../actions/tools/unsafe-variables.js';
import { realFolder } from '../../../../host/files/folders.js';
import { readStoredText } from '../../../../host/files/text-files.js';
import { PlanError } from '../../../../kernel/errors.js';
import { shellWord } from '../../../../kernel/text/shell-word.js';
import type { Context } from '../../../../operations/shared/context.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import { refuseStandardInput } from '../../../../operations/shared/named-file.js';
import { digestOfFile, isTrustedFile, trustedLast } from './trusted-files.js';
import type { FileToTrust } from './trusted-files.js';

const MOST_BYTES = 4 * 1024 * 1024;

/** A tools file, with its name for messages. */
export interface NamedToolsFile extends FileToTrust {
  readonly name: string;
}

/**
 * The text of a tools file, trusted or not.
 * @param file as the user names it; `.plans/tools.yaml` when it is left out
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT, STORAGE_FAILED
 */
export async function readToolsText(context: Context, file: string | undefined): Promise<NamedToolsFile> {
  refuseStandardInput(file, 'a tools file is trusted where it is');
  if (file !== undefined) {
    const path = realFolder(resolve(context.environment.workingFolder, file));
    // A run names it long after its user has: whatever is in its place by now.
    return { name: file, path, text: await readStoredText(path, MOST_BYTES, 'keep') };
  }
  const found = (await (await context.documents())?.brought('tools.yaml')) ?? null;
  if (found === null)
    throw new PlanError('FILE_NOT_FOUND', 'there is no .plans/tools.yaml', {
      hint: {
        commandLine:
          '`plan tools add vault` writes one with a kit (docs/kits.md has them all); `plan schema tools-v3` prints the form of your own, and `--tools FILE` names another.',
      },
    });
  return { name: '.plans/tools.yaml', path: realFolder(found.location), text: found.text };
}

/**
 * A tools file whose tools plans may use: the user has trusted it as it is.
 * @throws PlanError E_TOOL_UNTRUSTED naming the command that trusts it; E_UNSAFE_VARIABLE; as {@link readToolsText}
 */
export async function trustedToolsFile(
  context: Context,
  file: string | undefined,
): Promise<ToolsFile & { readonly path: string }> {
  const found = await readToolsText(context, file);
  const user = await context.userConfig();
  if (isTrustedFile(found, user)) {
    const file = await withKits(context, readToolsFile(found.text, found.name), found.name);
    const config = userConfigPath(context.environment);
    refuseUnsafeVariables(file, { name: found.name, allowed: user.tools?.allow_env ?? [], config });
    return { ...file, path: found.path };
  }
  const digest = digestOfFile(found);
  const last = trustedLast(found, user);
  const wasTrusted = last !== undefined;
  const why = !wasTrusted
    ? 'says what is run on your machine, and you have not trusted it'
    : last.digest === digest
      ? 'was trusted by an earlier version, which did not record for what'
      : 'has changed since you trusted it';
  throw new PlanError('E_TOOL_UNTRUSTED', `${found.name} ${why}; nothing was run`, {
    hint: {
      commandLine: `\`plan tools trust${file === undefined ? '' : ` ${shellWord(file)}`}\` shows what it runs${wasTrusted ? ' and what has changed' : ''}, and trusts it when you agree.`,
    },
    details: { file: found.path, digest },
  });
}
