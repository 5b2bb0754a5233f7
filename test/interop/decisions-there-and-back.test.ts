import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { toJson } from '../../src/exports/json.js';
import { readTold, withTold } from '../../src/features/interop/told.js';
import { planFileSchema } from '../../src/plan/schema.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { goal, planOf } from '../support/plans.js';
import { UNLINKED } from '../support/unlinked.js';

const FILES = {
  taskmaster: 'tasks.json',
  beads: 'issues.jsonl',
  github: 'issues.json',
  backlog: null,
} as const;
type Tool = keyof typeof FILES;
const TOOLS = Object.keys(FILES) as Tool[];

/** Texts that a line could be mistaken by, beside plain ones. */
const text = fc
  .oneof(
    fc.constantFrom(
      'Django with HTMX',
      'a: b: c',
      '"quoted"',
      '(open)',
      '(open, decided in 2)',
      'two\nlines: of it',
      '[chosen while planning]',
      'x [chosen while planning]',
      '<!-- frctl: end -->',
      '- [ ] a box',
      '## Notes',
      '#3',
      'Blocked by #2',
      '**Decided:**',
      'ends:',
      '\u001b[31m \u202e\u2028\u0085',
      '<!-- SECTION:NOTES:END -->',
      '日本語: はい',
      '"',
      '\\',
    ),
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  )
  .filter((each) => each.trim() !== '');
const decision = (deciders: readonly string[]) =>
  fc.record(
    {
      what: text,
      choice: fc.option(text),
      decided_by: fc.constantFrom(...deciders),
      confirmed: fc.constant(true),
    },
    { requiredKeys: ['what', 'choice'] },
  );
const IDS = ['a', 'b', 'c', 'd', 'e'].map((suffix) => goal(suffix).id);
const decisions = fc
  .uniqueArray(decision(IDS), {
    maxLength: 3,
    selector: ({ what }) => what.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase(),
  })
  .map((all) =>
    all.map(({ decided_by, ...each }) =>
      each.choice === null && decided_by ? { ...each, decided_by } : each,
    ),
  );
const detail = fc.option(
  fc.constantFrom('Deep.', 'Deep.\n\nWide.', 'One.\n\n## Notes\n\nTwo.', '## Implementation Notes\n\nThree.'),
  { nil: undefined },
);

/** A plan of six goals on three levels, each with decisions of its own. */
const plan = fc
  .record({
    decided: fc.array(decisions, { minLength: 6, maxLength: 6 }),
    details: fc.array(detail, { minLength: 6, maxLength: 6 }),
    missing: fc.uniqueArray(fc.record({ what: text, used_by: fc.subarray(IDS.slice(1), { minLength: 1 }) }), {
      maxLength: 2,
      selector: ({ what }) => what,
    }),
  })
  .map(({ decided, details, missing }) => {
    const [a = '', b = '', c = '', d = '', e = ''] = IDS;
    const own = (index: number) => ({
      ...(decided[index]?.length ? { decisions: decided[index] } : {}),
      ...(details[index] === undefined || index === 0 ? {} : { detail: details[index] }),
    });
    const root = goal('root').id;
    const inner = { status: 'decomposing' } as const;
    const leaf = { status: 'atomic' } as const;
    const goals = [
      goal('root', { ...inner, child_ids: [a, b], ...own(0) }),
      goal('a', { ...inner, parent_id: root, depth: 1, child_ids: [c, d], ...own(1) }),
      goal('b', { ...leaf, parent_id: root, depth: 1, ...own(2) }),
      goal('c', { ...inner, parent_id: a, depth: 2, child_ids: [e], ...own(3) }),
      goal('d', { ...leaf, parent_id: a, depth: 2, ...own(4) }),
      goal('e', { ...leaf, parent_id: c, depth: 3, ...own(5) }),
    ];
    return planOf(goals, {
      status: 'complete',
      ...(missing.length === 0 ? {} : { linked: { at: goal('a').created_at, missing } }),
    });
  });

function newPlace() {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: UNLINKED };
  return { folder, workspace: openWorkspace({ environment }) };
}
type Place = ReturnType<typeof newPlace>;

