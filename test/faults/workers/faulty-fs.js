// Preloaded with `--import`: makes the N-th call of the file system, counted from `armFaults()`, go wrong.
// FAULT: {at, kind: 'kill' | 'tear' | an error code}; `tear` writes half of what it should and is killed.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import process from 'node:process';

const require = createRequire(import.meta.url);
const promises = require('node:fs/promises');
const atOnce = require('node:fs');
const fault = JSON.parse(process.env.FAULT ?? '{}');
let armed = false;
let calls = 0;

globalThis.armFaults = () => {
  armed = true;
};

const handle = await promises.open(fileURLToPath(import.meta.url));
const handles = Object.getPrototypeOf(handle);
await handle.close();

for (const name of ['open', 'stat', 'lstat', 'readFile', 'rename', 'link', 'unlink', 'mkdir', 'readdir'])
  sabotage(promises, name);
for (const name of ['write', 'writeFile', 'read', 'readFile', 'stat', 'sync', 'datasync', 'close'])
  sabotage(handles, name);
sabotageWritingAtOnce();
syncBuiltinESMExports();

function sabotage(/** @type {Record<string, Function>} */ owner, /** @type {string} */ name) {
  const whole = owner[name];
  owner[name] = async function broken(/** @type {unknown[]} */ ...args) {
    if (!armed || (calls += 1) !== fault.at) return whole.apply(this, args);
    if (fault.kind === 'tear' && name.startsWith('write')) {
      const content = Buffer.from(args[0]);
      await whole.call(this, content.subarray(0, Math.floor(content.length / 2)));
    }
    if (fault.kind === 'kill' || fault.kind === 'tear') {
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => undefined);
    }
    // A handle must not be left open, whatever its closing reports.
    if (name === 'close') await whole.apply(this, args);
    throw Object.assign(new Error(`${fault.kind}: injected, ${name}`), { code: fault.kind });
  };
}

/** What is appended and the pieces of a plan file; what the worker says is left alone. */
function sabotageWritingAtOnce() {
  const whole = atOnce.writeSync;
  atOnce.writeSync = function broken(
    /** @type {number} */ file,
    /** @type {Buffer | string} */ content,
    /** @type {unknown[]} */ ...rest
  ) {
    if (!armed || file <= 2 || (calls += 1) !== fault.at) return whole(file, content, ...rest);
    const bytes = Buffer.from(content);
    if (fault.kind === 'tear') whole(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
    if (fault.kind === 'kill' || fault.kind === 'tear') process.kill(process.pid, 'SIGKILL');
    throw Object.assign(new Error(`${fault.kind}: injected, writeSync`), { code: fault.kind });
  };
}
