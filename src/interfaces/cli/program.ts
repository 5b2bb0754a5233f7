import type { CommandSpec } from './command.js';
import { KNOWLEDGE_COMMANDS } from './knowledge-commands.js';
import { WORKING_COMMANDS } from './working-commands.js';

/** Every command of `plan`, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [...WORKING_COMMANDS, ...KNOWLEDGE_COMMANDS];
