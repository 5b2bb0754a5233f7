import * as z from 'zod';

import { pureTool } from '../kit.js';
import type { KitTool } from '../kit.js';
import { indexOf, shortestTarget } from './links.js';
import { findPath, listVault } from './paths.js';
import { fileNameOf, slugOf } from './title.js';
import { vaultTool } from './vault-tool.js';

interface Bullet {
  readonly text: string;
  readonly raw: string;
  readonly depth: number;
  readonly checked?: boolean;
}

const bullets = z.strictObject({ text: z.string(), allowNested: z.boolean().default(false) });

export const parseMarkdownBullets: KitTool = {
  name: 'util.parseMarkdownBullets',
  description: 'Reads the bullets of a text.',
  effects: 'none',
  rev: 1,
  input: bullets,
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        text: z.string(),
        raw: z.string(),
        depth: z.int(),
        checked: z.boolean().optional(),
      }),
    ),
    count: z.int(),
  }),
  carry: () =>
    pureTool(bullets, ({ text, allowNested }) => {
      const items = bulletsOf(text).filter(({ depth }) => allowNested || depth === 0);
      return { items, count: items.length };
    }),
};

function bulletsOf(text: string): readonly Bullet[] {
  const found: Bullet[] = [];
  const indents: number[] = [];
  let fence: string | null = null;
  for (const raw of text.split(/\r?\n/)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(raw)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    const [, blank = '', said = ''] = fence === null ? (/^(\s*)[-*+•]\s+(\S.*)$/u.exec(raw) ?? []) : [];
    if (said === '') continue;
    const indent = blank.replaceAll('\t', '    ').length;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    const [, box] = /^\[([ xX])\]\s/.exec(said) ?? [];
    const state = box === undefined ? {} : { checked: box !== ' ' };
    found.push({
      text: (box === undefined ? said : said.slice(4)).trim(),
      raw,
      depth: indents.length,
      ...state,
    });
    indents.push(indent);
  }
  return found;
}

const title = z.strictObject({
  title: z.string(),
  maxLength: z.int().min(1).max(200).default(100),
});

export const slugifyTitle: KitTool = {
  name: 'util.slugifyTitle',
  description: 'Makes a slug of a title; letters of every script are kept.',
  effects: 'none',
  rev: 1,
  input: title,
  output: z.strictObject({ slug: z.string() }),
  carry: () => pureTool(title, ({ title: said, maxLength }) => ({ slug: slugOf(said, maxLength) })),
};

export const fileName: KitTool = {
  name: 'util.fileName',
  description: 'Makes a title the name of a note.',
  effects: 'none',
  rev: 1,
  input: title,
  output: z.strictObject({ name: z.string() }),
  carry: () => pureTool(title, ({ title: said, maxLength }) => ({ name: fileNameOf(said, maxLength) })),
};

export const wikilinks = vaultTool({
  name: 'util.wikilinks',
  description: 'Makes a list of links to notes, each with the shortest target that means it.',
  effects: 'none',
  input: z.strictObject({
    notes: z.array(z.union([z.string(), z.looseObject({ path: z.string() })])),
    titles: z.array(z.string()).optional().describe('What is shown in place of a target, note by note.'),
    prefix: z.string().default('- '),
    embed: z.boolean().default(false),
  }),
  output: z.strictObject({ text: z.string(), links: z.array(z.string()), count: z.int() }),
  async work({ notes, titles = [], prefix, embed }, vault) {
    const files = (await listVault(vault)).filter(({ kind }) => kind === 'file').map(({ within }) => within);
    const paths = await Promise.all(
      notes.map((note) => findPath(typeof note === 'string' ? note : note.path, 'file', vault)),
    );
    // A note that is not there yet counts as well.
    const index = indexOf(new Set([...files, ...paths.map(({ within }) => within)]));
    const links = paths.map(({ within }, number) => {
      const target = shortestTarget(within, index);
      const shown = titles[number]?.replaceAll(/[[\]|\r\n]+/g, ' ').trim() ?? '';
      const alias = shown === '' || shown === target ? '' : `|${shown}`;
      return `${embed ? '!' : ''}[[${target}${alias}]]`;
    });
    return { text: links.map((link) => prefix + link).join('\n'), links, count: links.length };
  },
});
