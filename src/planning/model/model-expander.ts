import { contentStems } from '../../kernel/text/content-stems.js';
import type { ChatModel, Question } from '../../llm/chat-model.js';
import { loadPrompts, renderPrompt, promptSlots } from '../../llm/prompts.js';
import { tagged } from '../../llm/quote.js';
import type { Prompts, PromptTemplate } from '../../llm/prompts.js';
import { expansionSchema } from '../../plan/expansion.js';
import type { Expansion } from '../../plan/expansion.js';
import type { Settings } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import { promptContext } from '../context.js';
import type { Expander, ExpansionOutcome, ExpansionRequest } from '../expander.js';
import { withoutFillerGoals } from '../sanitize/filler.js';
import { countedFromOne } from '../sanitize/counted-from-one.js';

export interface ModelExpanderOptions {
  readonly kind: 'model' | 'replay';
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that the user message may have. */
  readonly promptTokens: number;
  readonly settings: Pick<Settings, 'max_depth' | 'max_children' | 'max_goals' | 'prompt_variant'>;
}

/** What a question is made with. */
export type QuestionOptions = Pick<ModelExpanderOptions, 'prompts' | 'promptTokens' | 'settings'>;

/** Expands goals by asking a chat model. */
export function createModelExpander({ kind, model, ...options }: ModelExpanderOptions): Expander {
  return {
    kind,
    connection: { model, prompts: options.prompts, promptTokens: options.promptTokens },
    async control(signal, stop) {
      const answer = await model.ask(await testQuestion(), signal, stop);
      const answered = answer.kind === 'reply' || answer.kind === 'rejected';
      return answered ? { kind: 'answered', usage: answer.usage } : answer;
    },
    async expand(request, signal, stop) {
      const { question, cut } = await expansionQuestion(request, options);
      const answer = await model.ask(question, signal, stop);
      switch (answer.kind) {
        case 'reply': {
          const proposed = countedFromOne(answer.value);
          const { expansion, warnings } = withoutFillerGoals(proposed, descriptionsAbove(request));
          const told = [...warningsOf(cut), ...warnings];
          return { kind: 'expansion', expansion, usage: answer.usage, warnings: told };
        }
        case 'rejected':
          return { kind: 'review', code: answer.code, reason: answer.reason, usage: answer.usage };
        default:
          return answer satisfies ExpansionOutcome;
      }
    },
  };
}

function descriptionsAbove({ plan, goal }: Pick<ExpansionRequest, 'plan' | 'goal'>): readonly string[] {
  return [...ancestors(plan, goal), goal].map(({ description }) => description);
}

/** A question to expand a goal, with what its message has between tags and which parts of its context were cut. */
export interface ExpansionAsked {
  readonly question: Question<Expansion>;
  readonly slots: Readonly<Record<string, string>>;
  readonly cut: readonly string[];
}

/** Returns the question that the model is asked to expand a goal. */
export async function expansionQuestion(
  { plan, goal, revision, maxChildren }: ExpansionRequest,
  { prompts, promptTokens, settings }: QuestionOptions,
): Promise<ExpansionAsked> {
  const templates = templatesOf(prompts, settings);
  const subject = {
    plan,
    goal,
    limits: { settings, maxChildren },
    ...(revision === undefined ? {} : { revision }),
  };
  const { slots, cut } = await promptContext(subject, {
    limit: promptTokens,
    slots: promptSlots(templates.user),
  });
  const question = questionAbout(maxChildren, slots, templates, textsAbove({ plan, goal }));
  return { question, slots, cut };
}

/** Returns one system prompt for several questions, which explains the tags of all of them. */
export function commonSystemPrompt(
  requests: readonly Pick<ExpansionRequest, 'plan' | 'goal' | 'maxChildren'>[],
  asked: readonly Pick<ExpansionAsked, 'slots'>[],
  { prompts, settings }: QuestionOptions,
): string {
  const slots: Record<string, string> = {};
  for (const each of asked)
    for (const name in each.slots) slots[name] = (slots[name] ?? '') || (each.slots[name] ?? '');
  const most = Math.max(...requests.map(({ maxChildren }) => maxChildren));
  return systemPrompt(most, slots, templatesOf(prompts, settings), requests.map(textsAbove).join(' '));
}

