import fc from 'fast-check';

// The same values in every run: whether the suite passes depends on the commit, not on chance.
if (process.env.FRCTL_TEST_SEED !== 'random') fc.configureGlobal({ seed: 20_260_101 });
