import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { KITS } from '../../src/features/kits/kits.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { sha256 } from '../../src/kernel/sha256.js';
import { callWith, newWorkplace } from '../support/workplace.js';

function newVault(root = '.') {
  const place = newWorkplace();
  const at = (name: string) => join(place.root, root, name);
  mkdirSync(at('.'), { recursive: true });
  const toolOf = (name: string) => {
    const tool = KITS.flatMap(({ tools }) => tools).find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.carry({ root }, { environment: place, markOfLook: () => 'look' });
  };
  return {
    place,
    at,
    toolOf,
    write: (name: string, text: string | Buffer) => outputFileSync(at(name), text),
    read: (name: string) => readFileSync(at(name), 'utf8'),
    run: (name: string, args: JsonObject) => toolOf(name).call(callWith(args)),
    output: async (name: string, args: JsonObject) => {
      const outcome = await toolOf(name).call(callWith(args));
      return outcome.outcome === 'succeeded' ? outcome.output : outcome.error;
    },
  };
}

describe('a path of a vault', () => {
  test.each([
    ['../a', 'OUTSIDE_VAULT'],
    ['a\\..\\..\\b', 'OUTSIDE_VAULT'],
    ['.obsidian/app.json', 'HIDDEN_PATH'],
    ['.git/config', 'HIDDEN_PATH'],
    ['a/.plans/x', 'HIDDEN_PATH'],
    ['a:b', 'INVALID_NAME'],
    ['what?', 'INVALID_NAME'],
    ['a\u0007b', 'INVALID_NAME'],
    ['a\u0085b', 'INVALID_NAME'],
    ['end. ', 'INVALID_NAME'],
    ['folder./a', 'INVALID_NAME'],
    [`${'é'.repeat(130)}.md`, 'INVALID_NAME'],
  ])('%j is refused, and nothing is written', async (path, code) => {
    const vault = newVault();
    expect(await vault.run('vault.createFile', { path, content: 'x' })).toMatchObject({
      outcome: 'not_sent',
      error: { code },
    });
    const { problem } = vault.toolOf('vault.createFile');
    expect(problem?.({ args: { path, content: '' }, later: new Set() })).toContain(code);
  });

  test('gets .md where it has no dot, / for \\, and loses a leading /; a folder never gets .md', async () => {
    const vault = newVault('notes');
    expect(await vault.output('vault.createFile', { path: '/Ä/日本', content: '1' })).toMatchObject({
      path: 'Ä/日本.md',
    });
    expect(await vault.output('vault.createFile', { path: 'Ä\\b.txt', content: '1' })).toMatchObject({
      path: 'Ä/b.txt',
    });
    expect(await vault.output('vault.ensureFolder', { path: 'x/y' })).toEqual({ path: 'x/y', created: true });
    expect(await vault.output('vault.ensureFolder', { path: 'x/y' })).toEqual({
      path: 'x/y',
      created: false,
    });
    expect(vault.read('Ä/日本.md')).toBe('1');
  });

  test('a name there in another normal form is that file, and one that differs in case alone is none', async () => {
    const vault = newVault();
    const decomposed = 'Café.md'.normalize('NFD');
    vault.write(decomposed, 'old');
    expect(await vault.output('vault.writeFile', { path: 'Café', content: 'new' })).toMatchObject({
      path: decomposed,
    });
    expect(vault.read(decomposed)).toBe('new');
    expect(await vault.run('vault.readFile', { path: 'CAFÉ' })).toMatchObject({
      error: { code: 'CASE_CONFLICT' },
    });
  });

  test('never leads through a link, to a file or to a folder', async () => {
    const vault = newVault();
    vault.write('real/a.md', 'a');
    symlinkSync(vault.at('real'), vault.at('linked'));
    symlinkSync(vault.at('real/a.md'), vault.at('b.md'));
    for (const path of ['linked/a', 'b'])
      expect(await vault.run('vault.readFile', { path })).toMatchObject({ error: { code: 'LINK' } });
    expect(await vault.output('vault.listFiles', { recursive: true })).toMatchObject({
      items: [{ path: 'real' }, { path: 'real/a.md' }],
    });
  });
});

