import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { UserConfig } from './config.js';
import { DEFAULT_BASE_URL } from './settings.js';
import type { ResolvedSettings } from './settings.js';

/**
 * A base URL in the one form in which URLs are compared and kept among those to trust: no slash at the end.
 * @throws PlanError INVALID_INPUT when it is no http(s) URL, holds credentials, or has a query or fragment
 */
export function normalizeBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(text, 80))} is not a URL`, {
      hint: ['A base URL looks like https://api.example.com/v1 or http://localhost:11434/v1.'],
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new PlanError('INVALID_INPUT', `the base URL for ${url.host} holds credentials; they are refused`, {
      hint: ['Give the URL without them and set OPENAI_API_KEY in the environment.'],
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new PlanError('INVALID_INPUT', `the base URL for ${url.host} has a query or a fragment`, {
      hint: ['Give the URL without it, and set OPENAI_API_KEY in the environment.'],
    });
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    // Else what looks like a host may hold a password.
    const host = /^[\w.-]+:\d+(?:\/[\w./-]*)?$/.test(text) ? text : null;
    throw new PlanError('INVALID_INPUT', 'a base URL starts with https:// or http://', {
      hint: {
        commandLine:
          host === null ? 'Such as https://api.example.com/v1.' : `Write http://${host}, or https://.`,
      },
    });
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/**
 * The trusted base URL to use, and the key to send there. A URL that a repository brought (its config, or a plan's
 * settings) gets nothing until the user has trusted it, with or without a key: goals, context and results are
 * worth stealing too.
 * @param ownBaseUrl the server that the user himself named when he planned this plan before
 * @throws PlanError UNTRUSTED_BASE_URL naming the command that trusts it; INVALID_INPUT
 */
export function endpointOf(
  settings: ResolvedSettings,
  apiKey: string | null,
  user: UserConfig,
  ownBaseUrl: string | undefined,
): { readonly baseUrl: string; readonly apiKey: string | null } {
  const baseUrl = normalizeBaseUrl(settings.values.base_url ?? DEFAULT_BASE_URL);
  const source = settings.sources.base_url;
  const fromRepository = source === 'project' || source === 'plan';
  const trusted =
    !fromRepository ||
    baseUrl === ownBaseUrl ||
    // Where the user has chosen a server of his own, the default is another.
    (baseUrl === DEFAULT_BASE_URL && user.base_url === undefined) ||
    isTrusted(baseUrl, user);
  if (!trusted) {
    const where = source === 'plan' ? 'the plan’s settings' : '.plans/config.json';
    throw new PlanError(
      'UNTRUSTED_BASE_URL',
      `the base URL ${baseUrl} comes from ${where}; nothing is sent there`,
      {
        hint: {
          commandLine: `If you know this server, run \`plan config trust ${shellWord(baseUrl)}\` once. Otherwise give --base-url, or plan with --expander rules.`,
        },
        details: { base_url: baseUrl, source },
      },
    );
  }
  return { baseUrl, apiKey };
}

/** The user's config with prompts trusted. @param digest of what they hold */
export function withTrustedPrompts(user: UserConfig, digest: string): UserConfig {
  const trusted = user.trusted_prompts ?? [];
  return trusted.includes(digest) ? user : { ...user, trusted_prompts: [...trusted, digest] };
}

/** The user's config with a URL trusted. */
export function withTrusted(user: UserConfig, baseUrl: string): UserConfig {
  const trusted = user.trusted_base_urls ?? [];
  return trusted.includes(baseUrl) ? user : { ...user, trusted_base_urls: [...trusted, baseUrl] };
}

/** Whether the user's own config names this server, as the one to use or as one to trust. */
function isTrusted(baseUrl: string, user: UserConfig): boolean {
  const named = [user.base_url ?? '', ...(user.trusted_base_urls ?? [])];
  return named.some((url) => url.replace(/(?<!\/)\/+$/, '') === baseUrl);
}
