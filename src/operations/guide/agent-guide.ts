import { join } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';
import { readTextFileIfAny, writeTextFile } from '../../host/files/text-files.js';
import { defineOperation } from '../operation.js';
import { text, toggle } from '../shared/fields.js';
import { fileToChange, ownFileToChange } from '../shared/named-file.js';
import { GUIDE, MCP_CONFIG, SKILL } from './guide-text.js';
import { withMarkedPart } from './marked-part.js';
import { changedLines } from '../../kernel/text/changed-lines.js';

/** Where agents look for what they must know of a project. */
const GUIDE_FILE = 'AGENTS.md';
const SKILL_FOLDER = join('.claude', 'skills', 'frctl');

/**
 * What a coding agent must know to work a plan off: printed, put between markers of a file, or written as a skill. Of a file
 * only what is between the markers is ever changed.
 * @throws PlanError USAGE, STORAGE_FAILED, INVALID_INPUT for a file that is no text
 */
export const agentGuide = defineOperation({
  arguments: ['file'],
  input: z.strictObject({
    file: text(`with --write the file (default: ${GUIDE_FILE}), with --skill the folder`, 'file'),
    write: toggle('put it between markers of the file, and show what differs'),
    skill: toggle(`write it as a skill (default: ${SKILL_FOLDER})`),
    mcpConfig: toggle('print the entry of a host’s MCP configuration instead'),
  }),
  output: z.object({
    text: z.string(),
    file: z.string().nullable().describe('The file that has it now; null when it was only printed.'),
    changed: z.boolean(),
    diff: z.string().describe('What differs in that file, a line each.'),
  }),
  examples: [
    'plan agent-guide',
    'plan agent-guide --write',
    'plan agent-guide --skill',
    'plan agent-guide --mcp-config',
  ],
  mutates: true,
  async run(context, { file, write, skill, mcpConfig }) {
    const chosen = [write, skill, mcpConfig].filter((one) => one === true).length;
    if (chosen > 1) throw new PlanError('USAGE', 'only one of --write, --skill and --mcp-config at a time');
    if (chosen === 0 && file !== undefined)
      throw new PlanError(
        'USAGE',
        'a file is named, but none of --write, --skill and --mcp-config is given',
        {
          hint: { commandLine: `plan agent-guide --write ${shellWord(file)}` },
        },
      );
    if (write !== true && skill !== true)
      return { text: mcpConfig === true ? MCP_CONFIG : GUIDE, file: null, changed: false, diff: '' };
    const place = skill === true ? join(file ?? SKILL_FOLDER, 'SKILL.md') : (file ?? GUIDE_FILE);
    const path = (file === undefined ? ownFileToChange : fileToChange)(context, place);
    const before = (await readTextFileIfAny(path)) ?? '';
    const after = skill === true ? SKILL : withMarkedPart(before, GUIDE, place);
    const changed = before !== after;
    if (changed) await writeTextFile(path, after, 'make');
    return {
      text: skill === true ? SKILL : GUIDE,
      file: place,
      changed,
      diff: changedLines(before, after, 0)
        .map(({ sign, text }) => `${sign}${text}\n`)
        .join(''),
    };
  },
});
