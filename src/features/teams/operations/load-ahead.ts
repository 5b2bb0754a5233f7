/**
 * Loads what asking a model takes before there is anything to ask, so that the first goals of a plan wait for no code: the
 * modules that are loaded where they are used otherwise, the tables of the tokenizer, the prices. Asks nobody.
 */
export async function loadAhead(): Promise<void> {
  const { testQuestion } = await import('../../../planning/model/model-expander.js');
  const { questionTokens } = await import('../../../llm/spend/question-tokens.js');
  const { lookUpModel } = await import('../../../llm/spend/prices.js');
  await Promise.all([
    import('../../../llm/client.js'),
    import('../../../llm/limiter.js'),
    import('../../../llm/spend/meter.js'),
    import('../../../operations/settings/extra-request.js'),
    import('../../../operations/planning/learnt-models.js'),
    testQuestion().then(questionTokens),
    lookUpModel('', ''),
  ]);
}
