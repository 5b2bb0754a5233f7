import * as z from 'zod';

import { changedLines } from '../../../../kernel/text/changed-lines.js';
import { refuseUnsafeVariables } from '../../../actions/tools/unsafe-variables.js';
import type { Binding, KitBinding } from '../../../actions/tools/bindings.js';
import type { ToolsFile } from '../../../actions/tools/read-tools-file.js';
import { PlanError } from '../../../../kernel/errors.js';
import { defineOperation } from '../../../../operations/operation.js';
import { changeUserConfig } from '../../../../operations/settings/config-changes.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import { text } from '../../../../operations/shared/fields.js';
import type { ApprovalPart } from '../approving/approval-part.js';
import { secretsOf, SHELL_WARNING, trustParts } from './trust-parts.js';
import { readToolsText } from './trusted-tools-file.js';
import {
  digestOfFile,
  isTrustedFile,
  storeTrustedText,
  textTrustedLast,
  trustedLast,
  withTrustedFile,
} from './trusted-files.js';

/** So many characters of a digest name what a file holds. */
const LEAST_DIGEST = 12;
/** Lines shown on both sides of what changed. */
const LINES_BESIDE = 2;

const trustSchema = z.object({
  file: z.string().describe('The tools file.'),
  digest: z.string().describe('SHA-256 of what it holds.'),
  trusted: z.boolean().describe('Whether plans may use its tools now.'),
  was_trusted: z.boolean().describe('Whether it was trusted before, as it is or as it was.'),
  changes: z
    .array(z.object({ sign: z.enum(['-', '+', ' ']), line: z.number(), text: z.string() }))
    .readonly()
    .nullable()
    .describe('What has changed since it was trusted; null when it never was, or that is not known.'),
  tools: z
    .array(
      z.object({
        name: z.string(),
        effects: z.string(),
        runs: z.string().nullable(),
        warning: z.string().nullable(),
      }),
    )
    .readonly()
    .describe('What each tool runs; null for one that can only be drafted with.'),
  servers: z.array(z.object({ name: z.string(), runs: z.string() })).readonly(),
  secrets: z
    .array(
      z.object({
        variable: z.string(),
        to: z.string().describe('The tool, server or check that it is given to, and where that leads.'),
        at: z.string().describe('Where it stands in the file.'),
      }),
    )
    .readonly()
    .describe('The variables of yours that it passes on.'),
  content: z.record(z.string(), z.unknown()).describe('All that the file says.'),
  config: z.string().describe('Your own config, where it is kept.'),
});

/** What trusting was asked about or has done, and all of it for people. */
type TrustResult = z.output<typeof trustSchema> & { readonly parts: readonly ApprovalPart[] };

/**
 * Lets a tools file be run by as it is now, given the digest of what was looked at; without it only shows what it runs
 * and what has changed.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT, E_UNSAFE_VARIABLE, REFUSED when the digest is another, STORAGE_FAILED
 */
export const trustTools = defineOperation({
  arguments: ['file'],
  input: z.strictObject({
    file: text('the tools file (default: .plans/tools.yaml)', 'file'),
    digest: text(
      'the beginning of its digest: trusts it without asking, when it is still what you have read',
      'digest',
    ),
  }),
  output: trustSchema,
  examples: ['plan tools trust', 'plan tools trust tools.yaml --digest 6be1f5c9d3a0'],
  mutates: true,
  async run(context, { file: name, digest: expected }): Promise<TrustResult> {
    const file = await readToolsText(context, name);
    const { readToolsFile } = await import('../../../actions/tools/read-tools-file.js');
    const { withKits } = await import('../../../actions/tools/kits.js');
    const tools = await withKits(context, readToolsFile(file.text, file.name), file.name);
    const user = await context.userConfig();
    const config = userConfigPath(context.environment);
    refuseUnsafeVariables(tools, { name: file.name, allowed: user.tools?.allow_env ?? [], config });
    const digest = digestOfFile(file);
    const isTrusted = isTrustedFile(file, user);
    const before = await textTrustedLast(file, user, context.environment);
    if (expected !== undefined) refuseOther(expected, digest, file.name);
    if (expected !== undefined && !isTrusted) {
      await storeTrustedText(file, context.environment);
      await changeUserConfig(context.environment, (now) => withTrustedFile(now, file));
    }
    return {
      file: file.path,
      digest,
      trusted: isTrusted || expected !== undefined,
      was_trusted: trustedLast(file, user) !== undefined,
      changes: before === null ? null : changedLines(before, file.text, LINES_BESIDE),
      ...whatItRuns(tools),
      secrets: secretsOf(tools.content),
      content: tools.content,
      config,
      parts: trustParts(tools),
    };
  },
  document: ({ parts: _forPeople, ...document }) => document,
  exitStatus: ({ trusted }) => (trusted ? 0 : 4),
});

function refuseOther(expected: string, digest: string, name: string): void {
  if (expected.length >= LEAST_DIGEST && digest.startsWith(expected)) return;
  throw new PlanError('REFUSED', `${name} is not the version that you name: its digest is ${digest}`, {
    hint: [
      `It has changed since you read it, or fewer than ${LEAST_DIGEST} characters of its digest were given. Read it again.`,
    ],
    details: { digest },
  });
}

function whatItRuns({ tools, servers }: ToolsFile): Pick<z.output<typeof trustSchema>, 'tools' | 'servers'> {
  return {
    tools: tools.map(({ name, effects, run }) => ({
      name,
      effects,
      runs: run === null ? null : wordsOf(run),
      warning: run !== null && 'command' in run && run.shell === true ? SHELL_WARNING : null,
    })),
    servers: Array.from(servers, ([name, server]) => ({
      name,
      runs: 'command' in server ? server.command.join(' ') : server.url,
    })),
  };
}

function wordsOf(run: Binding | KitBinding): string {
  if ('kit' in run) return `kit ${run.kit}`;
  if ('command' in run)
    return run.command
      .map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word)))
      .join(' ');
  if ('file' in run) return `file.${run.file} below ${run.root ?? 'the workspace'}`;
  if ('http' in run) return `${run.http.method} ${run.http.url}`;
  return `mcp ${run.mcp}`;
}
