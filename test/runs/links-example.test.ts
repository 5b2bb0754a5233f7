import { spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

const EXAMPLE = resolve(import.meta.dirname, '../../examples/links');

/** Serves the example's site as its page says, on a free port. */
async function serve(): Promise<string> {
  const server = spawn(process.execPath, [join(EXAMPLE, 'serve.mjs'), '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void server.kill());
  const port = await new Promise<string>((told) =>
    server.stdout.once('data', (chunk: Buffer) => told(chunk.toString().trim())),
  );
  return port;
}

test('examples/links checks the links of a small site and writes a report', async () => {
  const port = await serve();
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  cpSync(EXAMPLE, folder, { recursive: true });
  for (const name of ['plan.json', 'tools.yaml'])
    writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replaceAll('8080', port));
  const environment = {
    ...defaultEnvironment(),
    workingFolder: folder,
    homeFolder: home,
    variables: { PATH: process.env.PATH },
  };
  const workspace = openWorkspace({ environment });
  const { digest } = await workspace.tools.trust('tools.yaml', {});
  await workspace.tools.trust('tools.yaml', { digest });
  const { run, approval, approval_because } = await workspace.prepare('plan.json', { tools: 'tools.yaml' });
  expect(approval_because).toEqual([expect.stringContaining('report.save')]);
  const code = approval?.code ?? '';
  const { shown } = await workspace.approve({ code, dryRun: true });
  await workspace.approve({ code, agreed: { via: 'terminal', shown } });
  expect(await workspace.run(run, {}).result).toMatchObject({ status: 'succeeded' });
  expect(readFileSync(join(folder, 'report.md'), 'utf8').replaceAll(port, '8080')).toBe(`# Links

3 links, 1 of them broken.

- good http://127.0.0.1:8080/about.html (200)
- good http://127.0.0.1:8080/prices.html (200)
- BROKEN http://127.0.0.1:8080/jobs.html (404)
`);
});
