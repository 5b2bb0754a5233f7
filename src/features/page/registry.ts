import type { Feature } from '../../feature.js';

/** The page of `plan serve`. */
export const page: Feature = { name: 'page' };
