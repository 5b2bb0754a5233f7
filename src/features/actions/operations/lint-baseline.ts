import { baselineSchema } from '../lint/baseline.js';
import type { Baseline } from '../lint/baseline.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import { readTextFile, readTextFileIfAny, writeTextFile } from '../../../host/files/text-files.js';
import { foremostIssue, wordIssue } from '../../../kernel/word-issue.js';
import { truncate } from '../../../kernel/text/truncate.js';

/** Reads a baseline. @throws PlanError FILE_NOT_FOUND, INVALID_INPUT */
export async function readLintBaseline(path: string): Promise<Baseline> {
  const text = await readTextFile(path);
  const refused = (why: string, cause?: unknown) =>
    new PlanError('INVALID_INPUT', `${path} is not a valid baseline: ${truncate(why, 200)}`, {
      hint: { commandLine: 'Remove it, and write a new one with --update-baseline.' },
      details: { path },
      cause,
    });
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (cause) {
    throw refused(messageOf(cause), cause);
  }
  const parsed = baselineSchema.safeParse(stored, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = foremostIssue(parsed.error.issues);
  if (issue === undefined) throw refused('it has another form');
  const place = issue.path.join('.');
  throw refused(wordIssue(issue, place === '' && issue.code !== 'unrecognized_keys' ? 'it' : place));
}

/**
 * Refuses to write a baseline over a file that is none: a plan, say, that was named in its place.
 * @throws PlanError INVALID_INPUT
 */
export async function refuseOtherFile(path: string): Promise<void> {
  if (((await readTextFileIfAny(path)) ?? '').trim() === '') return;
  await readLintBaseline(path).catch((thrown: unknown) => {
    if (!(thrown instanceof PlanError) || thrown.code !== 'INVALID_INPUT') throw thrown;
    throw new PlanError('INVALID_INPUT', `${path} exists and is not a valid baseline; it was not changed`, {
      hint: { commandLine: 'Name another file with --baseline, or remove this one.' },
      details: { path },
      cause: thrown,
    });
  });
}

/** Writes a baseline, one finding a line so that changes of it can be reviewed. @throws PlanError STORAGE_FAILED */
export async function writeLintBaseline(path: string, { version, findings }: Baseline): Promise<void> {
  const lines = findings.map((entry) => `    ${JSON.stringify(entry)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  await writeTextFile(path, `{\n  "version": ${version},\n  "findings": ${list}\n}\n`, 'make');
}
