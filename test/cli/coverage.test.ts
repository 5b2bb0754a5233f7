import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { newUser } from '../support/command.js';
import type { Ended, User } from '../support/command.js';

const reportSchema = z.looseObject({
  lines: z.number(),
  covered: z.number(),
  uncovered: z.array(
    z.looseObject({
      text: z.string(),
      line: z.number(),
      score: z.number(),
      description: z.string().nullable(),
    }),
  ),
  unasked: z.array(z.looseObject({ number: z.string(), description: z.string(), below: z.number() })),
  verdicts: z.array(z.looseObject({ covered: z.boolean(), number: z.string().nullable() })),
});
const reportOf = (ended: Ended) => reportSchema.parse(ended.json());

const PRD = `# Shop

The shop must work without JavaScript.

## Basket

- Add products to the basket
- Show the total with taxes
  - Taxes of each country are listed

## Payment

1. Pay by card
2. Pay by invoice

| what | when |
| ---- | ---- |
| Newsletter sign-up | May |
`;

function write(user: User, text: string): void {
  writeFileSync(join(user.folder, 'PRD.md'), text);
}

async function planned(): Promise<User> {
  const user = newUser();
  write(user, PRD);
  await user.run(['init', '--from', 'PRD.md', '--expander', 'rules']);
  return user;
}

describe('plan coverage', () => {
  test('a line of words that say little is covered by the goal that was made from it', async () => {
    const user = newUser();
    write(user, '# Shop\n\n- [ ] Do it\n- [ ] Bake bread\n');
    await user.run(['init', '--from', 'PRD.md', '--expander', 'rules']);
    const ended = await user.run(['coverage', '--source', 'PRD.md', '--json']);
    expect(reportOf(ended)).toMatchObject({ uncovered: [] });
  });

  test('finds every line of a document in the plan that was made from it', async () => {
    const user = await planned();
    const ended = await user.run(['coverage', '--source', 'PRD.md', '--json']);
    expect(ended.status).toBe(0);
    expect(reportOf(ended)).toMatchObject({ lines: 7, covered: 7, uncovered: [], unasked: [] });
    expect((await user.run(['coverage', '--source', 'PRD.md'])).out).toMatch(
      /^7 of 7 lines that need a goal are covered\.\nList items, .* A goal covers a line if it has 60 % of the line’s words, or 40 % /,
    );
  });

  test('finds lines again that have moved, in another order under other headings', async () => {
    const user = await planned();
    const moved = PRD.replace(
      '# Shop\n',
      '# Shop\n\n## Paying\n\n1. Pay by invoice\n2. Pay by card\n',
    ).replace(/## Payment\n\n1.*\n2.*\n/, '');
    write(user, moved);
    const report = reportOf(await user.run(['coverage', '--source', 'PRD.md', '--json']));
    expect(report.uncovered).toEqual([]);
  });

  test('names new and rewritten lines with the nearest goal, and ends with exit 1', async () => {
    const user = await planned();
    write(
      user,
      PRD.replace('1. Pay by card', '1. Pay with a voucher that friends gave\n2. Export orders as CSV'),
    );
    const ended = await user.run(['coverage', '--source', 'PRD.md', '--json']);
    expect(ended.status).toBe(1);
    const { uncovered } = reportOf(ended);
    expect(uncovered.map(({ line, text }) => [line, text])).toEqual([
      [13, 'Pay with a voucher that friends gave'],
      [14, 'Export orders as CSV'],
    ]);
    expect(uncovered.every(({ score }) => score < 0.6)).toBe(true);
    const { out } = await user.run(['coverage', '--source', 'PRD.md']);
    expect(out).toMatch(
      /^PRD\.md:13 Pay with a voucher that friends gave\n {4}nearest: .* \(has \d+ % of the line’s words\)$/m,
    );
  });

  test('names goals whose line is gone, those below them only counted', async () => {
    const user = await planned();
    write(user, PRD.replace(/- Show the total with taxes\n.*\n/, '').replace('2. Pay by invoice\n', ''));
    const ended = await user.run(['coverage', '--source', 'PRD.md', '--json']);
    expect(ended.status).toBe(0);
    expect(reportOf(ended).unasked.map(({ description, below }) => [description, below])).toEqual([
      ['Show the total with taxes', 1],
      ['Pay by invoice', 0],
    ]);
    expect((await user.run(['coverage', '--source', 'PRD.md'])).out).toMatch(
      /\(has \d+ % of the goal’s words\)$/m,
    );
  });

  test('compares by words where the plan was not made from the document', async () => {
    const user = newUser();
    await user.run([
      'init',
      'Add a basket, show the total with taxes, and send a newsletter',
      '--expander',
      'rules',
    ]);
    write(user, '# Shop\n\n- A basket must be added\n- Totals shown with tax\n- Parcels can be tracked\n');
    const ended = await user.run(['coverage', '--source', 'PRD.md', '--json']);
    const report = reportOf(ended);
    expect(report.uncovered.map(({ text }) => text)).toEqual(['Parcels can be tracked']);
    expect(report.unasked.map(({ description }) => description)).toEqual([
      expect.stringContaining('newsletter'),
    ]);
  });

  test('without a document, or with one that is not there, says so', async () => {
    const user = await planned();
    expect((await user.run(['coverage', '--json'])).status).toBe(2);
    expect((await user.run(['coverage', '--source', 'no.md', '--json'])).status).toBe(3);
  });
});
