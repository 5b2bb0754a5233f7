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
  const found = calcPrice(NO_TOKENS, model, { providerApiUrl: baseUrl });
  const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return {
    contextTokens: found?.model.context_window,
    costOf: own === undefined ? tabledCost(model, found, calcPrice) : costAt(own),
  };
}

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };

function costAt({ input, output }: Price): ModelFacts['costOf'] {
  return (inputTokens, outputTokens) => (inputTokens * input + outputTokens * output) / 1_000_000;
}

/** The model is looked for once: every call asks, and a search of the whole table takes longer than a sum. */
function tabledCost(model: string, found: ReturnType<CalcPrice>, calcPrice: CalcPrice): ModelFacts['costOf'] {
  if (found === null) return () => null;
  // The price of a model may depend on the time of day, so that it is not looked up once and for all.
  const provider = { ...found.provider, models: [found.model] };
  return (input_tokens, output_tokens) =>
    calcPrice({ input_tokens, output_tokens }, model, { provider })?.total_price ?? null;
}

type CalcPrice = typeof import('@pydantic/genai-prices').calcPrice;
