import { expect, onTestFinished, test } from 'vitest';

import { answerOfWorks, DIVIDING, isLink, listed, TREE } from '../support/large-link.js';
import { startModelServer } from '../support/model-server.js';
import { newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf } from '../support/teams.js';
import { startWorker } from '../support/worker-processes.js';

/** Processes take long to start on a busy machine, and what a killed one holds ends some seconds later. */
const LONGEST_MS = 180_000;

test(
  'a worker that is killed between the questions about all leaves leaves to the next what had no answer, and no more',
  async () => {
    let asked = 0;
    let kill: (() => void) | null = null;
    const kills = [1, 3, 5];
    const server = await startModelServer({
      respond: answerOfWorks,
      delay(request) {
        if (!isLink(request)) return 0;
        asked += 1;
        if (kill !== null && asked >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
          kills.shift();
          // Before the answer, or about when it comes.
          setTimeout(kill, kills.length % 2 === 0 ? 0 : 40);
          kill = null;
        }
        return 35;
      },
    });
    onTestFinished(() => server.close());
    const url = await newDatabase();
    const environment = { FRCTL_DATABASE_URL: url, OPENAI_BASE_URL: server.baseUrl, FRCTL_LINK: 'true' };
    const settings = { model: 'm', max_depth: 4 };
    const { log } = await leaveToWorkers(machineOf(url, environment), { goal: TREE.description, settings });
    const lives = kills.length;
    for (let life = 0; life <= lives; life += 1) {
      const { process, ended } = startWorker(environment);
      kill = () => void process.kill('SIGKILL');
      await ended;
    }

    expect(kills).toEqual([]);
    expect((await log.refresh()).header).toMatchObject({ status: 'complete', linked: { added: 3 } });
    expect(server.count - asked).toBe(DIVIDING);
    const questions = server.requests.filter(isLink).map(({ user }) => listed(user).join());
    expect(questions.length - new Set(questions).size).toBeLessThanOrEqual(lives);
    const again = questions.filter((question, place) => questions.indexOf(question) < place);
    expect(again).toEqual(questions.filter((question, place) => question === questions[place - 1]));
  },
  LONGEST_MS,
);
