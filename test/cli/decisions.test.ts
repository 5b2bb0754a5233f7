import { expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';
import { UNLINKED } from '../support/unlinked.js';

const part = (description: string, ...depends_on: number[]) => ({
  description,
  reasoning: 'One piece.',
  atomic: true,
  acceptance: [`${description} is seen by Ana`],
  size: 'S',
  depends_on,
});

/** A plan by a model: two choices that a person made before, one of the model, one that a goal is to make. */
async function newPlace() {
  const server = await startModelServer({
    respond: () => ({
      reasoning: 'Three results.',
      atomic: false,
      decisions: [
        { what: 'database', choice: 'SQLite', decided_by: null },
        { what: 'card provider', choice: null, decided_by: 1 },
      ],
      sub_goals: [part('Choose the card provider'), part('Charge a card', 1), part('Print the receipt')],
    }),
  });
  onTestFinished(() => server.close());
  const user = newUser();
  const environment = { OPENAI_BASE_URL: server.baseUrl, ...UNLINKED };
  const words = ['init', 'Sell bread', '--decide', 'stack=Django', '--decide', 'host = our own server'];
  const ended = await user.run(words, environment);
  const decisions = async (...command: string[]) =>
    (await user.run(command)).out
      .split(/^Decisions\n/m)[1]
      ?.split('\n\n')[0]
      ?.trimEnd();
  return { ...user, server, ended, decisions };
}

test('init ends with what planning decided, one a line; show and status --verbose have all, told apart', async () => {
  const { ended, decisions, server } = await newPlace();
  expect(server.requests[0]?.user).toContain(
    '<decisions>\n- stack: Django\n- host: our own server\n</decisions>',
  );
  expect(ended.error).toContain(
    'Decided while planning (change with `plan decide`)\n' +
      '  - database: SQLite (chosen while planning)\n' +
      '  - card provider: (open, decided in 1)\n',
  );
  expect(ended.error).not.toContain('our own server');
  expect(await decisions('status', '--verbose')).toBe(
    '  - stack: Django\n  - host: our own server\n  - database: SQLite (chosen while planning)\n' +
      '  - card provider: (open, decided in 1)',
  );
  expect(await decisions('show', '2')).toContain('- stack: Django (from root)');
});

test('a later choice about the same matter replaces the earlier one, --open leaves none, and the log keeps all', async () => {
  const { run, decisions } = await newPlace();
  await run(['decide', 'root', 'Database', 'PostgreSQL', '--reason', 'two servers']);
  expect(await decisions('show', 'root')).toContain('  - database: PostgreSQL\n');
  await run(['decide', 'root', 'stack', '--open']);
  expect(await decisions('show', 'root')).toContain('  - stack: (open)\n');
  await run(['decide', 'root', 'stack', 'FastAPI']);
  expect((await decisions('show', 'root'))?.match(/stack|database/gi)).toEqual(['stack', 'database']);
  const log = (await run(['log'])).out;
  for (const said of ['decided database: PostgreSQL for “Sell bread”: two servers', 'left stack open'])
    expect(log).toContain(said);
  expect((await run(['decide', 'root', 'stack'])).status).toBe(2);
  expect((await run(['decide', 'root', 'stack', 'Rails', '--open'])).status).toBe(2);
});

test('an open decision stops nobody; it is closed by what is submitted of the same matter, else told as decided there', async () => {
  const other = await newPlace();
  await other.run(['complete', '1', '--summary', 'We chose.', '--decision', 'Stripe, for its test mode']);
  expect((await other.run(['context', '2'])).out).toContain(
    '- Decided: card provider: decided in 1: Stripe, for its test mode',
  );
  const { run } = await newPlace();
  expect((await run(['next'])).out).toContain('Print the receipt');
  await run(['complete', '1', '--summary', 'We chose.', '--decision', 'Card Provider: Stripe']);
  for (const goal of ['2', '3'])
    expect((await run(['context', goal])).out).toContain('- Decided: card provider: Stripe\n');
});
