import { basename, extname, isAbsolute, relative, resolve } from 'node:path';

import { fileKindNow } from '../../../host/files/file-kind.js';
import { PlanError } from '../../../kernel/errors.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import type { PayloadOf } from '../../../plan/events.js';
import { contentStems } from '../../../kernel/text/content-stems.js';
import { rootGoalId } from '../../../plan/ids.js';
import type { Settings } from '../../../plan/schema.js';
import type { DocumentItem, DocumentOutline } from '../../../planning/documents/document-item.js';
import type { readDocument } from '../../../planning/documents/read-document.js';
import type { LineAccount } from '../../../kernel/text/line-account.js';
import type { LeftOut, ReadingChoice } from '../../../planning/documents/section-choice.js';
import { isWorthTriage } from '../../../planning/triage/triage-due.js';
import { outlineEvents } from '../../../planning/outline-events.js';
import type { NotedOfGoals } from '../../../planning/outline-events.js';
import type { Context } from '../../shared/context.js';
import { readGivenFile } from '../../shared/named-file.js';
import { newGoalIds } from '../../shared/new-goal-ids.js';
import { otherToolError, toolOfText } from '../../shared/other-tool.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

const LONGEST_GOAL = 10_000;
/** The largest document that is read, in bytes. */
export const LARGEST_DOCUMENT = 64 * 1024 * 1024;
/** How a document is called that came from standard input. */
export const STANDARD_INPUT = 'standard input';
const LARGEST_CONTEXT = 200_000;

type Root = PayloadOf<'plan_created'>['root'];

/** What a plan is made from. */
export interface SourceOptions {
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
}

interface Source {
  readonly root: Root;
  readonly outline: readonly PayloadOf<'goal_expanded'>[];
  /** The numbers that the document gives its goals, by their ids. */
  readonly numbers: ReadonlyMap<string, readonly string[]>;
  /** Ids of the goals that have a box there. */
  readonly boxes: readonly string[];
  /** What of the document is no goal. */
  readonly leftOut: readonly LeftOut[];
  /** The document, where it is prose in which no goal was found; else null. */
  readonly prose: string | null;
  /** What happened to each line of the document; null without one. */
  readonly account: LineAccount | null;
  /** Whether it is worth to ask a model which of the goals are work. */
  readonly isDoubtful: boolean;
}

/**
 * Reads the goal, or the document with the goals that it names.
 * @throws PlanError INVALID_INPUT, USAGE, FILE_NOT_FOUND
 */
export async function readSource(
  context: Context,
  options: SourceOptions,
  planId: string,
  settings: Settings,
): Promise<Source> {
  const goal = options.goal?.trim();
  const sections = chosenSections(options);
  refuseFileAsGoal(context, goal, options.from);
  if (options.from === undefined) {
    if (goal === undefined || goal === '') {
      throw new PlanError('INVALID_INPUT', 'the goal is empty', {
        hint: [
          'Say what to accomplish: ',
          { commandLine: 'plan init "Build a REST API"', tools: 'as goal of plan_start, or name a document' },
        ],
      });
    }
    if (goal.length > LONGEST_GOAL) {
      throw new PlanError(
        'INVALID_INPUT',
        `the goal has ${quantityOf(goal.length, 'character')}; at most ${LONGEST_GOAL} make a goal`,
        {
          hint: [
            'Put the text into a file and plan from that: ',
            { commandLine: 'plan init --from FILE.md', tools: 'plan_start with it as document' },
          ],
        },
      );
    }
    return {
      root: { description: goal },
      outline: [],
      numbers: new Map(),
      boxes: [],
      leftOut: [],
      prose: null,
      account: null,
      isDoubtful: false,
    };
  }
  return readRequirements(
    context,
    { from: options.from, text: options.text, goal, sections },
    planId,
    settings,
  );
}

/** Refuses a goal that is the name of a file: nobody means the name. @throws PlanError USAGE */
function refuseFileAsGoal(
  { environment: { workingFolder } }: Context,
  goal: string | undefined,
  from: string | undefined,
): void {
  if (goal === undefined || goal === '' || !isFile(resolve(workingFolder, goal))) return;
  const instead =
    from === undefined
      ? `Did you mean \`plan init --from ${shellWord(goal)}\`?`
      : `Plan each on its own, or together: \`cat ${shellWord(from)} ${shellWord(goal)} | plan init --from -\`.`;
  throw new PlanError(
    'USAGE',
    from === undefined
      ? `${goal} is a file, not a goal`
      : `--from takes one document, and ${goal} is a second; words beside it name the root goal`,
    { hint: [`${instead} To plan a goal with that name, add a word.`], details: { path: goal } },
  );
}

/** Whether there is a file of this name. What cannot be a name, such as a long sentence, is none. */
function isFile(path: string): boolean {
  try {
    return fileKindNow(path) === 'file';
  } catch {
    return false;
  }
}

/** Which sections are planned, when not the document's own reading decides. @throws PlanError USAGE without a document */
function chosenSections({ from, all, only, skip }: SourceOptions): ReadingChoice | undefined {
  if (all !== true && only === undefined && skip === undefined) return undefined;
  if (from === undefined) {
    throw new PlanError('USAGE', '--all, --only and --skip choose among the sections of a document', {
      hint: { commandLine: 'Name the document: plan init --from PRD.md' },
    });
  }
  return { ...(all === true ? { all } : {}), ...(only ? { only } : {}), ...(skip ? { skip } : {}) };
}

