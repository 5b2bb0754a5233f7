import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { answerFrom } from '../support/answering-agent.js';
import { temporaryFolder } from '../support/folders.js';
import { expansionOf, startModelServer } from '../support/model-server.js';
import type { SeenRequest } from '../support/model-server.js';
import {
  DIVIDING,
  honest,
  isLink,
  LINKED,
  listed,
  MODULES,
  nodeOf,
  numbers,
  PARTS,
  TREE,
  WIDE,
} from '../support/large-link.js';

async function newPlace(respond: (request: SeenRequest) => unknown = ({ user }) => honest(user)) {
  const server = await startModelServer({
    respond: (request) => (isLink(request) ? respond(request) : expansionOf(nodeOf(request.goal))),
  });
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  const environment = {
    workingFolder: folder,
    homeFolder: temporaryFolder(),
    variables: { OPENAI_BASE_URL: server.baseUrl },
  };
  const workspace = openWorkspace({ environment });
  const open = async () => {
    const [summary] = (await workspace.list()).plans;
    const context = createContext({ environment: { ...defaultEnvironment(), ...environment } });
    return context.store().open(summary?.id ?? '', 'log');
  };
  const waits = async () => {
    const { plan } = await open();
    const words = (id: string) => plan.goals.get(id)?.description ?? id;
    // The goals of several answers that come at once stand in the map in the order in which these came.
    return [...plan.goals.values()]
      .flatMap(({ description, dependencies }) => dependencies.map((on) => `${description} < ${words(on)}`))
      .toSorted();
  };
  const init = (options: object = {}) =>
    workspace.init({ goal: TREE.description, settings: { max_depth: 4, ...options } }).result;
  const asked = () => server.requests.filter(isLink).map(({ user }) => listed(user));
  return { workspace, server, folder, open, waits, init, asked };
}

