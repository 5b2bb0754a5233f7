export type { ExecutionEvent } from '../executor/session.js';
