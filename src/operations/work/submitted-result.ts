import { join, relative, sep } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { isNestedTooDeep, MAX_NESTING } from '../../kernel/json/nesting.js';
import { truncate } from '../../kernel/text/truncate.js';
import { resultSchema } from '../../plan/events/result.js';
import type { Result } from '../../plan/events/result.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import type { GitRange } from '../../host/git/git-range.js';
import type { Context } from '../shared/context.js';
import { IN_OUR_WORDS } from '../../kernel/word-issue.js';

/** A result as it may be submitted; an event has room for a long report, not for a repository. */
const MOST_CHARACTERS = 200_000;
const MOST_BYTES = 4 * MOST_CHARACTERS;
const MOST_ENTRIES = 1000;
const LONGEST_NAME = 1000;

export interface SubmittedWork {
  readonly summary?: string | undefined;
  readonly decisions?: readonly string[] | undefined;
  /** Names of what was made, relative to the folder that holds the store. They are never opened. */
  readonly artifacts?: readonly string[] | undefined;
  /** A file with a report, or with a result as JSON. */
  readonly from?: string | undefined;
  /** What such a file would hold. */
  readonly text?: string | undefined;
  /** A range of commits, or one, whose subjects and changed files belong to the result. */
  readonly fromGit?: string | undefined;
}

/**
 * Puts together what somebody says came of the work; undefined when nothing was said.
 * @throws PlanError INVALID_INPUT, FILE_NOT_FOUND, STORAGE_FAILED
 */
export async function readResult(context: Context, work: SubmittedWork): Promise<Result | undefined> {
  if (work.summary?.trim() === '')
    throw new PlanError('INVALID_INPUT', 'the summary is empty', {
      hint: { commandLine: 'Say what was accomplished, in a sentence, or leave --summary out.' },
    });
  const written = await writtenResult(context, work);
  const range = work.fromGit === undefined ? undefined : await readCommits(context, work.fromGit);
  const decisions = [...(written.decisions ?? []), ...(work.decisions ?? [])].filter(isSaid);
  const artifacts = [
    ...(written.artifacts ?? []),
    ...(work.artifacts ?? []),
    ...(range === undefined ? [] : namesOf(context, range)),
  ].map(artifactName);
  const commits = [...(written.commits ?? []), ...(range?.commits ?? [])];
  const summary = work.summary ?? written.summary;
  const result: Result = {
    ...written,
    ...(isSaid(summary) ? { summary } : {}),
    ...(decisions.length === 0 ? {} : { decisions }),
    ...(artifacts.length === 0 ? {} : { artifacts: [...new Set(artifacts)] }),
    ...(commits.length === 0 ? {} : { commits }),
  };
  refuseTooMuch(result);
  return Object.keys(result).length === 0 ? undefined : result;
}

/** The result of `--from`: JSON when it is an object, text otherwise. */
async function writtenResult(context: Context, { from, text }: SubmittedWork): Promise<Result> {
  const written =
    text?.replace(/^\uFEFF/, '') ?? (from === undefined ? undefined : await readFileNamed(context, from));
  if (written === undefined) return {};
  if (written.trim() === '') {
    throw new PlanError('INVALID_INPUT', 'the result given with --from is empty', {
      hint: { commandLine: 'Leave --from out when there is nothing to say.' },
    });
  }
  const value = parsedObject(written);
  return value === null || namesNothing(value) ? { text: written } : checkedResult(value);
}

async function readFileNamed({ environment }: Context, from: string): Promise<string> {
  const { readGivenFile } = await import('../shared/named-file.js');
  return readGivenFile(environment, from, MOST_BYTES);
}

function parsedObject(text: string): object | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Whether JSON has members and none of a result: it is an account of another form, kept as it is written. */
function namesNothing(value: object): boolean {
  const members = Object.keys(value);
  return (
    members.length > 0 &&
    !members.some((name) => name === 'key_decisions' || Object.hasOwn(resultSchema.shape, name))
  );
}

function checkedResult(value: object): Result {
  if (isNestedTooDeep(value))
    throw new PlanError(
      'INVALID_INPUT',
      `the result given with --from is nested on more than ${MAX_NESTING} levels`,
      {
        hint: ['Flatten it, or put it into a file and name that as an artifact.'],
      },
    );
  const parsed = submittedSchema.safeParse(value, IN_OUR_WORDS);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: ['$', ...path].join('.'),
    message,
  }));
  throw new PlanError('INVALID_INPUT', 'the JSON given with --from is not a result', {
    hint: ['A result is {"summary", "decisions": [], "artifacts": [], "text"}; all of it is optional.'],
    details: { problems },
  });
}

/** A result, in which decisions may be called as they are in a digest. */
const submittedSchema = z
  .looseObject({ key_decisions: z.array(z.string()).optional() })
  .transform(({ key_decisions, ...rest }) =>
    key_decisions === undefined ? rest : { decisions: key_decisions, ...rest },
  )
  .pipe(resultSchema);

async function readCommits({ environment }: Context, range: string): Promise<GitRange> {
  const { readGitRange } = await import('../../host/git/git-range.js');
  return readGitRange(range, { folder: environment.workingFolder, variables: environment.variables });
}

/** Names from the store's root for what is below it, and from the repository's top for the rest. */
function namesOf(context: Context, { top, files }: GitRange): readonly string[] {
  const project = context.projectFolder();
  return files.map((file) => {
    const fromRoot = project === null ? file : relative(project, join(top, file));
    return fromRoot.startsWith('..') ? file : fromRoot.split(sep).join('/');
  });
}

function artifactName(given: string): string {
  const name = oneLine(given);
  const wrong =
    name === ''
      ? 'is empty'
      : name.length > LONGEST_NAME
        ? `has more than ${LONGEST_NAME} characters`
        : name.startsWith('/')
          ? 'is a path from the root of this machine’s files'
          : name.split(/[/\\]/).includes('..')
            ? 'leads out of the project'
            : null;
  if (wrong === null) return name;
  throw new PlanError('INVALID_INPUT', `the artifact ${JSON.stringify(truncate(name, 200))} ${wrong}`, {
    hint: ['Name artifacts as seen from the folder that holds the store, such as src/cart.ts.'],
    details: { artifact: name.slice(0, LONGEST_NAME) },
  });
}

function refuseTooMuch(result: Result): void {
  const { decisions = [], artifacts = [], commits = [] } = result;
  const entries = Math.max(decisions.length, artifacts.length, commits.length);
  const characters = JSON.stringify(result).length;
  if (entries <= MOST_ENTRIES && characters <= MOST_CHARACTERS) return;
  throw new PlanError(
    'INVALID_INPUT',
    `the result is too large: ${characters} characters, ${decisions.length} decisions, ${artifacts.length} artifacts, ${commits.length} commits`,
    {
      hint: [
        `It may have ${MOST_CHARACTERS} characters and ${MOST_ENTRIES} of each; give a narrower range, or name a file that holds the rest as an artifact.`,
      ],
    },
  );
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
