import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Documents } from '../../src/storage/documents.js';
import type { PlanStore } from '../../src/storage/plan-store.js';
import { temporaryFolder } from './folders.js';
import { creationOf, expansionOf } from './store-contract.js';

/** A store with its documents, and what a project has brought. */
export interface StoreWithDocuments {
  readonly store: PlanStore;
  readonly documents: Documents;
  /** The same documents as another process finds them, where there can be another. */
  readonly again: () => Documents;
}

export type NewDocuments = (supplied?: {
  readonly prompts?: Readonly<Record<string, string>>;
  readonly methods?: Readonly<Record<string, string>>;
}) => Promise<StoreWithDocuments>;

const GOAL = '0398a958-a';

/** What every store promises of its documents; each runs this suite. */
export function describeDocumentsContract(name: string, newDocuments: NewDocuments): void {
  describe(`the documents of a store, kept by ${name}`, () => {
    describe('action plans', () => {
      test('are there as they were kept, under an id that was free', async () => {
        const { documents, again } = await newDocuments();
        const ids = ['ap-000001', 'ap-000001', 'ap-000002'].values();
        const draw = () => ids.next().value ?? 'ap-999999';
        const textFor = (id: string) => `{"id":"${id}","title":"Grün 🌱"}\n`;
        const first = await documents.actionPlans.keep(textFor, draw);
        const second = await documents.actionPlans.keep(textFor, draw);
        expect([first, second]).toEqual(['ap-000001', 'ap-000002']);
        expect(await again().actionPlans.read(first)).toBe(textFor(first));
        expect(await again().actionPlans.read(second)).toBe(textFor(second));
      });

      test('get an id each, however many are kept at once', async () => {
        const { documents } = await newDocuments();
        let drawn = 0;
        const draw = () => `ap-${String(Math.floor((drawn += 1) / 3)).padStart(6, '0')}`;
        const kept = await Promise.all(
          Array.from({ length: 8 }, async (_, index) =>
            documents.actionPlans.keep((id) => `${id} ${index}`, draw),
          ),
        );
        expect(new Set(kept).size).toBe(8);
        for (const [index, id] of kept.entries())
          expect(await documents.actionPlans.read(id)).toBe(`${id} ${index}`);
      });

      test('are gone when they are dropped, once and again', async () => {
        const { documents, again } = await newDocuments();
        const id = await documents.actionPlans.keep(
          () => 'x',
          () => 'ap-000001',
        );
        await documents.actionPlans.drop(id);
        await again().actionPlans.drop(id);
        await expect(documents.actionPlans.read(id)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
        expect(
          await documents.actionPlans.keep(
            () => 'y',
            () => 'ap-000001',
          ),
        ).toBe(id);
      });

      test.each([
        '',
        '../../etc/passwd',
        'ap-../../x',
        'ap-ABCDEF',
        'ap-1',
        `ap-${'a'.repeat(200)}`,
        'ap-a b cd',
      ])('have no such id: %j', async (id) => {
        const { actionPlans } = (await newDocuments()).documents;
        const wrong = { code: 'INVALID_INPUT' };
        await expect(actionPlans.read(id)).rejects.toMatchObject(wrong);
        await expect(actionPlans.drop(id)).rejects.toMatchObject(wrong);
        await expect(
          actionPlans.keep(
            () => 'x',
            () => id,
          ),
        ).rejects.toMatchObject(wrong);
        expect(() => actionPlans.locate(id)).toThrow(expect.objectContaining(wrong));
      });

      test('are named by what goals have, had, or would have again', async () => {
        const { store, documents } = await newDocuments();
        expect(await documents.actionPlans.named()).toEqual(new Set());
        const log = await store.create(creationOf('0398a958'), [
          expansionOf('0398a958-root', [GOAL]),
          { type: 'action_plan_linked', goal: GOAL, action_plan: 'ap-000001' },
          { type: 'action_plan_linked', goal: GOAL, action_plan: 'ap-000002' },
        ]);
        await log.publish('now');
        const named = await documents.actionPlans.named();
        expect(named).toEqual(new Set(['ap-000001', 'ap-000002']));
        await store.purge('0398a958');
        expect(await documents.actionPlans.named()).toEqual(new Set());
      });
    });

    describe('proposals', () => {
      test('are the last that was kept for a goal', async () => {
        const { documents, again } = await newDocuments();
        expect(await documents.proposals.read(GOAL)).toBeNull();
        await documents.proposals.keep(GOAL, '{"a":1}\n');
        await documents.proposals.keep('0398a958-b', '{"b":1}\n');
        await again().proposals.keep(GOAL, '{"a":2}\n');
        expect(await documents.proposals.read(GOAL)).toBe('{"a":2}\n');
        expect(await documents.proposals.read('0398a958-b')).toBe('{"b":1}\n');
        expect(await documents.checklists.read(GOAL)).toBeNull();
        await documents.checklists.keep(GOAL, '{"items":[]}\n');
        expect(await again().checklists.read(GOAL)).toBe('{"items":[]}\n');
        expect(await documents.proposals.read(GOAL)).toBe('{"a":2}\n');
      });

      test('go with their plan, and with no other', async () => {
        const { documents, again } = await newDocuments();
        const { proposals, checklists } = documents;
        await proposals.dropAll('0398a958');
        for (const kept of [proposals, checklists]) {
          for (const id of [GOAL, '0398a958-b', '0398a959-b']) await kept.keep(id, '{}\n');
          await kept.dropAll('0398a958');
        }
        for (const kept of [again().proposals, again().checklists]) {
          expect(await kept.read(GOAL)).toBeNull();
          expect(await kept.read('0398a958-b')).toBeNull();
          expect(await kept.read('0398a959-b')).toBe('{}\n');
          await expect(kept.dropAll('../x')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
        }
      });

      test('one at a time works on the checklists of a plan', async () => {
        const { documents, again } = await newDocuments();
        const order: string[] = [];
        const work = (name: string) => async () => {
          order.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 5));
          order.push(`${name} ends`);
          throw new Error(name);
        };
        const both = [documents, again()].map(async ({ checklists }, index) =>
          checklists.alone('0398a958', work(`${index}`)).catch(() => undefined),
        );
        await Promise.all(both);
        expect([order.slice(0, 2), order.slice(2)].map(([begin, end]) => begin?.[0] === end?.[0])).toEqual([
          true,
          true,
        ]);
      });

      test.each(['../../x', '', 'a/b', `0398a958-${'a'.repeat(300)}`])(
        'are of goals alone: %j',
        async (id) => {
          const { proposals } = (await newDocuments()).documents;
          await expect(proposals.keep(id, 'x')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
          await expect(proposals.read(id)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
        },
      );
    });

    describe('what a project supplies', () => {
      test('is none, unless it does', async () => {
        const { documents } = await newDocuments();
        expect(await documents.supplied('prompts')).toEqual([]);
        expect(await documents.supplied('methods')).toEqual([]);
        expect(await documents.brought('tools.yaml')).toBeNull();
        expect(await documents.brought('approvers')).toBeNull();
      });

      test('comes by name and in order, prompts and methods apart', async () => {
        const { documents } = await newDocuments({
          prompts: { 'expand.user.md': '{{goal}}\n', 'digest.system.md': 'Grün {{max_words}}' },
          methods: { 'b.yaml': 'name: b\n', 'a.yaml': '' },
        });
        const named = async (kind: 'prompts' | 'methods') =>
          (await documents.supplied(kind)).map(({ name: own, text }) => [own, text]);
        expect(await named('prompts')).toEqual([
          ['digest.system.md', 'Grün {{max_words}}'],
          ['expand.user.md', '{{goal}}\n'],
        ]);
        expect(await named('methods')).toEqual([
          ['a.yaml', ''],
          ['b.yaml', 'name: b\n'],
        ]);
        const [first] = await documents.supplied('methods');
        expect(first?.location).toContain('a.yaml');
      });
    });

    test('settings, where there are any, change one after the other and lose nothing', async () => {
      const { documents, again } = await newDocuments();
      const { settings } = documents;
      // A store may have none; then there is nothing to lose.
      if (settings === null) return;
      await settings.change(() => null);
      expect(await settings.read()).toBeNull();
      const append = (letter: string) => (text: string | null) => `${text ?? ''}${letter}`;
      await Promise.all(
        Array.from('abcdef').map(async (letter, index) =>
          (index % 2 === 0 ? settings : again().settings)?.change(append(letter)),
        ),
      );
      expect(
        Array.from((await settings.read()) ?? '')
          .toSorted()
          .join(''),
      ).toBe('abcdef');
      const broken = settings.change(() => {
        throw new Error('not like this');
      });
      await expect(broken).rejects.toThrow('not like this');
      expect((await again().settings?.read())?.length).toBe(6);
      await settings.change(() => null);
      expect((await again().settings?.read())?.length).toBe(6);
    });
  });
}

/** Puts what is supplied below the folder of a store. @returns the folder of what is the user's own */
export function supplyFiles(folder: string, supplied: NonNullable<Parameters<NewDocuments>[0]>): string {
  const ownFolder = join(temporaryFolder(), 'own');
  for (const [kind, files] of Object.entries(supplied)) {
    mkdirSync(join(folder, kind));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, kind, name), text);
    // What has another ending is something else.
    writeFileSync(join(folder, kind, 'README'), 'none of them');
  }
  return ownFolder;
}