describe('notes', () => {
  test('are made once: the same again is no change, something else is refused, kept or replaced as it is asked', async () => {
    const vault = newVault();
    const args = { path: 'a', content: 'one', frontmatter: { tags: ['x'], n: 1 } };
    expect(await vault.output('vault.createFile', args)).toMatchObject({ path: 'a.md', created: true });
    expect(vault.read('a.md')).toBe('---\ntags:\n  - x\nn: 1\n---\none');
    expect(await vault.output('vault.createFile', args)).toMatchObject({ created: false });
    const other = { path: 'a', content: 'two' };
    expect(await vault.run('vault.createFile', other)).toMatchObject({ error: { code: 'ALREADY_EXISTS' } });
    const unique = { ...other, collisionStrategy: 'create-unique' };
    expect(await vault.output('vault.createFile', unique)).toMatchObject({ path: 'a 1.md' });
    expect(await vault.output('vault.createFile', unique)).toMatchObject({ path: 'a 2.md' });
    expect(await vault.output('vault.createFile', { ...other, ifNotExists: false })).toMatchObject({
      path: 'a.md',
      created: false,
    });
    expect(vault.read('a.md')).toBe('two');
    expect(vault.place.kept.map(String)).toEqual(['---\ntags:\n  - x\nn: 1\n---\none']);
    const twice = { path: 'b', content: '---\na: 1\n---\n', frontmatter: { b: 1 } };
    expect(await vault.run('vault.createFile', twice)).toMatchObject({ error: { code: 'TWO_FRONTMATTERS' } });
    const { effectsOf } = vault.toolOf('vault.createFile');
    expect([effectsOf?.(other), effectsOf?.(unique)]).toEqual(['idempotent', 'once']);
  });

  test('keep their byte order mark and their line ends', async () => {
    const vault = newVault();
    vault.write('a.md', '\uFEFF---\r\ntitle: T\r\n---\r\none\r\ntwo\r\n');
    expect(await vault.output('vault.readFile', { path: 'a' })).toMatchObject({
      frontmatter: { title: 'T' },
      content: '---\r\ntitle: T\r\n---\r\none\r\ntwo\r\n',
    });
    expect(
      await vault.output('vault.patchFile', { path: 'a', find: 'one\ntwo', text: '1\n2' }),
    ).toMatchObject({ applied: 1 });
    await vault.output('vault.writeFile', { path: 'a', content: 'more\n', mode: 'append' });
    expect(vault.read('a.md')).toBe('\uFEFF---\r\ntitle: T\r\n---\r\n1\r\n2\r\nmore\r\n');
  });

  test('are written only where they are what they were, and patched only where the text is so many times', async () => {
    const vault = newVault();
    vault.write('a.md', 'x x');
    expect(
      await vault.run('vault.writeFile', { path: 'a', content: 'y', expectedEtag: sha256('z') }),
    ).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(await vault.run('vault.patchFile', { path: 'a', find: 'x', text: 'y' })).toMatchObject({
      error: { code: 'COUNT' },
    });
    expect(await vault.run('vault.patchFile', { path: 'a', find: 'z', text: 'y' })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    await vault.output('vault.patchFile', { path: 'a', find: 'x', text: '$&', count: 2 });
    expect(vault.read('a.md')).toBe('$& $&');
    const tool = vault.toolOf('vault.writeFile');
    const [state] = (await tool.inputs?.({ path: 'a', content: 'n' })) ?? [];
    expect(state).toEqual({ path: 'a.md', sha256: sha256('$& $&') });
    const expected = [{ path: 'a.md', sha256: sha256('x x'), since: 'prepared' as const }];
    expect(await tool.call(callWith({ path: 'a', content: 'n' }, { expected }))).toMatchObject({
      error: { code: 'CONFLICT' },
    });
  });

  test('are read as text, in part, or as bytes; what is no text is refused', async () => {
    const vault = newVault();
    vault.write('a.md', 'äbc');
    vault.write('b.bin', Buffer.from([0xff, 0x00]));
    expect(await vault.output('vault.readFile', { path: 'a', maxBytes: 1 })).toMatchObject({
      content: '',
      truncated: true,
    });
    expect(await vault.output('vault.readFile', { path: 'a', range: { start: 1, end: 2 } })).toMatchObject({
      content: 'b',
    });
    expect(await vault.run('vault.readFile', { path: 'b.bin' })).toMatchObject({
      error: { code: 'NOT_TEXT' },
    });
    expect(await vault.output('vault.readFile', { path: 'b.bin', as: 'base64' })).toMatchObject({
      content: '/wA=',
    });
  });

  test('are found by text and by pattern, page by page', async () => {
    const vault = newVault();
    vault.write('b/two.md', 'nothing\nA Needle here, needle\n');
    vault.write('a.md', 'needle');
    vault.write('c.png', 'needle');
    expect(await vault.output('vault.searchText', { query: 'needle', limit: 2 })).toMatchObject({
      matches: [
        { path: 'a.md', line: 1, start: 0, end: 6, snippet: 'needle' },
        { path: 'b/two.md', line: 2, start: 2, end: 8 },
      ],
      truncated: true,
    });
    const cased = { query: '(a+)+N', mode: 'regex', caseSensitive: true, paths: ['b'] };
    expect(await vault.output('vault.searchText', cased)).toEqual({ matches: [], truncated: false });
    expect(await vault.run('vault.searchText', { query: '(', mode: 'regex' })).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
    expect(
      await vault.output('vault.listFiles', { recursive: true, extensions: ['md'], limit: 1 }),
    ).toMatchObject({
      items: [{ path: 'a.md', kind: 'file', sizeBytes: 6 }],
      truncated: true,
      nextOffset: 1,
    });
  });
});

describe('a rename', () => {
  test('has links go on meaning the note: in properties, embeds, with headings and aliases, not in code', async () => {
    const vault = newVault();
    vault.write('Old name.md', '# h\n[self](Old%20name.md#h)\n');
    vault.write(
      'sub/Links.md',
      [
        '---',
        'up: "[[Old name]]"',
        '---',
        '[[Old name#h|alias]] ![[Old name]] [[old NAME]] [[Old name.md]]',
        '[t](../Old%20name.md#h) [t](<../Old name.md>) [web](https://x.org/Old%20name.md)',
        '| a | [[Old name\\|b]] |',
        '`[[Old name]]` ``[[Old name]] ` ``',
        '```',
        '[[Old name]]',
        '```',
        '[[Other]]',
      ].join('\r\n'),
    );
    vault.write('Other.md', 'no link');
    const renamed = { fromPath: 'Old name', toPath: 'new/New (1)' };
    expect(await vault.output('vault.rename', renamed)).toEqual({
      fromPath: 'Old name.md',
      toPath: 'new/New (1).md',
      linksUpdated: 9,
      changed: ['new/New (1).md', 'sub/Links.md'],
    });
    expect(vault.read('sub/Links.md')).toBe(
      [
        '---',
        'up: "[[New (1)]]"',
        '---',
        '[[New (1)#h|alias]] ![[New (1)]] [[New (1)]] [[New (1).md]]',
        '[t](../new/New%20%281%29.md#h) [t](<../new/New (1).md>) [web](https://x.org/Old%20name.md)',
        '| a | [[New (1)\\|b]] |',
        '`[[Old name]]` ``[[Old name]] ` ``',
        '```',
        '[[Old name]]',
        '```',
        '[[Other]]',
      ].join('\r\n'),
    );
    expect(vault.read('new/New (1).md')).toBe('# h\n[self](New%20%281%29.md#h)\n');
    expect(existsSync(vault.at('Old name.md'))).toBe(false);
  });

  test('takes the shortest name that means it, and moves links of a moved note along', async () => {
    const vault = newVault();
    vault.write('a/Twin.md', '1');
    vault.write('b/Note.md', '[rel](../a/Twin.md) [[Twin]]');
    vault.write('See.md', '[[Note]]');
    expect(await vault.output('vault.rename', { fromPath: 'b/Note', toPath: 'c/d/Twin' })).toMatchObject({
      linksUpdated: 3,
    });
    expect(vault.read('See.md')).toBe('[[c/d/Twin]]');
    expect(vault.read('c/d/Twin.md')).toBe('[rel](../../a/Twin.md) [[a/Twin]]');
  });

  test('moves a folder with its notes, never into itself, and nothing over what is there', async () => {
    const vault = newVault();
    vault.write('f/a.md', '[[f/b]]');
    vault.write('f/b.md', '');
    vault.write('g.md', '');
    expect(await vault.run('vault.rename', { fromPath: 'f', toPath: 'f/sub' })).toMatchObject({
      error: { code: 'INTO_ITSELF' },
    });
    expect(await vault.run('vault.rename', { fromPath: 'f/a', toPath: 'g' })).toMatchObject({
      error: { code: 'ALREADY_EXISTS' },
    });
    expect(await vault.output('vault.rename', { fromPath: 'f', toPath: 'h' })).toMatchObject({
      toPath: 'h',
      linksUpdated: 1,
    });
    expect(vault.read('h/a.md')).toBe('[[h/b]]');
    const unique = { fromPath: 'h/a', toPath: 'g', collisionStrategy: 'create-unique' };
    expect(await vault.output('vault.rename', unique)).toMatchObject({ toPath: 'g 1.md' });
    expect(await vault.output('vault.rename', { fromPath: 'g 1', toPath: 'G 1' })).toMatchObject({
      toPath: 'G 1.md',
    });
  });

  test('goes into the trash of the vault, where nothing is written over', async () => {
    const vault = newVault();
    for (const text of ['1', '2']) {
      vault.write('a/x.md', text);
      await vault.output('vault.delete', { path: 'a/x' });
    }
    expect([vault.read('.trash/a/x.md'), vault.read('.trash/a/x 1.md')]).toEqual(['1', '2']);
    expect(await vault.output('vault.delete', { path: 'a/x', requireExists: false })).toMatchObject({
      deleted: false,
    });
    vault.write('a/y.md', 'y');
    expect(await vault.output('vault.delete', { path: 'a/y', trash: false })).toMatchObject({
      trashed: false,
      deleted: true,
    });
    expect(vault.place.kept.map(String)).toContain('y');
  });
});

describe('texts', () => {
  test('bullets are read with their state, not in fences, nested ones where they are asked for', async () => {
    const vault = newVault();
    const text = '- one\n* [x] two\n  - inner\n```\n- no\n```\n+ [ ] three\n1. no bullet\n• four';
    const args = { text, allowNested: true };
    expect(await vault.output('util.parseMarkdownBullets', args)).toMatchObject({
      items: [
        { text: 'one', raw: '- one', depth: 0 },
        { text: 'two', checked: true },
        { text: 'inner', depth: 1 },
        { text: 'three', checked: false },
        { text: 'four' },
      ],
      count: 5,
    });
    expect(await vault.output('util.parseMarkdownBullets', { text })).toMatchObject({ count: 4 });
  });

  test('titles become slugs and names of every script, and never nothing', async () => {
    const vault = newVault();
    const slug = async (title: string) => vault.output('util.slugifyTitle', { title });
    expect(await slug('Größe & 日本語: Ünïcode!')).toEqual({ slug: 'größe-日本語-ünïcode' });
    expect(await slug('!!!')).toEqual({ slug: `note-${sha256('!!!').slice(0, 8)}` });
    const name = async (title: string) => vault.output('util.fileName', { title });
    expect(await name('a/b: "c" [[d|e]]. ')).toEqual({ name: 'a b c e' });
    expect(await name('...')).toEqual({ name: `note-${sha256('...').slice(0, 8)}` });
    const { name: long } = (await name('語'.repeat(200))) as { name: string };
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(240);
  });

  test('links are the shortest that mean their notes', async () => {
    const vault = newVault();
    vault.write('x/A.md', '');
    const notes = ['y/A', { path: 'y/B.md' }];
    expect(await vault.output('util.wikilinks', { notes, titles: ['', 'Bee|s'] })).toEqual({
      text: '- [[y/A]]\n- [[B|Bee s]]',
      links: ['[[y/A]]', '[[B|Bee s]]'],
      count: 2,
    });
  });
});

test('links are found in time that grows as the text does', async () => {
  const { linksIn } = await import('../../src/features/kits/vault/links.js');
  for (const piece of ['[[', '](', '](<', '`', '``` ', '[[a|', '](a(', '](a '])
    expect(linksIn(piece.repeat(100_000)).length).toBeLessThanOrEqual(100_000);
});

test('the root of a vault stays within the workspace', () => {
  const [vault] = KITS;
  for (const root of ['/etc', '../x', 'a/../../b', '~/notes', 'a\\..\\..'])
    expect(vault?.options.safeParse({ root }).success).toBe(false);
});
