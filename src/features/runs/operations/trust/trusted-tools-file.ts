import { resolve } from 'node:path';

import { readToolsFile } from '../../../actions/tools/read-tools-file.js';
import type { ToolsFile } from '../../../actions/tools/read-tools-file.js';
import { realFolder } from '../../../../host/files/folders.js';
import { readTextFile } from '../../../../host/files/text-files.js';
import { PlanError } from '../../../../kernel/errors.js';
import { shellWord } from '../../../../kernel/text/shell-word.js';
import type { Context } from '../../../../operations/shared/context.js';
import { refuseStandardInput } from '../../../../operations/shared/named-file.js';
import { digestOfFile, isTrustedFile } from './trusted-files.js';
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
    return { name: file, path, text: await readTextFile(path, MOST_BYTES, 'keep') };
  }
  const found = (await (await context.documents())?.brought('tools.yaml')) ?? null;
  if (found === null)
    throw new PlanError('FILE_NOT_FOUND', 'there is no .plans/tools.yaml', {
      hint: {
        commandLine:
          'Write one (`plan schema tools-v2` prints its form), or name another: `plan prepare … --tools FILE`.',
      },
    });
  return { name: '.plans/tools.yaml', path: realFolder(found.location), text: found.text };
}

/**
 * A tools file whose tools plans may use: the user has trusted it as it is.
 * @throws PlanError E_TOOL_UNTRUSTED naming the command that trusts it; as {@link readToolsText}
 */
export async function trustedToolsFile(
  context: Context,
  file: string | undefined,
): Promise<ToolsFile & { readonly path: string }> {
  const found = await readToolsText(context, file);
  const user = await context.userConfig();
  if (isTrustedFile(found, user)) return { ...readToolsFile(found.text, found.name), path: found.path };
  const digest = digestOfFile(found);
  const wasTrusted = (user.trusted_files ?? []).some((one) => one.file === found.path);
  throw new PlanError(
    'E_TOOL_UNTRUSTED',
    wasTrusted
      ? `${found.name} has changed since you trusted it; nothing was run`
      : `${found.name} says what is run on your machine, and you have not trusted it; nothing was run`,
    {
      hint: {
        commandLine: `\`plan tools trust${file === undefined ? '' : ` ${shellWord(file)}`}\` shows what it runs${wasTrusted ? ' and what has changed' : ''}, and trusts it when you agree.`,
      },
      details: { file: found.path, digest },
    },
  );
}
