import fc from 'fast-check';

import { scale } from '../faults/support/scale.js';

// The same values in every run: whether the suite passes depends on the commit, not on chance.
const seed = process.env.FRCTL_TEST_SEED === 'random' ? {} : { seed: 20_260_101 };
fc.configureGlobal({ ...seed, numRuns: scale(100, 25) });