describe('a plan of more than 150 leaves', () => {
  test('is compared from coarse to fine; all of it is one change that one undo takes back', async () => {
    const { workspace, init, asked, waits, open } = await newPlace();
    const { plan, stopped } = await init();
    expect(stopped).toBeNull();
    expect(plan.warnings).toEqual([]);
    const [coarse, ...fine] = asked();
    expect(coarse).toHaveLength(PARTS * MODULES);
    expect(coarse?.[0]).toBe('1.1');
    expect(
      fine.every((lines) => lines.length <= 150 && lines.every((line) => /^\d+\.\d+\.\d+$/.test(line))),
    ).toBe(true);
    // What the waits join is compared, pair by pair, though the coarse answer names one pair of modules of it.
    const isTogether = (...leaves: string[]) =>
      fine.some((lines) => leaves.every((leaf) => lines.includes(leaf)));
    for (const one of numbers(MODULES))
      for (const other of numbers(MODULES)) expect(isTogether(`1.${one}.1`, `2.${other}.1`)).toBe(true);
    expect(isTogether('5.6.1', '4.2.3')).toBe(true);
    expect(fine.length).toBeLessThanOrEqual(18);
    expect(await waits()).toEqual(LINKED);
    expect(plan.usage.calls).toBe(DIVIDING + asked().length);
    expect((await workspace.status({})).linked).toMatchObject({
      added: 3,
      replaced: 2,
      missing: [{ what: 'A key to the gate' }],
    });
    const types = (await (await open()).events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'dependencies_linked')).toHaveLength(1);
    await workspace.undo({});
    expect(await waits()).toEqual(WIDE);
  });

  test('is paused by a budget between two of the questions, and none is asked twice afterwards', async () => {
    const whole = await newPlace();
    await whole.init();
    const calls = DIVIDING + whole.asked().length;
    const { workspace, init, asked, waits } = await newPlace();
    const paused = await init({ budget: { calls: DIVIDING + 2 } });
    expect(paused.stopped).toMatchObject({ code: 'BUDGET_REACHED' });
    expect(paused.plan).toMatchObject({ status: 'paused', usage: { calls: DIVIDING + 2 } });
    expect(await waits()).toEqual(WIDE);
    const done = await workspace.resume({ settings: { budget: { calls } } }).result;
    expect(done).toMatchObject({ stopped: null, plan: { status: 'complete', usage: { calls } } });
    expect(asked().map((lines) => lines.join())).toEqual(whole.asked().map((lines) => lines.join()));
    expect(await waits()).toEqual(LINKED);
  });

  test('is recorded and replayed with each of the questions', async () => {
    const place = await newPlace();
    const file = join(place.folder, 'recording.jsonl');
    const settings = { max_depth: 4 };
    await place.workspace.init({ goal: TREE.description, settings, record: file }).result;
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.filter((line) => line.includes('"name":"link"'))).toHaveLength(place.asked().length);
    const other = await newPlace();
    await other.workspace.init({ goal: TREE.description, settings, replay: file }).result;
    expect(await other.waits()).toEqual(LINKED);
    expect(other.server.count).toBe(0);
  });

  test('is compared by an agent, one question at a time', async () => {
    const { workspace, waits } = await newPlace();
    await workspace.init({ goal: TREE.description, expander: 'agent', settings: { max_depth: 4 } }).result;
    const answer = answerFrom(TREE);
    let { questions, left } = await workspace.ask({ count: 50 });
    const links: unknown[] = [];
    while (left > 0) {
      const answers = questions.map((question) => {
        if (question.kind !== 'link') return answer(question);
        links.push(question);
        const { goal, question: mark, messages } = question;
        return { kind: 'link', goal, question: mark, ...honest(messages.at(-1)?.content ?? '') };
      });
      const next = await workspace.answer({ answers, count: 50 });
      expect(next.refused).toEqual([]);
      ({ questions, left } = next);
    }
    expect(links.length).toBeGreaterThan(2);
    expect(await waits()).toEqual(LINKED);
    expect((await workspace.status({})).plan.status).toBe('complete');
  });

  test('is previewed by plan dependencies link, whose answers are not paid for twice', async () => {
    const { workspace, init, asked, waits } = await newPlace();
    await init({ link: false });
    const preview = await workspace.dependencies.link({});
    const count = asked().length;
    expect(preview).toMatchObject({ applied: false, usage: { calls: count } });
    expect(preview.added).toHaveLength(3);
    expect(await waits()).toEqual(WIDE);
    await workspace.dependencies.link({ apply: true });
    expect(asked()).toHaveLength(count);
    expect(await waits()).toEqual(LINKED);
    await workspace.undo({});
    expect(await waits()).toEqual(WIDE);
  });

  test.each([
    ['nothing of the parts', () => ({ needs: [], missing: [] }), 'of no leaf that it needs another'],
    [
      'of parts that are not there',
      () => ({ needs: [{ goal: '9.9', on: ['8.8'] }], missing: [] }),
      'of no leaf that it needs another',
    ],
    [
      'the parts, and prose of the leaves',
      ({ user }: SeenRequest) =>
        listed(user).some((line) => /^\d+\.\d+$/.test(line)) ? honest(user) : 'First build, then look.',
      'plan dependencies link',
    ],
  ])('stays as it is where the answer says %s, and that is told', async (_, respond, told) => {
    const { init, waits, asked } = await newPlace(respond);
    const { plan, stopped } = await init();
    expect(stopped).toBeNull();
    expect(await waits()).toEqual(WIDE);
    expect(plan.warnings.map(({ message }) => message).join()).toContain(told);
    expect(asked().length).toBeLessThanOrEqual(3);
  });

  test('that is said to need everything after everything costs no more than a question for ten leaves, and changes nothing', async () => {
    const { init, waits, asked } = await newPlace(({ user }) => {
      const lines = listed(user);
      return { needs: lines.map((goal, at) => ({ goal, on: lines.slice(0, at) })), missing: [] };
    });
    const { plan } = await init();
    expect(asked().length).toBeLessThanOrEqual(18);
    expect(await waits()).toEqual(WIDE);
    expect(plan.warnings.map(({ message }) => message).join()).toContain('nothing was changed');
  });

  test('keeps a wait between parts where half the leaves have no entry', async () => {
    const { init, waits } = await newPlace(({ user }) => {
      const { needs, missing } = honest(user);
      return { needs: needs.filter(({ goal }) => !/\.[2-4]$/.test(goal) || !/\.\d+\./.test(goal)), missing };
    });
    await init();
    expect(await waits()).toEqual(expect.arrayContaining(WIDE));
  });
});
