import { describe, expect, test } from 'vitest';

import { newUser } from '../support/command.js';
import { expand, newWorkplace } from '../support/worked-plan.js';

const GOAL = 'Write the cart and write the checkout';

describe('what is done by hand', () => {
  test('a goal added after another is said not to wait for it, unless it does', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const placed = await place.run(['add', 'Goal x', '--after', '1']);
    expect(placed.error).toContain(
      '2 stands after 1 and does not wait for it; `plan depend 2 --on 1` makes it wait.',
    );
    const waiting = await place.run(['add', 'Goal y', '--after', '1', '--depends-on', '1']);
    expect(waiting.error).not.toContain('does not wait');
  });

  test('new words stand after the goal, and cannot be given twice', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    expect((await place.run(['rename', '2', 'New', 'words'])).out).toContain('Goal b → New words');
    const twice = await place.run(['edit', '2', 'One', '--description', 'Two']);
    expect([twice.status, twice.error]).toEqual([2, expect.stringContaining('given twice') as string]);
  });

  test('several goals are removed in one change, all or none, with the numbers that they had', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c'], ['d']), expand('d', ['e', 'f']));
    await place.run(['complete', '3']);
    const refused = await place.run(['remove', '1', '3']);
    expect([refused.status, refused.error]).toEqual([4, expect.stringContaining('Goal c') as string]);
    expect((await place.run(['show', '1'])).out).toContain('Goal a');
    const shown = await place.run(['remove', '1', '4', '4.1', '2', '--dry-run']);
    const removed = await place.run(['remove', '1', '4', '4.1', '2']);
    expect(removed.out).toBe(shown.out);
    expect(removed.out.match(/^- \S+/gm)).toEqual(['- 1', '- 2', '- 4', '- 4.1', '- 4.2']);
    expect((await place.run(['undo', '--yes'])).status).toBe(0);
    expect((await place.run(['tree'])).out).toMatch(/Goal a[^]*Goal b[^]*Goal c[^]*Goal d[^]*Goal f/);
  });

  test('a move and a failure are told by numbers and words, not by fields', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b'], ['c']), expand('c', ['d']));
    const moved = await place.run(['move', '3.1', '--under', 'root']);
    expect(moved.out).toMatch(/^ {4}below: 3 → root$/m);
    await place.run(['fail', '1', '--reason', 'No sandbox']);
    await place.run(['claim', '2', '--by', 'bo']);
    const undone = await place.run(['undo', '--by', 'bo', '--yes']);
    expect(undone.out).not.toMatch(/\d{4}-\d\d-\d\dT/);
    expect(undone.out).toMatch(/^Restored 1 goal\.$/m);
    await place.run(['redo', '--by', 'bo']);
    const log = (await place.run(['log'])).out.split('\n');
    expect(log.at(-2)).toMatch(/ {2}redid: claimed “Goal b”/);
    expect(log.at(-3)).toMatch(/ {2}undid: claimed “Goal b”/);
    expect(log.at(-2)).not.toContain('undid');
  });
});

describe('plans of the rules', () => {
  test('a goal that is found atomic is not changed by a split that is refused', async () => {
    const user = newUser();
    await user.run(['init', GOAL]);
    const before = (await user.run(['log'])).out;
    const refused = await user.run(['split', '1']);
    expect([refused.status, refused.out]).toEqual([4, '']);
    expect(refused.error).toContain('`plan split 1 --into "first part" "second part"` divides it by hand');
    expect((await user.run(['log'])).out).toBe(before);
  });

  test('what is given twice is refused, and no sub-goal is dropped unsaid', async () => {
    const user = newUser();
    await user.run(['init', GOAL]);
    const twice = await user.run(['split', '1', '--into', 'a', 'a']);
    expect([twice.status, twice.error]).toEqual([2, expect.stringContaining('“a” is given twice') as string]);
  });

  test('no reason is promised to be told to the rules, and giving one is answered with another way', async () => {
    const user = newUser();
    await user.run(['init', GOAL]);
    const failed = await user.run(['fail', '1', '--reason', 'No sandbox']);
    expect(failed.out).toContain('`plan reopen 1` tries it again; `plan split 1 --into "…" "…"`');
    expect(failed.out).not.toContain('plan replan');
    const status = (await user.run(['status'])).out;
    expect(status).toContain('`plan next --claim`');
    const replanned = await user.run(['replan', '1']);
    expect(replanned.error).toContain('The built-in rules read no reasons');
    expect(replanned.out).toContain('failure: No sandbox → none');
  });
});

describe('what leads on', () => {
  test('a claim names the commands after it, with the token where the name was given', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    expect((await place.run(['claim', '1'])).out).toContain(
      'Next   `plan context 1`, then `plan complete 1 --summary "…"`\n',
    );
    const other = (await place.run(['next', '--claim', '--by', 'bo'])).out;
    const token = /^Token {2}(\S+)$/m.exec(other)?.[1] ?? '';
    expect(other).toContain(`then \`plan complete 2 --token ${token} --summary "…"\``);
    expect((await place.run(['status'])).out).toContain('whoever holds 1 ends it with `plan complete 1`;');
    expect((await place.run(['complete', '1', '--summary', ' '])).status).toBe(2);
  });

  test('a command of plan that is given to frctl is named as it is there', async () => {
    const { status, error } = await newUser(undefined, 'frctl').run(['status']);
    expect([status, error]).toEqual([2, expect.stringContaining('`frctl plan status`') as string]);
  });

  test('nothing found, nothing removed, and the same goal twice are said', async () => {
    const user = newUser();
    await user.run(['init', GOAL]);
    const tree = await user.run(['tree', '--text', 'zzz', '--status', 'ready']);
    expect([tree.status, tree.out, tree.error]).toEqual([0, '', 'No goal says “zzz” and is ready.\n']);
    expect((await user.run(['config', 'unset', 'model'])).out).toMatch(/^model was not set in /);
    await user.run(['config', 'set', 'model', 'm1']);
    expect((await user.run(['config', 'unset', 'model'])).out).toMatch(/^Removed model in /);
    const again = await user.run(['init', GOAL]);
    expect(again.error).toMatch(/There is a plan of this goal already: \w{8} \(planned\)/);
  });
});
