import { libraryOf } from '../../../operations/library.js';
import type { LibraryOf } from '../../../operations/library.js';
import { actions } from '../../actions/registry.js';
import { runs } from '../../runs/registry.js';
import type { ToolWorld } from '../tool.js';

const OPERATIONS = { ...actions.operations, ...runs.operations };

/** The operations on action plans and runs as functions, for a call of a tool. */
export function runLibrary({ context }: ToolWorld): LibraryOf<typeof OPERATIONS> {
  return libraryOf(context, OPERATIONS);
}
