import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { scoreFacts, scoreOrder, waitsOf } from '../quality/score.js';
import { percent, printTable, whole } from '../support/table.js';

const RECORDINGS = fileURLToPath(new URL('../quality/', import.meta.url));
const PLAN = fileURLToPath(new URL('../../dist/cli/plan.js', import.meta.url));

/**
 * How well the order of recorded plans agrees with what their leaves need, before and after the link pass: the answers were recorded, and
 * what the product makes of them is measured.
 * @param {string} folder
 */
export async function measureQuality(folder) {
  const rows = [];
  const findings = [];
  const facts = [];
  for (const file of (await readdir(RECORDINGS)).filter((name) => name.endsWith('.json')).toSorted()) {
    const recording = JSON.parse(await readFile(join(RECORDINGS, file), 'utf8'));
    const name = file.replace('.json', '');
    const place = join(folder, name);
    await mkdir(place);
    const dividing = await replay(place, recording);
    const before = await scored(place, recording.needs);
    const [question] = await questions(place);
    await answer(place, [
      { ...recording.link, kind: 'link', goal: question.goal, question: question.question },
    ]);
    const after = await scored(place, recording.needs);
    const linking = costOf(question, recording.link);
    rows.push(
      [`${name}, before`, ...cellsOf(before), ...dividing.map(whole)],
      [`${name}, after`, ...cellsOf(after), ...sumOf(dividing, linking).map(whole)],
    );
    findings.push([name, ...(await checked(place))]);
    if (recording.context !== undefined) facts.push([name, ...(await told(place, recording.context))]);
  }
  printTable(
    'Order of recorded plans against the needs of their leaves, before and after the link pass',
    ['', 'leaves', 'needs missing', 'inverted', 'needless waits', 'longest chain', 'can start'].concat([
      'calls',
      'tokens sent',
      'received',
    ]),
    rows,
  );
  printTable('What `plan check` finds in them', ['', 'findings', 'codes'], findings);
  printTable(
    'Facts that a worker needs of five finished goals, and where he finds them',
    [
      '',
      'facts',
      'in the reports',
      'in the digests',
      'in the context',
      'in a model’s digests',
      'then in the context',
      'kept of a model’s',
    ],
    facts,
  );
}

function cellsOf(/** @type {import('../quality/score.js').Score} */ score) {
  return [
    whole(score.leaves),
    `${score.missing.length} of ${score.needs}`,
    whole(score.inverted.length),
    percent(score.waits === 0 ? 0 : score.needless / score.waits),
    whole(score.chain),
    whole(score.canStart),
  ];
}

/** Returns what a question and its answer would cost: one call, tokens sent and received. */
function costOf(/** @type {any} */ { messages }, /** @type {object} */ answered) {
  const sent = messages.map((/** @type {any} */ { content }) => content).join('\n');
  return [1, countTokens(sent), countTokens(JSON.stringify(answered))];
}

function sumOf(/** @type {number[]} */ some, /** @type {number[]} */ more) {
  return some.map((value, index) => value + (more[index] ?? 0));
}

/** Plans a goal again with the recorded answers, level by level; returns what that would cost. */
async function replay(/** @type {string} */ place, /** @type {any} */ { goal, expansions }) {
  await plan(place, ['init', goal, '--expander', 'agent']);
  let cost = [0, 0, 0];
  for (;;) {
    const asked = (await questions(place)).filter((/** @type {any} */ { kind }) => kind === 'expand');
    if (asked.length === 0) return cost;
    for (const question of asked) cost = sumOf(cost, costOf(question, expansions[question.number]));
    await answer(
      place,
      asked.map((/** @type {any} */ question) => ({ ...expansions[question.number], goal: question.goal })),
    );
  }
}

/** Returns what is asked next: how goals are divided, and when all are, which leaves need each other. */
async function questions(/** @type {string} */ place) {
  const asked = JSON.parse(await plan(place, ['ask', '--json', '-n', '20'])).questions;
  // The system prompt stands with the first question only; to a model it goes with each.
  const system = asked[0]?.messages.filter((/** @type {any} */ { role }) => role === 'system') ?? [];
  return asked.map((/** @type {any} */ question, /** @type {number} */ index) =>
    index === 0 ? question : { ...question, messages: [...system, ...question.messages] },
  );
}

async function answer(/** @type {string} */ place, /** @type {object[]} */ answers) {
  const refused = await offer(place, answers);
  if (refused.length > 0) throw new Error(`${place}: ${JSON.stringify(refused)}`);
}

/** Returns the answers that were refused. */
async function offer(/** @type {string} */ place, /** @type {object[]} */ answers) {
  await writeFile(join(place, 'answers.json'), JSON.stringify({ answers }));
  return JSON.parse(await plan(place, ['answer', '--from', 'answers.json', '--json'])).refused;
}

async function scored(/** @type {string} */ place, /** @type {Record<string, string[]>} */ needs) {
  return scoreOrder(waitsOf(JSON.parse(await plan(place, ['export', '--format', 'json']))), needs);
}

/** Finishes goals with recorded reports, and looks for facts: in digests without a model and by one, and in the context of the goal that needs them. */
async function told(/** @type {string} */ place, /** @type {any} */ { goal, finished, facts, digests }) {
  for (const [number, report] of Object.entries(finished)) {
    await writeFile(join(place, 'report.md'), report);
    await plan(place, ['complete', number, '--from', 'report.md', '--force', '--json']);
  }
  const found = async () => {
    const kept = [];
    for (const number of Object.keys(finished))
      kept.push(JSON.stringify(JSON.parse(await plan(place, ['show', number, '--json'])).goal.digest));
    return [scoreFacts(kept.join('\n'), facts), scoreFacts(await plan(place, ['context', goal]), facts)];
  };
  const without = await found();
  const { questions: losing } = JSON.parse(
    await plan(place, ['ask', '--kind', 'digest', '-n', '20', '--json']),
  );
  const refused =
    losing.length === 0
      ? []
      : await offer(
          place,
          losing.map((/** @type {any} */ { goal: id, number, question }) => ({
            ...digests[number],
            kind: 'digest',
            goal: id,
            question,
          })),
        );
  const counts = [scoreFacts(Object.values(finished).join('\n'), facts), ...without, ...(await found())];
  return [whole(facts.length), ...counts.map(whole), `${losing.length - refused.length} of ${losing.length}`];
}

async function checked(/** @type {string} */ place) {
  const { findings } = JSON.parse(await plan(place, ['check', '--json']));
  const counts = new Map();
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [whole(findings.length), [...counts].map(([code, count]) => `${code} ${count}`).join(', ')];
}

async function plan(/** @type {string} */ place, /** @type {string[]} */ words) {
  const run = promisify(execFile)(process.execPath, [PLAN, ...words], { cwd: place, maxBuffer: 64_000_000 });
  // A plan that waits for answers ends with a status of its own.
  const { stdout } = await run.catch((/** @type {any} */ failed) => {
    if (failed.code === 8 || failed.stdout !== '') return failed;
    throw failed;
  });
  return stdout;
}
