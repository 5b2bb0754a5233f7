/** US dollars per million tokens, as in the config's `prices`. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** What is known of a model beforehand. */
export interface ModelFacts {
  /** US dollars for so many tokens, cached input counted in full; null when the price is not known. */
  readonly costOf: (inputTokens: number, outputTokens: number) => number | null;
  /** Tokens of prompt and reply together. */
  readonly contextTokens: number | undefined;
}

/**
 * Price and context window of a model on a server: from `prices` where it names the model, else from the
 * library's bundled table, offline. A server the table does not know has no price, whatever its models are called.
 */
export async function lookUpModel(
  model: string,
  baseUrl: string,
  prices: Readonly<Record<string, Price>> = {},
): Promise<ModelFacts> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const price = (inputTokens: number, outputTokens: number): ReturnType<typeof calcPrice> =>
    calcPrice({ input_tokens: inputTokens, output_tokens: outputTokens }, model, { providerApiUrl: baseUrl });
  const contextTokens = price(0, 0)?.model.context_window;
  const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return {
    contextTokens,
    costOf: (inputTokens, outputTokens) =>
      own === undefined
        ? (price(inputTokens, outputTokens)?.total_price ?? null)
        : (inputTokens * own.input + outputTokens * own.output) / 1_000_000,
  };
}
