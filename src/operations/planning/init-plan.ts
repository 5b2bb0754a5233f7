import { newGoalIds } from '../shared/new-goal-ids.js';
import { basename, extname, isAbsolute, relative, resolve } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import { rootGoalId } from '../../plan/ids.js';
import { SCHEMA_VERSION } from '../../plan/snapshot/format-version.js';
import type { Settings } from '../../plan/schema.js';
import type { DocumentItem, DocumentOutline } from '../../rules/documents/document-item.js';
import type { readDocument } from '../../rules/documents/read-document.js';
import type { LeftOut, ReadingChoice } from '../../rules/documents/section-choice.js';
import { outlineEvents } from '../../planning/document-goals.js';
import { readTextFile } from '../../host/files/text-files.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { field, text, texts } from '../shared/fields.js';
import { planningReport } from '../shared/report-schemas.js';
import { handOver } from './agent/hand-over.js';
import { choosePlanning, rememberOwn } from './expanders.js';
import type { PlanningChoice, PlanningFlags } from './expanders.js';
import { expectedUse } from './planning-estimate.js';
import { planningFields, planningFlags } from './planning-fields.js';
import { planningDocument, planningResult } from './planning-result.js';
import type { Emit, PlanningResult } from './planning-run.js';
import { runPlanning } from './run-planning.js';

const LONGEST_GOAL = 10_000;
export const LARGEST_DOCUMENT = 64 * 1024 * 1024;
/** How a document is called that came from standard input. */
export const STANDARD_INPUT = 'standard input';
const LARGEST_CONTEXT = 200_000;

/** What a plan is made from. */
export interface InitOptions extends PlanningFlags {
  /** What to accomplish; may be left out with `from`. */
  readonly goal?: string | undefined;
  /** A Markdown document to plan from. */
  readonly from?: string | undefined;
  /** What the document holds, where it is no file. */
  readonly text?: string | undefined;
  /** Plan what the document says as context too. */
  readonly all?: boolean | undefined;
  /** Headings of the only sections of the document to plan. */
  readonly only?: readonly string[] | undefined;
  /** Headings of sections of the document that are left out besides. */
  readonly skip?: readonly string[] | undefined;
  /** Files about the project that the model is told in every prompt. */
  readonly context?: readonly string[] | undefined;
}

/** A plan before it is stored: how it is to be planned, and the events that make it. */
interface PlanDraft {
  readonly choice: PlanningChoice;
  readonly first: PayloadOf<'plan_created'>;
  readonly outline: readonly PayloadOf<'goal_expanded'>[];
  /** What of the document is no goal. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Makes a plan of a goal or a document and decomposes it. The plan is durable before anything is asked.
 * @throws PlanError INVALID_INPUT, FILE_NOT_FOUND, UNTRUSTED_BASE_URL, INVALID_CONFIG, STORAGE_FAILED
 */
export const initPlan = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: text('what to accomplish, with or without quotes', 'goal', { words: true }),
    from: text(
      'plan from a Markdown document, or from the tasks.json of Task Master; - reads standard input',
      'file',
    ),
    text: field(z.string().optional(), 'what such a document would hold', { textOf: 'from' }),
    all: field(z.boolean().optional(), 'plan what the document says as context too'),
    only: texts('plan these sections of the document alone', 'heading'),
    skip: texts('leave these sections of the document out', 'heading'),
    context: texts('files that tell the model about the project', 'file'),
    decompose: field(z.boolean().optional(), 'only make the plan', { negated: true }),
    ...planningFields(),
  }),
  output: planningReport,
  examples: [
    'plan init "Build a REST API with authentication"',
    'plan init Move the blog to a static site',
    'plan init --from PRD.md --budget-usd 0.50',
    'plan init "Port the app to Postgres" --base-url http://localhost:11434/v1 --model qwen3',
  ],
  mutates: true,
  async run(context, input): Promise<PlanningResult> {
    const { signal, dropSignal, emit } = context;
    const { choice, first, outline, leftOut } = await draftPlan(context, {
      ...input,
      ...planningFlags(input),
    });
    // What could refuse to plan does so before there is a plan.
    const byAgent = choice.settings.expander === 'agent';
    const expander = input.decompose === false || byAgent ? null : await choice.makeExpander(undefined, emit);
    const store = await context.storeToWrite();
    await rememberOwn(context, first.plan.id, choice);
    const log = await store.create(first, outline);
    const { plan } = log;
    for (const event of await log.events()) emit({ type: 'changed', event, refused: null, plan });
    await log.publish('now');
    tellLeftOut(leftOut, emit);
    if (choice.notice !== null) emit({ type: 'notice', message: choice.notice });
    if (choice.notice !== null && choice.settings.expander === 'rules') await tellServers(emit);
    const { settings } = choice;
    if (byAgent && input.decompose !== false) return handOver(context, { log, settings, emit });
    if (expander === null) return planningResult(log.plan, null);
    const estimate = () => expectedUse(context, choice, plan);
    return runPlanning(context, { log, settings, expander, estimate, emit, signal, dropSignal });
  },
  document: planningDocument,
});

