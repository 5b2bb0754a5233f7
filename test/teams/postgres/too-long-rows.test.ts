import { describeTooLongRows } from '../../support/postgres/too-long-rows.js';

// A little more than is read; test/faults has one that no text of Node's can hold.
describeTooLongRows(270_000_001, 180_000);
