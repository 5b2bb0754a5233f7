import * as z from 'zod';

import type { Kit } from '../kit.js';
import { EDITOR_TOOLS } from './editor-tools.js';
import { listFiles, searchText } from './looking-tools.js';
import { deleteFile, rename } from './moving-tools.js';
import { createFile, ensureFolder, patchFile, readFile, writeFile } from './note-tools.js';
import { fileName, parseMarkdownBullets, slugifyTitle, wikilinks } from './text-tools.js';

/** A folder of notes, as Obsidian keeps one. */
export const vault: Kit = {
  name: 'vault',
  options: z.strictObject({
    root: z
      .string()
      .min(1)
      .regex(/^(?![/\\~])(?!(?:.*[/\\])?\.\.(?:[/\\]|$))/, 'must be a folder of the project')
      .default('.')
      .describe('The folder of the notes, relative to the project.'),
  }),
  programs: [],
  tools: [
    ensureFolder,
    createFile,
    readFile,
    writeFile,
    patchFile,
    rename,
    deleteFile,
    listFiles,
    searchText,
    parseMarkdownBullets,
    slugifyTitle,
    fileName,
    wikilinks,
    ...EDITOR_TOOLS,
  ],
};
