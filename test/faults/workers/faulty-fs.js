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
for (const name of ['openSync', 'fstatSync', 'readFileSync', 'renameSync', 'writeSync']) sabotageAtOnce(name);
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

/** What is done at once: appending, the pieces of a plan file, reading the index. What the worker says is left alone. */
function sabotageAtOnce(/** @type {string} */ name) {
  const whole = atOnce[name];
  atOnce[name] = function broken(/** @type {any[]} */ ...args) {
    const isSaid = typeof args[0] === 'number' && args[0] <= 2;
    if (!armed || isSaid || (calls += 1) !== fault.at) return whole.apply(this, args);
    if (fault.kind === 'tear' && name === 'writeSync') {
      const bytes = Buffer.from(args[1]);
      whole(args[0], bytes.subarray(0, Math.floor(bytes.length / 2)));
    }
    if (fault.kind === 'kill' || fault.kind === 'tear') process.kill(process.pid, 'SIGKILL');
    throw Object.assign(new Error(`${fault.kind}: injected, ${name}`), { code: fault.kind });
  };
}
