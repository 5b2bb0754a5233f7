import type { ServerError } from '../error-text.js';

/** What a server says of how many tokens a request may have; a member that it does not name is missing. */
export interface NamedLimits {
  /** The longest reply that may be asked for. */
  readonly outputTokens?: number;
  /** Prompt and reply together. */
  readonly contextTokens?: number;
  /** The prompt of this request, as the server counts it. */
  readonly promptTokens?: number;
  /** Set when the reply that was asked for is too long, whatever number is named. */
  readonly tooMuch?: true;
}

const N = String.raw`[\`'"(]?(\d[\d,]*)`;
const CONTEXT = patterns(
  `exceed context limit: [\\d,]+ \\+ [\\d,]+ > ${N}`,
  `maximum context length (?:is|of) ${N}`,
  `context (?:window|size|length|limit)(?: is| of|:)? ${N}`,
  `max_new_tokens[\`'"]? must be <= ${N}`,
  `\\(TPM\\): Limit ${N}`,
);
const OUTPUT = patterns(
  `supports at most ${N} (?:completion|output) tokens`,
  `max_(?:completion_|output_)?tokens[\`'"]? (?:must|should|has to) be (?:less than or equal to|at most|no more than|<=) ${N}`,
  `range of max_(?:completion_|output_)?tokens (?:is|should be) \\[\\d+, ?${N}\\]`,
  `max_(?:completion_|output_)?tokens: [\\d,]+ > ${N}`,
  `exceeds the (?:model )?limit of ${N}`,
  `maximum (?:number of )?(?:completion|output) tokens[^\\d]{0,40}${N}`,
);
// The bound is itself not allowed.
const BELOW = patterns(`\\(inclusive\\) to ${N} \\(exclusive\\)`);
const PROMPT = patterns(
  `(?<![\\d,])${N} in the messages`,
  `messages resulted in ${N} tokens`,
  `request has ${N} input tokens`,
);
const ASKED_TOO_MUCH =
  /max_?(?:completion_|output_|new_)?tokens[^]{0,80}(?:too (?:large|big|high|many|long)|exceed|at most|less than|maximum|range)/i;

/** Finds the limits on tokens in what a server says of a request that it refuses; undefined when there are none. */
export function namedLimits(error: ServerError): NamedLimits | undefined {
  const { message } = error;
  const below = numberAt(BELOW, message);
  const contextTokens = error.contextTokens ?? numberAt(CONTEXT, message);
  const outputTokens = numberAt(OUTPUT, message) ?? (below === undefined ? undefined : below - 1);
  const promptTokens = error.promptTokens ?? numberAt(PROMPT, message);
  const tooMuch = ASKED_TOO_MUCH.test(message);
  if (contextTokens === undefined && outputTokens === undefined && !tooMuch) return undefined;
  return {
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(tooMuch ? { tooMuch } : {}),
  };
}

function patterns(...sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source, 'i'));
}

function numberAt(patterns: readonly RegExp[], message: string): number | undefined {
  const found = patterns.map((pattern) => pattern.exec(message)?.[1]).find((one) => one !== undefined);
  const number = Number((found ?? '').replaceAll(',', ''));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