/** Reads the goal or document and settles how it would be planned, without storing or asking anything. */
export async function draftPlan(context: Context, options: InitOptions): Promise<PlanDraft> {
  const contextTexts = await readContextFiles(context, options.context ?? []);
  const choice = await choosePlanning(context, options, { contextTexts });
  const planId = context.environment.ids.planId();
  const { root, outline, leftOut } = await readSource(context, options, planId, choice.settings);
  const first: PayloadOf<'plan_created'> = {
    type: 'plan_created',
    plan: {
      id: planId,
      description: root.description,
      schema_version: SCHEMA_VERSION,
      settings: choice.settings,
    },
    root,
  };
  return { choice, first, outline, leftOut };
}

type Root = PayloadOf<'plan_created'>['root'];

interface Source {
  readonly root: Root;
  readonly outline: readonly PayloadOf<'goal_expanded'>[];
  readonly leftOut: readonly LeftOut[];
}

async function readSource(
  context: Context,
  options: Pick<InitOptions, 'goal' | 'from' | 'text' | 'all' | 'only' | 'skip'>,
  planId: string,
  settings: Settings,
): Promise<Source> {
  const goal = options.goal?.trim();
  const sections = chosenSections(options);
  if (options.from === undefined) {
    if (goal === undefined || goal === '') {
      throw new PlanError('INVALID_INPUT', 'the goal is empty', {
        hint: 'Say what to accomplish: plan init "Build a REST API"',
      });
    }
    if (goal.length > LONGEST_GOAL) {
      throw new PlanError(
        'INVALID_INPUT',
        `the goal has ${goal.length} characters; at most ${LONGEST_GOAL} make a goal`,
        {
          hint: 'Put the text into a file and plan from that: plan init --from FILE.md',
        },
      );
    }
    return { root: { description: goal }, outline: [], leftOut: [] };
  }
  return readRequirements(
    context,
    { from: options.from, text: options.text, goal, sections },
    planId,
    settings,
  );
}

/** Which sections are planned, when not the document's own reading decides. @throws PlanError USAGE without a document */
function chosenSections({ from, all, only, skip }: InitOptions): ReadingChoice | undefined {
  if (all !== true && only === undefined && skip === undefined) return undefined;
  if (from === undefined) {
    throw new PlanError('USAGE', '--all, --only and --skip choose among the sections of a document', {
      hint: 'Name the document: plan init --from PRD.md',
    });
  }
  return { ...(all === true ? { all } : {}), ...(only ? { only } : {}), ...(skip ? { skip } : {}) };
}

async function readRequirements(
  { environment }: Context,
  {
    from,
    text: given,
    goal,
    sections,
  }: {
    readonly from: string;
    readonly text: string | undefined;
    readonly goal: string | undefined;
    readonly sections: ReadingChoice | undefined;
  },
  planId: string,
  settings: Settings,
): Promise<Source> {
  const file = given === undefined ? shownPath(from, environment.workingFolder) : STANDARD_INPUT;
  const text =
    given?.replace(/^\uFEFF/, '') ??
    (await readTextFile(resolve(environment.workingFolder, from), LARGEST_DOCUMENT));
  const { outline, leftOut, unknown } = await readTasksOrDocument(text, file, sections);
  if (outline.items.length === 0 && text.trim() === '') {
    throw new PlanError('INVALID_INPUT', `${file} is empty`, { details: { path: from } });
  }
  const [heading] = unknown;
  if (heading !== undefined) {
    throw new PlanError('INVALID_INPUT', `${file} has no heading “${heading}”`, {
      hint: 'Name a heading as it stands in the document, without its number.',
      details: { path: from },
    });
  }
  const named = goal !== undefined && goal !== '';
  const whole = named ? underTitle(outline) : outline;
  const newGoalId = newGoalIds(environment, planId);
  const root: Root = {
    description: named ? goal : (outline.title ?? titleOfFile(file)),
    ...(whole.detail === undefined ? {} : { detail: whole.detail }),
    ...(whole.acceptance === undefined ? {} : { acceptance: whole.acceptance }),
    ...(whole.outOfScope === undefined ? {} : { out_of_scope: whole.outOfScope }),
    ...(sections === undefined ? {} : { sections }),
    source: whole.source,
  };
  const leaves = settings.expander === 'rules' ? 'atomic' : 'ask';
  return { root, outline: outlineEvents(whole, rootGoalId(planId), newGoalId, leaves), leftOut };
}

