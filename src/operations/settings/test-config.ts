import * as z from 'zod';

import { isCommandModel } from '../../llm/command/presets.js';
import { PlanError } from '../../kernel/errors.js';
import { NO_USAGE } from '../../plan/plan.js';
import { usageSchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { choosePlanning } from '../planning/choose-planning.js';
import { connectModel } from '../planning/model-connection.js';
import { serverFields } from '../planning/planning-fields.js';
import { apiKeyOf } from './settings.js';
import { endpointOf } from './trust.js';

/**
 * Makes one real call to the model that planning would ask.
 * @throws PlanError what the model failed with (exit 5), INVALID_CONFIG when no model is configured, INTERRUPTED
 */
export const testConfig = defineOperation({
  input: z.strictObject(serverFields()),
  output: z.object({
    model: z.string(),
    base_url: z.string(),
    usage: usageSchema,
    notes: z.array(z.string()).readonly().describe('What happened on the way, such as a retry.'),
  }),
  examples: ['plan config test', 'plan config test --model gpt-4.1 --json'],
  mutates: false,
  interruptible: true,
  async run(context, input) {
    const { settings, resolved } = await choosePlanning(context, {
      settings: { ...input.settings, expander: 'model' },
    }).catch((thrown: unknown) => {
      throw thrown instanceof PlanError && thrown.details.missing !== undefined ? noServer(thrown) : thrown;
    });
    if (isCommandModel(settings.model))
      throw new PlanError(
        'INVALID_CONFIG',
        `${settings.model} is a command; \`plan config test\` tries servers`,
        {
          hint: { commandLine: 'Try it with a plan: plan init "Write a haiku" --model exec:…' },
        },
      );
    const endpoint = endpointOf(
      resolved,
      apiKeyOf(context.environment.variables),
      await context.userConfig(),
      undefined,
    );
    const notes: string[] = [];
    const model = await connectModel(context, {
      settings,
      resolved,
      spent: undefined,
      endpoint,
      emit: (event) => event.type === 'notice' && notes.push(event.message),
    });
    const { testQuestion } = await import('../../planning/model/model-expander.js');
    const answer = await model.ask(await testQuestion(), context.signal ?? new AbortController().signal);
    if (answer.kind === 'unavailable') throw withWhatToSet(answer.error);
    if (answer.kind === 'aborted') throw new PlanError('INTERRUPTED', 'the test was interrupted');
    if (answer.kind !== 'reply') {
      const reason = answer.kind === 'rejected' ? answer.reason : answer.kind;
      throw new PlanError(
        'MODEL_FAILED',
        `${settings.model ?? 'the model'} answered, but not with what was asked for: ${reason}`,
      );
    }
    return {
      model: settings.model ?? '',
      base_url: endpoint.baseUrl,
      usage: answer.usage ?? NO_USAGE,
      notes: [...notes, ...answer.notes],
    };
  },
});

/** No plan waits for the answer, so that the settings alone can help. */
function withWhatToSet(error: PlanError): PlanError {
  const { code, message, details, cause } = error;
  const isUnknown = code === 'MODEL_UNKNOWN';
  if (!isUnknown && details.attempts === undefined) return error;
  const proxy = details.proxy === undefined ? '' : ' A name in NO_PROXY is reached without the proxy.';
  return new PlanError(code, message, {
    hint: {
      commandLine: isUnknown
        ? 'Set another model with `plan config set model NAME --user`, or another server with `plan config set base_url URL --user`; its URL mostly ends in /v1.'
        : `Start the server, or set another: \`plan config set base_url URL --user\`.${proxy}`,
    },
    details,
    cause,
  });
}

/** There is nothing to be tried: without a model the rules plan, which is no cure for this command. */
function noServer({ code, message, details }: PlanError): PlanError {
  return new PlanError(code, message, {
    hint: {
      commandLine:
        'Set OPENAI_API_KEY, or name a server: `plan config set base_url URL --user` and `plan config set model NAME --user`, or --base-url and --model here.',
    },
    details,
  });
}
