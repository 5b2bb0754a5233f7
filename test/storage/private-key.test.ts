import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { temporaryFolder } from '../support/folders.js';

test.runIf(process.platform === 'linux')(
  'a key that cannot be written leaves no file, open or on the disk',
  () => {
    const path = join(temporaryFolder(), 'approval.key');
    const script = `
    import { readdirSync } from 'node:fs';
    import { privateKey } from ${JSON.stringify(resolve('dist/host/files/private-key.js'))};
    const open = () => readdirSync('/proc/self/fd').length;
    const codes = [];
    const fail = () => privateKey(process.argv[1]).catch(({ code }) => codes.push(code));
    // What the process itself opens, it opens once.
    await fail();
    const before = open();
    for (let time = 1; time < 5; time += 1) await fail();
    const left = open() - before;
    process.stdout.write(JSON.stringify({ codes, left }));`;
    const node = [process.execPath, '--input-type=module', '-e', script, path];
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node], { encoding: 'utf8' });
    const told = z.object({ codes: z.array(z.string()), left: z.number() }).parse(JSON.parse(stdout));
    expect(told).toEqual({ codes: Array.from({ length: 5 }, () => 'STORAGE_FAILED'), left: 0 });
    expect(readdirSync(join(path, '..'))).toEqual([]);
  },
);
