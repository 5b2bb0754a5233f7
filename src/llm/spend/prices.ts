/** US dollars per million tokens, as in the config's `prices`. */
interface Price {
  readonly input: number;
  readonly output: number;
}

/** Prices by model, and who says them. */
export interface PriceLists {
  /** What the user himself says; it counts before the library's table. */
  readonly own?: Readonly<Record<string, Price>> | undefined;
  /** What a repository says; it counts only where it makes a call dearer. */
  readonly project?: Readonly<Record<string, Price>> | undefined;
}

/** What is known of a model beforehand. */
export interface ModelFacts {
  /** US dollars for so many tokens, cached input counted in full; null when the price is not known. */
  readonly costOf: (inputTokens: number, outputTokens: number) => number | null;
  /** Tokens of prompt and reply together. */
  readonly contextTokens: number | undefined;
}

/**
 * Price and context window of a model on a server: from the user's own prices where they name the model, else from the
 * library's bundled table, offline. A server the table does not know has no price, whatever its models are called. A price
 * of a repository raises a cost and never lowers it; a price that is not known stays so.
 */
export async function lookUpModel(
  model: string,
  baseUrl: string,
  prices: PriceLists = {},
): Promise<ModelFacts> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const found = calcPrice(NO_TOKENS, model, { providerApiUrl: baseUrl });
  const own = priceIn(prices.own, model);
  const least = priceIn(prices.project, model);
  const costOf = own === undefined ? tabledCost(model, found, calcPrice) : costAt(own);
  return {
    contextTokens: found?.model.context_window,
    costOf: least === undefined ? costOf : costOfAtLeast(costOf, costAt(least)),
  };
}

function priceIn(prices: Readonly<Record<string, Price>> = {}, model: string): Price | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

function costOfAtLeast(costOf: ModelFacts['costOf'], least: ModelFacts['costOf']): ModelFacts['costOf'] {
  return (inputTokens, outputTokens) => {
    const cost = costOf(inputTokens, outputTokens);
    return cost === null ? null : Math.max(cost, least(inputTokens, outputTokens) ?? 0);
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
