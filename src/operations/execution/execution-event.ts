export type { ExecutionEvent } from '../../execution/executor/session.js';
