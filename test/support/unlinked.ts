/**
 * Variables with which planning does not ask at its end which leaves need each other, so that the calls of a test are those it
 * is about. Tests of that question leave them out.
 */
export const UNLINKED = { FRCTL_LINK: 'false' } as const;
