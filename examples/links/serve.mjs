// Serves the folder site/ on this machine: node serve.mjs [port]. Prints the port.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';

const server = createServer((request, response) => {
  const name = basename(new URL(request.url, 'http://localhost').pathname) || 'index.html';
  readFile(new URL(`site/${name}`, import.meta.url)).then(
    (page) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    () => response.writeHead(404, { 'content-type': 'text/html' }).end('There is no such page.'),
  );
});
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => console.log(server.address().port));
