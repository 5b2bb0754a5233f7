import { uniformTree } from '../../support/model-server.js';
import { scale } from './scale.js';

const DEPTH = scale(5, 3);

/** The tree that workers plan while something goes wrong, how large it is, and with what it is planned. */
export const TEAM_TREE = uniformTree(DEPTH, 3);
export const TEAM_GOALS = (3 ** (DEPTH + 1) - 1) / 2;
export const TEAM_QUESTIONS = (3 ** DEPTH - 1) / 2;
export const TEAM_SETTINGS = { model: 'm', max_children: 3, max_goals: 10_000 };