async function carry({ workspace }: Place, tool: Tool) {
  const other = newPlace();
  const file = FILES[tool];
  if (file === null) {
    const { warnings = [] } = await workspace.export({ format: 'backlog', output: other.folder });
    await other.workspace.import('.');
    const names = readdirSync(other.folder, { recursive: true, encoding: 'utf8' }).toSorted();
    const written = names
      .filter((name) => /^backlog.*\.(?:md|yml)$/.test(name))
      .map((name) => `${name}\n${readFileSync(join(other.folder, name), 'utf8')}`);
    return { other, warnings, written: written.join('\n') };
  }
  const { content, warnings = [] } = await workspace.export({ format: tool });
  writeFileSync(join(other.folder, file), content ?? '');
  await other.workspace.import(file);
  return { other, warnings, written: content ?? '' };
}

/** What a file says: members of JSON in any order, anything else as it is written. */
function values(written: string): unknown {
  const lines = written.startsWith('[') ? [written] : written.trim().split(/\n(?=\{)/);
  return lines.map((line): unknown => (/^[[{]/.test(line) ? JSON.parse(line) : line));
}

/** What a plan says of its goals and is to come back, goals by their numbers. */
async function saidIn({ workspace }: Place) {
  const { content } = await workspace.export({ format: 'json' });
  const file = planFileSchema.parse(JSON.parse(content ?? ''));
  const goals = (await workspace.status({ verbose: true })).goals ?? [];
  const numberOf = new Map(goals.map(({ id, number }) => [id, number]));
  const used = (file.linked?.missing ?? []).flatMap(({ what, used_by }) =>
    used_by.map((id) => `${numberOf.get(id)} ${what}`),
  );
  return {
    missing: used.toSorted(),
    goals: goals.map(({ number, description, detail: said, decisions: all = [] }) => ({
      number,
      description,
      detail: said,
      decisions: all.map(({ decided_by, ...each }) => ({ ...each, by: numberOf.get(decided_by ?? '') })),
    })),
  };
}

describe.each(TOOLS)('%s', (tool) => {
  test('decisions, and results that no goal makes, come back as they were, and the same is written again', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (made) => {
        const place = newPlace();
        writeFileSync(join(place.folder, 'plan.json'), toJson(made));
        await place.workspace.import('plan.json');
        const { other, warnings, written } = await carry(place, tool);
        expect(await saidIn(other)).toEqual(await saidIn(place));
        expect(warnings).toEqual([]);
        const again = await carry(other, tool);
        expect(values(again.written)).toEqual(values(written));
        expect((await carry(again.other, tool)).written).toBe(again.written);
      }),
      { numRuns: 12 },
    );
  });

  test('a decision that is made here is all that the file of the tool has more', async () => {
    const place = newPlace();
    const bare = planOf([
      goal('root', { status: 'decomposing', child_ids: IDS.slice(0, 2) }),
      ...['a', 'b'].map((suffix) =>
        goal(suffix, { status: 'atomic', parent_id: goal('root').id, depth: 1, detail: `Of ${suffix}` }),
      ),
    ]);
    writeFileSync(join(place.folder, 'plan.json'), toJson(bare));
    await place.workspace.import('plan.json');
    const { other, written } = await carry(place, tool);
    await other.workspace.decide('1', { what: 'stone', choice: 'slate' });
    await other.workspace.decide('root', { what: 'stone', choice: 'granite' });
    const { other: third, written: decided } = await carry(other, tool);
    expect(decided).not.toBe(written);
    expect(await saidIn(third)).toEqual(await saidIn(other));
    await other.workspace.undo();
    await other.workspace.undo();
    expect(values((await carry(other, tool)).written)).toEqual(values(written));
  });
});

test('what stands between the marks and tells nothing stays text, as does all outside of them', () => {
  const told = { decisions: [{ what: 'stone', choice: 'slate' }], whole: [], missing: ['A quarry'] };
  const whole = withTold('Deep.', told);
  expect(readTold(`${whole}\r\n\r\nBelow.`.replaceAll('\n', '\r\n'))).toMatchObject({ told });
  const edited = whole.replace('- A quarry', '- A quarry\nBo asks.\n- ""').concat('\n\nBelow.');
  expect(readTold(edited)).toMatchObject({ told, text: 'Deep.\n\nBo asks.\n- ""\n\nBelow.' });
  // What somebody wrote that looks so is text, where it is written from here.
  const nothing = { decisions: [], whole: [], missing: [] };
  expect(readTold(withTold(whole, nothing))).toMatchObject({ told: nothing, text: whole });
  expect(withTold('Deep.', nothing)).toBe('Deep.');
});
