import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

const HOUR = 3_600_000;

// The clock passes the end of the only claim at each of the moments at which it is read.
test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a claim that ends while `next` looks is held or free, never neither (%i)',
  async (moment) => {
    let time = Date.parse('2026-01-01T00:00:00Z');
    let left = Infinity;
    const now = () => {
      left -= 1;
      if (left === 0) time += 2 * HOUR;
      return time;
    };
    const workingFolder = temporaryFolder();
    const environment = { workingFolder, homeFolder: workingFolder, variables: {}, now };
    const workspace = openWorkspace({ environment });
    await workspace.init({ goal: 'Bake bread', decompose: false }).result;
    await workspace.add('Buy flour');
    await workspace.add('Knead', { dependsOn: ['1'] });
    await workspace.claim('1', { by: 'ana', for: '1h' });
    left = moment;
    const { claimed, reason } = await workspace.next({ claim: true, by: 'ben' });
    expect([claimed === null, reason?.code]).toEqual(
      claimed === null ? [true, 'claimed'] : [false, undefined],
    );
  },
);
