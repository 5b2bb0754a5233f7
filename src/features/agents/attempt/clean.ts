import { redactedText } from '../../actions/model/redact.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import type { Agent } from './presets.js';

/** A longer text is looked through only for the values that an agent was given. */
const MOST_LOOKED_AT = 32_000;

/** Returns the end of a text, without secrets. */
export type Clean = (text: string) => string;

/** Returns what blots out of a text the values that an agent is given by `env`, and what looks like a secret. */
export function cleanerOf(
  { env = [] }: Agent,
  variables: Readonly<Record<string, string | undefined>>,
): Clean {
  const secrets = createSecrets(variables);
  for (const name of env) secrets.read(name);
  return (text) => redactedText(secrets.blotText(text).slice(-MOST_LOOKED_AT));
}