/** Tasks of Task Master, which have no sections to choose among, or else a Markdown document. */
async function readTasksOrDocument(
  text: string,
  file: string,
  sections: ReadingChoice | undefined,
): Promise<ReturnType<typeof readDocument>> {
  const { readTaskMaster } = await import('../../rules/documents/task-master.js');
  const outline = readTaskMaster(text, file);
  if (outline === null)
    return (await import('../../rules/documents/read-document.js')).readDocument(text, file, sections);
  return { outline, leftOut: [], unknown: [...(sections?.only ?? []), ...(sections?.skip ?? [])] };
}

/** Says which servers of models there are on this machine; none is used unasked. */
async function tellServers(emit: Emit): Promise<void> {
  const { findLocalServers } = await import('../../llm/local-servers.js');
  for (const { name, baseUrl, model } of await findLocalServers())
    emit({
      type: 'notice',
      message: `${name} answers on this machine: --base-url ${baseUrl} --model ${model ?? 'NAME'} plans with it.`,
    });
}

const LONGEST_LIST = 400;

/** Says which sections are no goals, and how they can be. */
function tellLeftOut(leftOut: readonly LeftOut[], emit: Emit): void {
  const named = (why: LeftOut['why']) => [
    ...new Set(
      leftOut.filter((part) => part.why === why && part.heading !== '').map(({ heading }) => heading),
    ),
  ];
  const tell = (code: string, message: string) =>
    emit({ type: 'notice', message, warning: { code, goal_id: null, message } });
  const context = named('context');
  const outOfScope = named('out_of_scope');
  const chosen = named('chosen');
  if (context.length > 0) tell('left_out', `left out as context: ${shownList(context)} (--all plans it too)`);
  if (outOfScope.length > 0) tell('left_out', `not to be planned: ${shownList(outOfScope)}`);
  if (chosen.length > 0) tell('left_out', `left out by choice: ${shownList(chosen)}`);
}

function shownList(names: readonly string[]): string {
  const list = names.join(', ');
  return list.length <= LONGEST_LIST ? list : `${list.slice(0, LONGEST_LIST)} … (${names.length} in all)`;
}

/** The outline with its title as a heading of its own, since the root is named by the user. */
function underTitle(outline: DocumentOutline): DocumentOutline {
  if (outline.title === null) return outline;
  const { title, items, detail, source, acceptance, outOfScope } = outline;
  const heading: DocumentItem = {
    kind: 'heading',
    description: title,
    ...(detail === undefined ? {} : { detail }),
    source,
    complete: false,
    afterPrevious: false,
    children: items,
  };
  const kept = {
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(outOfScope === undefined ? {} : { outOfScope }),
  };
  return { title: null, source, items: [heading], ...kept };
}

async function readContextFiles(
  context: Context,
  paths: readonly string[],
): Promise<NonNullable<Settings['context']>> {
  const { workingFolder } = context.environment;
  const files = await Promise.all(
    paths.map(async (path) => ({
      file: shownPath(path, workingFolder),
      text: await readTextFile(resolve(workingFolder, path)),
    })),
  );
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  if (size > LARGEST_CONTEXT) {
    throw new PlanError(
      'INVALID_INPUT',
      `the context files have ${size} characters; at most ${LARGEST_CONTEXT} are taken`,
      {
        hint: 'Give the model a shorter description of the project.',
      },
    );
  }
  return files;
}

/** A path as it may stand in a plan that is shared: relative to where the plan was made. */
export function shownPath(path: string, workingFolder: string): string {
  const shown = isAbsolute(path) ? relative(workingFolder, path) : path;
  return shown.startsWith('..') ? basename(path) : shown;
}

function titleOfFile(file: string): string {
  const name = basename(file, extname(file)).replaceAll(/[-_]+/g, ' ').trim();
  return name === '' ? file : name;
}
