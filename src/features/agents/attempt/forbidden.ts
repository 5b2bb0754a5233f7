import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { coversFile } from '../../../plan/readiness/touches.js';
import { namedByRepository } from '../../runs/runners/sandbox/named-by-repository.js';
import { isRepositoryName, isRunByName } from '../../runs/runners/sandbox/run-by-name.js';
import type { Work } from './work.js';

/** What agents and services obey, at any depth, beside what shells, editors, agents and hooks run by its name. */
const PROTECTED = [
  '.gitattributes',
  '.gitmodules',
  // Services that build, test and release.
  '.github',
  '.gitlab',
  '.gitlab-ci*',
  '.forgejo',
  '.gitea',
  '.circleci',
  '.woodpecker*',
  '.buildkite',
  'jenkinsfile*',
  '.jenkins',
  '.travis.yml',
  'azure-pipelines*',
  '.azure-pipelines*',
  '.azuredevops',
  'bitbucket-pipelines.yml',
  '.drone.*',
  '.appveyor.yml',
  'appveyor.yml',
  '.cirrus.*',
  '.semaphore',

  '.teamcity',
  '.builds',
  '.build.yml',
  'buildspec*.y*ml',
  'cloudbuild.*',
  'codemagic.yaml',
  'bitrise.yml',
  '.codefresh',
  'codefresh.yml',
  '.harness',
  '.tekton',
  '.dagger',
  '.cnb.yml',
  '.zuul.*',
  'zuul.*',

  'netlify.toml',
  'vercel.json',
  '.gitpod.*',
  '.replit',
  'renovate.json*',
  '.renovaterc*',
  '.pre-commit*',
  // Rules of agents.
  'agents.md',
  'agents.*.md',
  'agent.md',
  'claude.md',
  'claude.*.md',
  'gemini.md',
  'qwen.md',
  'crush.md',
  'warp.md',
  'replit.md',
  'copilot-instructions.md',
  '.cursorrules',
  '.cursorignore',
  '.windsurfrules',
  '.clinerules*',
  '.roo',
  '.roorules*',
  '.roomodes',
  '.kilocode*',
  '.rules',
  '.goosehints',
  '.junie',
  '.augment*',
  '.amazonq',
  '.kiro',
  '.trae',
  '.agents',
  '.agent',
  '.qwen',
  '.crush*',
  'crush.json',

  '.aider*',
  '.continuerules',
  '.openhands',
  '.devin',
  '.factory',
  '.ruler',
  '.idx',
  '.amp',
  'opencode.json*',
].map((name) => `**/${name}`);
/** What says what a program of a check does. */
const SCRIPTS: readonly (readonly [program: RegExp, file: string])[] = [
  [/\b(?:npm|npx|yarn|pnpm|bun)\b/, 'package.json'],
  [/\bmake\b/, 'makefile'],
  [/\bjust\b/, 'justfile'],
];
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+$/i;
const SECRETS = [
  /\bAKIA[0-9A-Z]{16}\b/g,
  /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/g,
  /\bgh[pousr]_[A-Za-z0-9]{36}/g,
  /\bgithub_pat_\w{40}/g,
  /\bsk-[\w-]{20,100}/g,
  /\bxox[abprs]-[\w-]{10,100}/g,
  /\bAIza[\w-]{35}/g,
];
const SECRET_FILE =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$)\w+)?|id_(?:rsa|ed25519|ecdsa)|\.npmrc|\.netrc)$/;

/** A file that an attempt changed. */
export interface ChangedFile {
  readonly path: string;
  /** Whether nothing is left of it: it is gone, empty, or a link in the place of a file. */
  readonly isDeleted: boolean;
  /** Where a link leads that must not: out of the repository, or to what is no part of it; else null. */
  readonly leads: 'out of the repository' | 'into .git or .plans' | null;
  /** Of a new file, another that some disk takes for the same; else null. */
  readonly twin?: string | null;
}

/** What a disk of macOS does not see in a name, and what Windows does not see at the end of one. */
const UNSEEN = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]|(?<![. ])[. ]+(?=\/|$)/g;

/** Returns the path by which a disk that does not tell cases apart finds a file, the same for all that it finds. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').replace(UNSEEN, '').toUpperCase().toLowerCase();
}

/** What a person decides about. */
export interface Guarded {
  readonly protect: readonly string[];
  /** What the checks run. */
  readonly checks: readonly string[];
  /** Files and folders that the user's git or its hooks would run or obey, from the top of the working tree. */
  readonly named: readonly string[];
}

/** Finds the files and folders of the user's working tree, there or not, that the settings of git or its hooks name. */
export async function namedByGit({
  top,
  variables,
}: Pick<Work, 'top' | 'variables'>): Promise<readonly string[]> {
  const { there, absent } = await namedByRepository(top, variables);
  const paths = [...there, ...absent.map(({ path }) => path)];
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...real])].flatMap((path) =>
    isBelow(path, top) ? [relative(top, path)] : [],
  );
}

/** Returns why a person decides about a change, a reason for each file; none where nobody is asked. */
export function protectedFiles(
  files: readonly ChangedFile[],
  { protect, checks, named }: Guarded,
): readonly string[] {
  const commands = checks.join('\n').toLowerCase();
  const words = new Set(commands.split(/[\s"'`,:=()[\]{}\\]+/).map((word) => word.replace(/^\.\//, '')));
  const scripts = SCRIPTS.flatMap(([program, file]) => (program.test(commands) ? [file] : []));
  const globs = [...PROTECTED, ...protect].map((glob) => glob.toLowerCase());
  const ofGit = named.map(foldedPath);
  return files.flatMap(({ path, isDeleted, leads, twin = null }) => {
    const folded = foldedPath(path);
    if (leads !== null) return [`${path} is a link ${leads}`];
    if (isDeleted && TEST.test(path)) return [`${path} is a test, and was deleted or emptied`];
    if (words.has(folded)) return [`${path} is named by a check`];
    if (scripts.some((file) => `/${folded}`.endsWith(`/${file}`))) return [`${path} says what a check runs`];
    // A link in place of a folder above leads to other files of these names.
    if (ofGit.some((one) => `${folded}/`.startsWith(`${one}/`) || one.startsWith(`${folded}/`)))
      return [`${path} is run by git here, or by a hook`];
    const isProtected =
      folded.split('/').some((part) => isRunByName(part) || isRepositoryName(part)) ||
      globs.some((glob) => coversFile(glob, folded));
    if (isProtected) return [`${path} is protected`];
    return twin === null ? [] : [`${path} is ${twin} on disks that do not tell these names apart`];
  });
}

/** Returns what looks like secrets in a text. */
export function secretsIn(text: string): readonly string[] {
  return SECRETS.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found));
}

/** Whether a file is one that holds secrets, by its name. */
export function isSecretFile(path: string): boolean {
  return SECRET_FILE.test(foldedPath(path));
}
