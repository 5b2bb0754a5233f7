import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { toString } from 'mdast-util-to-string';
import { unified } from 'unified';
import type { Nodes, Root } from 'mdast';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PAGES = pages();

describe('the documentation', () => {
  test('has its pages', () => {
    expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/commands.md']));
  });

  test.each(PAGES)('%s has no relative link that leads nowhere', (page) => {
    const broken = linksOf(parse(page)).filter((link) => !/^[a-z]+:/i.test(link) && !resolves(page, link));
    expect(broken).toEqual([]);
  });

  test('every relative link of a page that is shipped leads to what is shipped', () => {
    const { files = [] }: { readonly files?: readonly string[] } = JSON.parse(
      readFileSync(join(REPOSITORY, 'package.json'), 'utf8'),
    );
    // npm ships these whatever is listed.
    const shipped = [...files, 'README.md', 'LICENSE', 'package.json'];
    const isShipped = (path: string) => shipped.some((each) => path === each || path.startsWith(`${each}/`));
    const links = PAGES.filter(isShipped).flatMap((page) =>
      linksOf(parse(page))
        .filter((link) => !/^(?:[a-z]+:|#)/i.test(link))
        .map((link) => [page, join(dirname(page), link.replace(/#.*$/, ''))] as const),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(([, path]) => !isShipped(path))).toEqual([]);
  });

  test('a page that is shipped and names a file that is not says that the repository has it', () => {
    const silent = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/architecture.md').filter(
      (page) => {
        const text = readFileSync(join(REPOSITORY, page), 'utf8');
        const named = [...text.matchAll(/`((?:src|test|scripts|bench)\/[\w./-]+)`/g)].filter(
          ([, path = '']) => existsSync(join(REPOSITORY, path)),
        );
        return named.length > 0 && !/\brepository\b/.test(text);
      },
    );
    expect(silent).toEqual([]);
  });

  test('the README names every page', () => {
    const linked = linksOf(parse('README.md'));
    const missing = PAGES.filter((page) => page.startsWith('docs/') && !linked.includes(page));
    expect(missing).toEqual([]);
  });

  test('the README is read in one go', () => {
    expect(readFileSync(join(REPOSITORY, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(121);
  });

  test('the README names no file in its examples that the clone lacks', () => {
    const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```sh\n([^]*?)```/g)].map(([, commands = '']) => commands);
    const words = blocks.flatMap((block) => block.replaceAll(/#.*$/gm, '').split(/\s+/));
    const named = words.filter((word) => /^[\w./-]+\.(?:md|json|ya?ml)$/.test(word));
    // What is made by the commands themselves, or is one's own answer to `plan ask`.
    const missing = named.filter((file) => file !== 'answers.json' && !existsSync(join(REPOSITORY, file)));
    expect([missing, named.length > 3]).toEqual([[], true]);
  });

  test('the tour begins with a document of the examples', () => {
    const example = readFileSync(join(REPOSITORY, 'examples/documents/PRD.md'), 'utf8');
    expect(readFileSync(join(REPOSITORY, 'docs/tour.md'), 'utf8')).toContain(example);
  });

  test('.ci/run runs what the README says', () => {
    const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');
    const script = readFileSync(join(REPOSITORY, '.ci/run'), 'utf8');
    const [install = '', tests = ''] = [...readme.matchAll(/```sh\n(.*)\n```/g)].map(
      ([, command]) => command,
    );
    expect(install).toContain('npm ci');
    expect(script).toContain(`\n  ${install}\n`);
    expect(tests).toBe('npm test');
    expect(script).toContain(`\n${tests} `);
  });
});

function pages(): readonly string[] {
  return [...filesIn('.'), ...filesIn('docs')].filter((path) => path.endsWith('.md'));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(REPOSITORY, folder)).map((name) => join(folder, name));
}

const parsed = new Map<string, Root>();

/** A page as a tree; each is read once, for that takes long and every link to a heading asks for it. */
function parse(page: string): Root {
  const known = parsed.get(page) ?? parseAnew(page);
  parsed.set(page, known);
  return known;
}

function parseAnew(page: string): Root {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .parse(readFileSync(join(REPOSITORY, page), 'utf8'));
}

function linksOf(node: Nodes): readonly string[] {
  const own = node.type === 'link' || node.type === 'definition' || node.type === 'image' ? [node.url] : [];
  return 'children' in node ? [...own, ...node.children.flatMap(linksOf)] : own;
}

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
  if (!existsSync(join(REPOSITORY, target))) return false;
  return anchor === undefined || anchorsOf(parse(target)).has(anchor);
}

/** The anchors of headings, made as GitHub makes them. */
function anchorsOf(root: Root): ReadonlySet<string> {
  const headings = root.children.filter((node) => node.type === 'heading');
  return new Set(
    headings.map((heading) =>
      toString(heading)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
