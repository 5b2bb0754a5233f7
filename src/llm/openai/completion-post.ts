import { createPost, type HttpReply, type PostLimits } from '../http-post.js';
import type { Proxy } from '../proxy.js';
import type { RequestBody } from '../request.js';

/** Sends one request for a chat completion and returns the reply as it came, whatever its status. */
export type CompletionPost = (body: RequestBody, limits: PostLimits) => Promise<HttpReply>;

export interface CompletionPostOptions {
  readonly baseUrl: string;
  /** Sent as the query `api-version`. */
  readonly apiVersion: string | undefined;
  /** All that are sent besides that of the content's type, by names in small letters; null keeps the client from its own. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly proxy: Proxy | undefined;
}

/**
 * Makes what posts requests by the official client of the API. It writes them and hands them to a `fetch` that posts them
 * itself and tells it at once that all went well, because it would retry, rewrite errors and lose their causes. Of the
 * process's environment nothing is sent.
 */
export async function createCompletionPost(options: CompletionPostOptions): Promise<CompletionPost> {
  const { baseUrl, apiVersion, headers, proxy } = options;
  const [{ OpenAI }, post] = await Promise.all([
    import('./official-client.js'),
    createPost(new URL(baseUrl), proxy),
  ]);
  const client = new OpenAI({
    baseURL: baseUrl,
    defaultHeaders: headers,
    ...(apiVersion === undefined ? {} : { defaultQuery: { 'api-version': apiVersion } }),
    maxRetries: 0,
    logLevel: 'off',
    // What is not given is read from the environment; who asks is in the headers.
    apiKey: 'in the headers',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // A test of somebody else's may have the globals of a browser.
    dangerouslyAllowBrowser: true,
  });
  const sent = new Set([...Object.keys(headers), 'content-type']);
  return (body, limits) =>
    new Promise((resolve, reject) => {
      const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
        // Of the others some tell about this machine, and some are of `OPENAI_CUSTOM_HEADERS`.
        const written = [...new Headers(init.headers)].filter(([name]) => sent.has(name));
        const text = typeof init.body === 'string' ? init.body : '';
        resolve(post({ url: new URL(String(url)), headers: Object.fromEntries(written), text }, limits));
        return new Response();
      };
      client.withOptions({ fetch }).chat.completions.create(body).asResponse().catch(reject);
    });
}
