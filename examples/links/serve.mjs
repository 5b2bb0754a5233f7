// Serves the folder site/ on this machine: node serve.mjs [port]. Prints the port.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';

const server = createServer(async (request, response) => {
  const name = basename(new URL(request.url, 'http://localhost').pathname) || 'index.html';
  const page = await readFile(new URL(`site/${name}`, import.meta.url)).catch(() => null);
  response
    .writeHead(page === null ? 404 : 200, { 'content-type': 'text/html' })
    .end(page ?? 'There is no such page.');
});
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => console.log(server.address().port));
