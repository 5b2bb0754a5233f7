import { PlanError } from '../../kernel/errors.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import type { Context } from './context.js';
import { actorOfEnvironment } from './environment.js';

const LONGEST_NAME = 200;

/** Who works, and on which plan. */
export interface ActorOptions {
  /** The plan, when it is not the one that is meant anyway. */
  readonly plan?: string | undefined;
  /** Who acts, as claims name it (default: `FRCTL_BY`, else user@host). */
  readonly by?: string | undefined;
}

/** The name of who acts, on one line. @throws PlanError INVALID_INPUT */
export function actorName({ environment }: Context, { by }: ActorOptions): string {
  const name = oneLine(by ?? actorOfEnvironment(environment));
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  throw new PlanError('INVALID_INPUT', `a name has 1 to ${LONGEST_NAME} characters, not ${name.length}`, {
    hint: { commandLine: '--by names who works, such as --by agent-7; FRCTL_BY names it for every command.' },
  });
}
