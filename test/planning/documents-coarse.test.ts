import { expect, test } from 'vitest';

import { readLeaves as read } from '../support/document-leaves.js';

const tasks = '## Tasks\n\n- Mill the posts\n- Hang the gate\n';

test('what an item has is no part of the work on it', () => {
  const doc =
    '# Barn\n\n## Features\n\n- Stall card with:\n  - Name of the horse\n  - Weight\n- Login\n  - username/email\n  - Password\n';
  const { leaves, detail } = read(doc);
  expect(leaves).toEqual(['Stall card with:', 'Login']);
  expect(detail).toContain('Name of the horse');
  expect(detail).toContain('username/email');
});

test('channels with the name of a field, and tasks below "with", stay', () => {
  const doc =
    '# Barn\n\n## Features\n\n- Alarms\n  - Email\n  - Text message\n- Start with:\n  - [ ] Dig the well\n  - [ ] Lay the pipe\n';
  expect(read(doc).leaves).toEqual(['Email', 'Text message', 'Dig the well', 'Lay the pipe']);
});

test.each([
  'Additional feature requests',
  'Other improvements',
  'Full pens (12 of them, acceptable for now)',
])('an item that names no work is detail: %s', (item) => {
  const { leaves, detail } = read(`# Barn\n\n${tasks}- ${item}\n`);
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(detail).toContain(item);
});

test('a list that counts what was found is no work', () => {
  const doc = `# Barn\n\n${tasks}\n## Findings\n\n1. **rot (314):** mostly in old beams\n2. **rust (12):** hinges of doors\n`;
  expect(read(doc).leaves).toEqual(['Mill the posts', 'Hang the gate']);
  const told = `# Barn\n\n## Findings\n\n- rot (314): Replace the old beams\n- rust (12): Oil the hinges\n`;
  expect(read(told).leaves).toHaveLength(2);
});

test('what is used of others is detail of what uses it', () => {
  const doc = `# Barn\n\n## Weather\n\nUses the public weather API v2:\n\n- GET /wind - wind by hour\n- GET /rain - rain by hour\n\n${tasks}`;
  expect(read(doc).leaves).toEqual(['Mill the posts', 'Hang the gate']);
});

test('where a fault was seen is no work', () => {
  const doc =
    '# Barn faults\n\n## Fault 1: gate sticks\n\n**Gates affected:**\n\n- north gate\n- south gate\n\n**Fix:**\n\n- Plane the edge\n- Oil the latch\n';
  expect(read(doc).leaves).toEqual(['Plane the edge', 'Oil the latch']);
});

test('a numbered fault stays a goal whose mending is told in prose', () => {
  const doc = `# Barn\n\n${tasks}\n## Gates\n\n### Issue #2: gate is wide\n\n**Gates affected:**\n\n- south gate\n\n**Cause:**\nWet wood.\n`;
  expect(read(doc).leaves).toEqual(['Mill the posts', 'Hang the gate', 'Issue #2: gate is wide']);
});

test('edge cases that say what comes of them are criteria of what they stand under', () => {
  const doc =
    '# Barn\n\n## Feeding\n\n- Weigh the hay\n- Fill the rack\n\n### Edge cases\n\n- Rack full → no hay\n- Scale broken → ask the keeper\n';
  expect(read(doc).leaves).toEqual(['Weigh the hay', 'Fill the rack']);
  const open = '# Barn\n\n## Edge cases\n\n- Support for foals\n- Support for mules\n';
  expect(read(open).leaves).toHaveLength(2);
});

test('a record of an issue is one goal, whose fields are known of it', () => {
  const doc =
    '# Feed rack\n\n## Parent\n\n[Barn](../barn.md)\n\n## What to build\n\nA rack of oak. It must hold two bales.\n\n## Acceptance criteria\n\n- [ ] Two bales fit\n\n## Blocked by\n\n- [01-well](01-well.md)\n\n## Type\n\nAFK\n';
  const { leaves, acceptance, detail } = read(doc);
  expect([leaves, acceptance]).toEqual([[], ['Two bales fit']]);
  expect(detail).toContain('01-well.md');
  expect(read('# Rack\n\n## What to build\n\n- A frame\n- A bottom\n').leaves).toEqual([
    'A frame',
    'A bottom',
  ]);
});

test('the way back from a decision is no work, its own list of what is done is', () => {
  const doc =
    '# ADR 7: Oak\n\n## Decision\n\nWe use oak.\n\n### Key implementation details\n\n1. **Wood**: Order the oak\n2. **Tools**: Clean the saws\n\n## Rollback plan\n\n1. Remove the oak\n2. Buy pine\n';
  expect(read(doc).leaves).toEqual(['Wood: Order the oak', 'Tools: Clean the saws']);
});

test('a way back with boxes is work', () => {
  const doc = `# Barn\n\n${tasks}\n## Rollback\n\n- [ ] Write down where the old gate is\n`;
  expect(read(doc).leaves).toContain('Write down where the old gate is');
});

test('a sentence that goes on from another is no goal of its own', () => {
  const doc =
    '# Barn\n\n## Requirements\n\nThere are two doors. They jam, so both must be planed. The roof must hold snow.\n\n- Floor of stone\n';
  expect(read(doc).leaves).toEqual(['The roof must hold snow', 'Floor of stone']);
});

