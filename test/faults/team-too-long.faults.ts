import { describeTooLongRows } from '../support/postgres/too-long-rows.js';

// Longer than any text of Node's: the driver throws where nobody catches it.
describeTooLongRows(600_000_001, 1_800_000);
