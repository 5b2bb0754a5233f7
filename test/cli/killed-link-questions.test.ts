import { expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { answerOfWorks, DIVIDING, isLink, LINKED, listed, TREE } from '../support/large-link.js';
import { startModelServer } from '../support/model-server.js';

/** Questions at which the process is killed, and how long after each is asked: before its answer, or about when it comes. */
const KILLS = [
  [1, 0],
  [1, 40],
  [3, 0],
  [4, 45],
  [6, 0],
] as const;
/** How long the model takes to answer such a question. */
const ANSWERS_AFTER_MS = 35;

test('killed between the questions about all leaves, planning goes on with the question that had no answer, and asks no other again', async () => {
  const kills = [...KILLS];
  let asked = 0;
  let kill: (() => void) | null = null;
  const server = await startModelServer({
    respond: answerOfWorks,
    delay(request) {
      if (!isLink(request)) return 0;
      asked += 1;
      const [at = 0, after = 0] = kills[0] ?? [];
      if (at > 0 && asked >= at && kill !== null) {
        kills.shift();
        setTimeout(kill, after);
        kill = null;
      }
      return ANSWERS_AFTER_MS;
    },
  });
  onTestFinished(() => server.close());
  const user = newUser();
  const environment = { OPENAI_BASE_URL: server.baseUrl, FRCTL_MODEL: 'm', FRCTL_LINK: 'true' };
  const begin = ['init', TREE.description, '--max-depth', '4'];
  const ends: (number | null)[] = [];
  let said = '';
  for (const args of [begin, ...KILLS.map(() => ['resume'])]) {
    const { process, ended } = user.start(args, environment);
    kill = () => void process.kill('SIGKILL');
    const { status, error } = await ended;
    ends.push(status);
    said = error;
    kill = null;
    const { out } = await user.run(['status']);
    expect([status, out.includes('`plan resume` asks')]).toEqual([status, status === null]);
  }
  expect(kills).toEqual([]);
  expect([ends, said]).toEqual([[...KILLS.map(() => null), 0], said]);

  expect(server.count - asked).toBe(DIVIDING);
  const questions = server.requests.filter(isLink).map(({ user: text }) => listed(text).join());
  expect(questions.length - new Set(questions).size).toBeLessThanOrEqual(KILLS.length);
  // What is asked again is what was asked last: all before it was stored.
  const again = questions.filter((question, place) => questions.indexOf(question) < place);
  expect(again).toEqual(questions.filter((question, place) => question === questions[place - 1]));
  const { goals } = (await user.run(['status', '--verbose', '--json'])).json() as {
    goals: { id: string; description: string; dependencies: string[] }[];
  };
  const words = new Map(goals.map(({ id, description }) => [id, description]));
  const waits = goals.flatMap(({ description, dependencies }) =>
    dependencies.map((on) => `${description} < ${words.get(on)}`),
  );
  expect(waits.toSorted()).toEqual(LINKED);
});
