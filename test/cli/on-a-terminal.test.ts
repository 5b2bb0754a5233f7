import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import stringWidth from 'string-width';
import { describe, expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { printedHelp } from '../support/printed-help.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import type { Fault } from '../support/model-server.js';
import { hasTmux, openScreen, PLAN_COMMAND } from '../support/screen.js';

/** What stands on the screen without the line breaks that its width made. */
const joined = (text: string) => text.replaceAll(/\s+(?:│\s)?/g, ' ');

const LINKS = readFileSync(resolve('examples/links/plan.json'), 'utf8');

function userWithLinks() {
  const user = newUser();
  writeFileSync(join(user.folder, 'plan.json'), LINKS);
  return user;
}

describe('what people read breaks between words', () => {
  test.each([
    ['lint', 'plan.json'],
    ['lint', '--list-rules'],
    ['preview', 'plan.json'],
  ])('plan %s %s', async (...args) => {
    const user = userWithLinks();
    const [whole, narrow] = [await user.run(args), await user.run(args, { COLUMNS: '60' })];
    expect(whole.out.split('\n').some((line) => stringWidth(line) > 60)).toBe(true);
    expect(narrow.out.split('\n').filter((line) => stringWidth(line) > 60)).toEqual([]);
    expect(joined(narrow.out)).toBe(joined(whole.out));
  });

  test('a rule is explained in lines that fit, beside plans that can be copied', async () => {
    const user = newUser();
    const { out } = await user.run(['lint', '--explain', 'IMPLICIT_DEPENDENCY'], { COLUMNS: '60' });
    const [prose = '', plans = ''] = out.split(/(?=Bad:)/);
    expect(prose.split('\n').filter((line) => stringWidth(line) > 60)).toEqual([]);
    expect((await user.run(['lint', '--explain', 'IMPLICIT_DEPENDENCY'])).out).toContain(plans);
  });

  test('the first screen of help and the list of all commands; commands come before options', () => {
    const screens = printedHelp([['help'], ['--help'], ['help', '--all']]);
    expect(screens).toHaveLength(3);
    for (const help of screens) {
      expect(help.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
      expect(help.indexOf('\n\nStart:')).toBeLessThan(help.indexOf('\n\nOptions:'));
      expect(help).toMatch(/\n\nOptions:\n(?: {2}-.+\n)+\n`plan help --all`/);
    }
  });
});

test('what is for files and other programs is printed as it is, whatever the width', async () => {
  const user = userWithLinks();
  for (const args of [
    ['agent-guide'],
    ['lint', 'plan.json', '--format', 'json'],
    ['lint', 'plan.json', '--format', 'github'],
    ['preview', 'plan.json', '--format', 'toon'],
  ]) {
    const [whole, narrow] = [await user.run(args), await user.run(args, { COLUMNS: '40' })];
    expect([args, narrow.out]).toEqual([args, whole.out]);
  }
  const mended = await user.run(['lint', '-', '--fix'], { COLUMNS: '40' }, LINKS);
  expect(mended.out).toBe((await user.run(['lint', '-', '--fix'], {}, LINKS)).out);
});

describe.skipIf(!hasTmux)('on a terminal (needs tmux)', () => {
  test('plan mcp says that it waits for a host, and how to end it', async () => {
    const screen = openScreen(newUser(), `${PLAN_COMMAND} mcp`);
    const lines = await screen.until(/Ctrl-C ends it/);
    expect(lines.slice(0, 2)).toEqual([
      'Waiting for an MCP client on standard input; Ctrl-C ends it.',
      'docs/mcp.md says how a client starts it.',
    ]);
  });

  test('a server that limits requests again and again is one line', async () => {
    const busy: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '0' } };
    const server = await startModelServer({
      tree: uniformTree(2, 2),
      faults: ({ number }) => (number % 2 === 1 && number < 8 ? busy : undefined),
      delay: 200,
    });
    onTestFinished(() => server.close());
    const environment = { FRCTL_BASE_URL: server.baseUrl, FRCTL_MODEL: 'test-model', FRCTL_LINK: 'false' };
    const user = newUser();
    const screen = openScreen(user, `${PLAN_COMMAND} init "Build the thing"`, { environment });
    const lines = await screen.until(/\[exit 0\]/);
    expect(lines.filter((line) => line.includes('is rate-limited'))).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/test-model is rate-limited; now at most \d+ at once \(\d times\)/);
  });

  test('what follows Ctrl-C in a review begins on a line of its own', async () => {
    const screen = openScreen(newUser(), `${PLAN_COMMAND} init "Paint the fence, and mow the lawn" --review`);
    await screen.until(/2 Mow the lawn\n[^]*>$/);
    screen.type('C-c');
    const lines = await screen.until(/\[exit 130\]/);
    expect(lines).toContain('>');
    expect(lines.filter((line) => /^> ./.test(line))).toEqual([]);
  });
});
