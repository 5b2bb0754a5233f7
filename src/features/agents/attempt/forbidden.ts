import { coversFile } from '../../../plan/readiness/touches.js';

/** What the agents, editors, hooks and services of others run or obey. */
const PROTECTED = [
  '.github',
  '.gitlab-ci.yml',
  '.husky',
  '.envrc',
  '.vscode',
  '**/.gitattributes',
  '.gitmodules',
  '.claude',
  '.codex',
  '.gemini',
  '.cursor',
  '.mcp.json',
  '**/AGENTS.md',
  '**/CLAUDE.md',
  '**/GEMINI.md',
];
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
  readonly isDeleted: boolean;
  /** Whether it is a link that leads out of the repository. */
  readonly leadsOut: boolean;
}

/** What a disk of macOS does not see in a name, and what Windows does not see at the end of one. */
const UNSEEN = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]|(?<![. ])[. ]+(?=\/|$)/g;

/** Returns the path by which a disk that does not tell cases apart finds a file, the same for all that it finds. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').replace(UNSEEN, '').toUpperCase().toLowerCase();
}

/** Returns why a person decides about a change, a reason for each file; none where nobody is asked. */
export function protectedFiles(
  files: readonly ChangedFile[],
  { protect, checks }: { readonly protect: readonly string[]; readonly checks: readonly string[] },
): readonly string[] {
  const commands = checks.join('\n').toLowerCase();
  const words = new Set(commands.split(/[\s"'`,:=()[\]{}\\]+/).map((word) => word.replace(/^\.\//, '')));
  const scripts = SCRIPTS.flatMap(([program, file]) => (program.test(commands) ? [file] : []));
  const globs = [...PROTECTED, ...protect].map((glob) => glob.toLowerCase());
  return files.flatMap(({ path, isDeleted, leadsOut }) => {
    const folded = foldedPath(path);
    if (leadsOut) return [`${path} is a link out of the repository`];
    if (isDeleted && TEST.test(path)) return [`${path} is a test, and was deleted`];
    if (words.has(folded)) return [`${path} is named by a check`];
    if (scripts.some((file) => `/${folded}`.endsWith(`/${file}`))) return [`${path} says what a check runs`];
    return globs.some((glob) => coversFile(glob, folded)) ? [`${path} is protected`] : [];
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