interface Templates {
  readonly system: PromptTemplate;
  readonly tags: PromptTemplate;
  readonly examples: PromptTemplate;
  readonly user: PromptTemplate;
  readonly shorter: PromptTemplate;
}

function templatesOf(prompts: Prompts, { prompt_variant }: Pick<Settings, 'prompt_variant'>): Templates {
  const common = { shorter: prompts['expand.shorter.md'], examples: prompts['expand.examples.md'] };
  return prompt_variant === 'plain'
    ? {
        ...common,
        system: prompts['expand_plain.system.md'],
        user: prompts['expand_plain.user.md'],
        tags: prompts['expand_plain.tags.md'],
      }
    : {
        ...common,
        system: prompts['expand.system.md'],
        user: prompts['expand.user.md'],
        tags: prompts['expand.tags.md'],
      };
}

function questionAbout(
  maxChildren: number,
  slots: Readonly<Record<string, string>>,
  templates: Templates,
  about: string,
): Question<Expansion> {
  return {
    name: 'expansion',
    schema: expansionSchema,
    system: systemPrompt(maxChildren, slots, templates, about),
    user: renderPrompt(templates.user, slots),
    shorter: renderPrompt(templates.shorter, {
      max_children: String(Math.max(2, Math.ceil(maxChildren / 2))),
    }),
    check: contradictions,
  };
}

function systemPrompt(
  maxChildren: number,
  slots: Readonly<Record<string, string>>,
  { system, tags, examples }: Templates,
  about: string,
): string {
  return renderPrompt(system, {
    max_children: String(maxChildren),
    tags: presentTags(tags, slots),
    examples: farthestExamples(examples, about),
  });
}

/** What a prompt says of the tags that its message has, a line each. */
function presentTags({ text }: PromptTemplate, slots: Readonly<Record<string, string>>): string {
  const isPresent = (line: string) => {
    const name = /^- `([a-z_]+)`/.exec(line)?.[1];
    return name === undefined || !Object.hasOwn(slots, name) || slots[name] !== '';
  };
  return text.trimEnd().split(/\r?\n/).filter(isPresent).join('\n');
}

/** Of the sets of examples, which lines of dashes part, the one that shares the fewest words with a text. */
function farthestExamples({ text }: PromptTemplate, about: string): string {
  const words = new Set(contentStems(about));
  const sharedWith = (set: string) => new Set(contentStems(set).filter((word) => words.has(word))).size;
  const sets = text.split(/^---$/m).map((set) => ({ set: set.trim(), shared: sharedWith(set) }));
  return sets.reduce((best, one) => (one.shared < best.shared ? one : best)).set;
}

function textsAbove(request: Pick<ExpansionRequest, 'plan' | 'goal'>): string {
  return descriptionsAbove(request).join(' ');
}

/** The smallest question to a model there is, to see whether it answers as it should. */
export async function testQuestion(): Promise<Question<Expansion>> {
  const templates = templatesOf(await loadPrompts(), {});
  const nothing = Object.fromEntries(Array.from(promptSlots(templates.user), (name) => [name, '']));
  return questionAbout(2, { ...nothing, goal: tagged('goal', 'Add a line to a text file') }, templates, '');
}

/** What an expansion by a model says against itself, by path. A verdict is never guessed from it. */
export function contradictions({ atomic, sub_goals }: Expansion): readonly string[] {
  const named = sub_goals.filter(({ description }) => description.trim() !== '');
  if (atomic && named.length > 0) return ['$.sub_goals: must be empty when $.atomic is true'];
  if (!atomic && named.length === 0)
    return ['$.sub_goals: must hold at least one sub-goal when $.atomic is false'];
  return [];
}

function warningsOf(cut: readonly string[]) {
  if (cut.length === 0) return [];
  return [{ code: 'context_cut', message: `the prompt left out a part of: ${cut.join(', ')}` }];
}
