import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { markedProcesses } from '../../src/host/processes/marked-processes.js';
import { temporaryFolder } from '../support/folders.js';

test.runIf(process.platform === 'linux')(
  'a process that becomes another program again and again is found at each look (needs /proc)',
  async () => {
    const script = join(temporaryFolder(), 'again.sh');
    writeFileSync(script, '#!/bin/sh\nexec "$0"\n');
    chmodSync(script, 0o755);
    const child = spawn(script, { env: { FRCTL_MARK: 'mark-1' }, stdio: 'ignore' });
    try {
      const marking = { variable: 'FRCTL_MARK', prefix: 'mark-' };
      let missed = 0;
      for (let look = 0; look < 200; look += 1) {
        const found = await markedProcesses(marking);
        if (!found.some(({ pid }) => pid === child.pid)) missed += 1;
      }
      expect(missed).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