async function readRequirements(
  context: Context,
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
  const { environment } = context;
  const file = given === undefined ? shownPath(from, environment.workingFolder) : STANDARD_INPUT;
  const text = given?.replace(/^\uFEFF/, '') ?? (await readGivenFile(environment, from, LARGEST_DOCUMENT));
  const {
    outline,
    leftOut,
    unknown,
    account,
    isProse = false,
  } = await readTasksOrDocument(context, text, file, sections);
  if (outline.items.length === 0 && text.trim() === '') {
    throw new PlanError('INVALID_INPUT', `${file} is empty`, {
      hint: {
        commandLine: 'Write headings, lists or boxes into it, or say the goal itself: `plan init "<goal>"`.',
      },
      details: { path: from },
    });
  }
  const [heading] = unknown;
  if (heading !== undefined) {
    throw new PlanError('INVALID_INPUT', `${file} has no heading “${heading}”`, {
      hint: ['Name a heading as it stands in the document, without its number.'],
      details: { path: from },
    });
  }
  const named = goal !== undefined && goal !== '';
  const whole = named ? underTitle(outline, goal) : outline;
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
  const prose = outline.items.length === 0 && outline.detail !== undefined ? file : null;
  const noted: NotedOfGoals = { numbers: new Map(), boxes: [] };
  const events = outlineEvents(whole, rootGoalId(planId), newGoalId, leaves, noted);
  // Whoever wants all, or takes tasks as they are, has said which are work.
  const isDoubtful = isProse && sections?.all !== true && isWorthTriage(outline.items);
  return { root, outline: events, ...noted, leftOut, prose, account, isDoubtful };
}

/** Tasks of Task Master, which have no sections to choose among, or else a Markdown document. */
async function readTasksOrDocument(
  context: Context,
  text: string,
  file: string,
  sections: ReadingChoice | undefined,
): Promise<ReturnType<typeof readDocument> & { readonly account: LineAccount; readonly isProse?: boolean }> {
  const importer = context.features.find(({ importer: one }) => one !== undefined)?.importer;
  const tasks = (await importer?.readOutline(text, file)) ?? null;
  if (tasks === null) {
    const tool = await toolOfText(context, text);
    if (tool !== null && tool.read !== 'folder') throw otherToolError('INVALID_INPUT', file, tool);
    const { readDocument } = await import('../../../planning/documents/read-document.js');
    const { accountForOutline } = await import('../../../planning/documents/outline-account.js');
    const { readOwnExport } = await import('../../../planning/documents/kinds/own-export.js');
    const readOthers = (part: string) => readDocument(part, file).outline;
    const own = sections === undefined ? readOwnExport(text, file, readOthers) : null;
    if (own !== null) return { ...own, leftOut: [], unknown: [] };
    const read = readDocument(text, file, sections);
    return { ...read, account: accountForOutline(text, read.outline, file), isProse: true };
  }
  return { ...tasks, leftOut: [], unknown: [...(sections?.only ?? []), ...(sections?.skip ?? [])] };
}

/** Returns the outline with its title as a heading of its own where the root, named by the user, does not say the same. */
function underTitle(outline: DocumentOutline, goal: string): DocumentOutline {
  const { title, items, detail, source, acceptance, outOfScope } = outline;
  if (title === null) return outline;
  const said = new Set(contentStems(goal));
  const stems = contentStems(title);
  if (stems.length > 0 && stems.every((stem) => said.has(stem))) return outline;
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

/**
 * Reads the texts of a plan's source that tell a model about the project. A path `-` is standard input.
 * @throws PlanError INVALID_INPUT for more than a prompt can hold, FILE_NOT_FOUND
 */
export async function readContextFiles(
  context: Context,
  paths: readonly string[],
  standardInput: string | undefined,
): Promise<NonNullable<Settings['context']>> {
  const { workingFolder } = context.environment;
  const files = await Promise.all(
    paths.map(async (path) =>
      path === '-' && standardInput !== undefined
        ? { file: STANDARD_INPUT, text: standardInput.replace(/^\uFEFF/, '') }
        : { file: shownPath(path, workingFolder), text: await readGivenFile(context.environment, path) },
    ),
  );
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  if (size > LARGEST_CONTEXT) {
    throw new PlanError(
      'INVALID_INPUT',
      `the context files have ${size} characters; at most ${LARGEST_CONTEXT} are taken`,
      { hint: ['Give the model a shorter description of the project.'] },
    );
  }
  return files;
}

/** The path of the source of a plan as it may be in a plan that is shared: relative to where the plan was made. */
export function shownPath(path: string, workingFolder: string): string {
  const shown = isAbsolute(path) ? relative(workingFolder, path) : path;
  return shown.startsWith('..') ? basename(path) : shown;
}

function titleOfFile(file: string): string {
  const name = basename(file, extname(file)).replaceAll(/[-_]+/g, ' ').trim();
  return name === '' ? file : name;
}
