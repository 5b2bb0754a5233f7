import { connect } from 'node:net';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { temporaryFolder } from '../support/folders.js';
import { servePage } from '../support/page-server.js';

async function newPlace() {
  const user = { folder: temporaryFolder(), home: temporaryFolder() };
  const workspace = openWorkspace({
    environment: {
      ...defaultEnvironment(),
      workingFolder: user.folder,
      homeFolder: user.home,
      variables: { PATH: process.env.PATH },
    },
  });
  await workspace.init({ goal: 'Move house', decompose: false }).result;
  await workspace.add({ under: 'root', description: 'Pack' });
  return { ...user, workspace };
}

/** Ways to write a path that some parsers take for it, as they go over the wire. */
const writtenOtherwise = (path: string): readonly string[] => [
  path,
  `/${path}`,
  `//x${path}`,
  `/.${path}`,
  `/%2e${path}`,
  `/x/..${path}`,
  `/x/%2e%2e${path}`,
  `\\${path}`,
  path.replace('/api', '/./api'),
  path.replace('/api', '/%61pi'),
  path.replace('/api/', '/api\\'),
  path.replace('/api/', '/api//'),
  `${path}/.`,
  `${path}?x=/`,
  `${path}#x`,
  `http://x${path}`,
  `http://127.0.0.1${path}`,
  `*${path}`,
];

/** A request byte for byte as it is given. */
async function rawRequest(port: number, lines: readonly string[], body = ''): Promise<string> {
  const head = [...lines, `Host: 127.0.0.1:${port}`, 'Connection: close'];
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    // A stream does not end.
    if (Buffer.concat(chunks).length > 100_000) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

test('nothing is told without the token, however the address is written', async () => {
  const { port } = await servePage(await newPlace(), { write: true });
  for (const path of ['/api/plans', '/api/runs', '/api/server', '/api/operations/claim'])
    for (const written of writtenOtherwise(path))
      for (const method of ['GET', 'POST']) {
        const answer = await rawRequest(port, [`${method} ${written} HTTP/1.1`]);
        expect([method, written, answer.slice(0, 10)]).toEqual([method, written, 'HTTP/1.1 4']);
      }
});

test('nothing is changed without --write, whatever the method and however the address is written', async () => {
  const { workspace, ...place } = await newPlace();
  const { port, token } = await servePage(place);
  const body = JSON.stringify({ goal: '1', description: 'Taken over' });
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    for (const written of writtenOtherwise('/api/operations/edit')) {
      const lines = [
        `${method} ${written} HTTP/1.1`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      const answer = await rawRequest(port, [...lines, `Authorization: Bearer ${token}`], body);
      expect([method, written, answer.slice(0, 10)]).toEqual([method, written, 'HTTP/1.1 4']);
    }
  const { goal } = await workspace.show({ goal: '1' });
  expect(goal.description).toBe('Pack');
});

test('a body that is too long is told so, also to who says no length', async () => {
  const { port, token } = await servePage(await newPlace(), { write: true });
  const lines = [
    'POST /api/operations/edit HTTP/1.1',
    'Content-Type: application/json',
    `Authorization: Bearer ${token}`,
  ];
  const body = 'x'.repeat(3_000_000);
  for (let round = 0; round < 5; round += 1) {
    const counted = await rawRequest(port, [...lines, `Content-Length: ${body.length}`], body);
    expect(counted).toMatch(/^HTTP\/1.1 400 [\s\S]*longer than 1 MB/);
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const streamed = await rawRequest(port, [...lines, 'Transfer-Encoding: chunked'], chunked);
    expect(streamed).toMatch(/^HTTP\/1.1 400 [\s\S]*longer than 1 MB/);
  }
});
