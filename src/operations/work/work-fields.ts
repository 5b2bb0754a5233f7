import { text } from '../shared/fields.js';

/** The field of operations on work for who works. */
export const byOption = () => text('who works (default: user@host)', 'name');

/** The field of operations on work for how long a claim holds. */
export const leaseOption = () => text('how long the claim holds: 30s, 30m, 2h, 1d (default: 30m)', 'time');

/** The field of operations on work for the token of a claim. */
export const tokenOption = () => text('what `plan claim` printed', 'token');