const parts =
  '## Doors\n\n- Oak doors\n- Iron hinges\n\n## Roof\n\nSlate on battens.\n\n## Backlog\n\n- Weather vane\n';

test.each([
  'Status: implemented in v2',
  '**Status:** proven',
  'Status: plan (phases 1–6 complete)',
  '| Id | Status |\n|---|---|\n| 7 | released |',
])('a document of what is there plans only what it says is to come: %s', (status) => {
  expect(read(`# Barn\n\n${status}\n\n${parts}`).leaves).toEqual(['Weather vane']);
});

test.each([
  'Status: partly implemented',
  'Status: Complete',
  'Status: implemented, except the roof',
  '| Id | Status |\n|---|---|\n| 7 | released |\n| 8 | open |',
])('a document that is written, or of what is there in part, is planned whole: %s', (status) => {
  expect(read(`# Barn\n\n${status}\n\n${parts}`).leaves).toContain('Oak doors');
});

test('the status of a section says nothing of the others', () => {
  expect(read(`# Barn\n\n## Well\n\nStatus: shipped\n\n- Dig it\n\n${parts}`).leaves).toContain('Oak doors');
});

test('an RFC of prose is one goal', () => {
  const doc =
    '# RFC 12: Gates\n\n## Gates today\n\nThey stick.\n\n## Proposed gates\n\nThey swing. They must not stick.\n';
  expect(read(doc)).toMatchObject({ title: 'RFC 12: Gates', leaves: [] });
});

test('what is rated by its urgency alone is work, and what is for later is not', () => {
  const doc =
    '# Barn\n\n## P1 — High impact\n\n### 1. Word list\n\nWords are found faster.\n\n## P2 — Future considerations\n\n- A second barn\n\n## Phase 1\n\n- Mill it\n- Dry it\n- Oil it\n- Hang it\n- Test it\n- Paint it\n';
  const { leaves } = read(doc);
  expect(leaves).toContain('Word list');
  expect(leaves).not.toContain('A second barn');
});

test('a bold line with a number heads all up to the next one, prose and criteria too', () => {
  const doc =
    '# Barn\n\n## Must have\n\n**R1. Doors**\n\nTwo of them.\n\n- Oak frame\n\n*Acceptance criteria:*\n\n- They close\n\n**R2. Roof**\n\nSlate on battens.\n\n**R3. Floor**\n\n- Flagstones\n';
  const { leaves, acceptance } = read(doc);
  expect(leaves).toEqual(['Oak frame', 'Roof', 'Flagstones']);
  expect(acceptance).toEqual([]);
});

test('a story alone below its heading is what is known of it', () => {
  const doc =
    '# Barn\n\n## Epics\n\n### Scales\n\nAs a keeper, I want to weigh hay, so that none is lost.\n\n### Racks\n\nAs a keeper, I want racks, so that hay stays dry.\n';
  const { leaves, detail } = read(doc);
  expect(leaves).toEqual(['Scales', 'Racks']);
  expect(detail).toContain('I want to weigh hay');
  const other =
    '# 马厩\n\n## 功能需求\n\n### 秤\n\n- 作为管理员，我希望能称干草，以便不浪费。\n\n### 架\n\n- 作为管理员，我希望有架子，以便干草保持干燥。\n';
  expect(read(other).leaves).toEqual(['秤', '架']);
});

test.each([
  ['# Meta\n\n- Name: Oak lids\n- Date: 2024-01-02\n\n# Summary\n\nLids.\n', 'Oak lids'],
  ['---\nFeature Name: oak-lids\n---\n\n## Summary\n\nLids.\n\n## Motivation\n\nDry jars.\n', 'oak-lids'],
  ['# Meta\n\n- Name: N/A\n\n# Summary\n\nLids.\n', null],
])('a document is called as its head says', (doc, title) => {
  expect(read(doc).title).toBe(title);
});

test('a section that says it has nothing, or where to look, is no goal', () => {
  const doc =
    '# Barn\n\n## Walls\n\nOf brick.\n\n## Gates\n\nNo further properties beyond these.\n\n## Full text\n\nSee `docs/barn.md`.\n';
  expect(read(doc).leaves).toEqual(['Walls']);
});

test('fields with parts of their own are detail too', () => {
  const doc =
    '# Barn\n\n## Stalls\n\n- Each stall must include sizing properties:\n  - Width – in metres\n  - Breed – one of:\n    - pony\n    - shire\n- Doors\n';
  expect(read(doc).leaves).toEqual(['Each stall must include sizing properties:', 'Doors']);
});

test('a short line above a list is its label where its words say what it is', () => {
  const doc =
    '# Barn\n\nBackground\n- The old one burnt\n\nOut of scope\n- A second barn\n\nWalls\n- Lay the bricks\n';
  expect(read(doc)).toMatchObject({ leaves: ['Lay the bricks'], outOfScope: ['A second barn'] });
});

test('what a post-mortem tells to do against it is work', () => {
  const doc =
    '# Postmortem: fire\n\n## Root cause\n\n- Wet hay\n\n## Mitigations\n\n- Add a fire door\n- Replace the wiring\n';
  expect(read(doc).leaves).toEqual(['Add a fire door', 'Replace the wiring']);
});
