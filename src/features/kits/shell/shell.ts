import * as z from 'zod';

import { isJsonList } from '../../../kernel/json/json-value.js';
import { lexReferences } from '../../actions/model/references.js';
import type { FilesSeen, KnownCall, NamedFileState } from '../../runs/model/tool.js';
import { callCommand, folderOfCommand } from '../../runs/runners/command.js';
import { concluded, RefusedCall } from '../../runs/runners/outcomes.js';
import { commandFiles } from '../../runs/runners/programs/command-files.js';
import { nameInWorkspace } from '../../runs/runners/programs/program-files.js';
import type { RunnerEnvironment } from '../../runs/runners/runner-environment.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import { problemBy, readArgs } from '../kit.js';
import type { Kit } from '../kit.js';

const program = z.string().regex(/^[\w.+-]+$/, 'must be the name of a program on the PATH, without a path');

const input = z.strictObject({
  command: z
    .array(z.string())
    .min(1)
    .max(500)
    .describe('The program and its arguments; no shell reads them.'),
  folder: z.string().optional().describe('Where it runs, relative to the project.'),
  stdin: z.string().optional().describe('What it reads on standard input.'),
  timeoutMs: z.int().positive().max(86_400_000).optional(),
});

/** @throws RefusedCall POLICY_DENIED for a program that the options do not allow */
function refuseOther(command: unknown, allow: unknown): void {
  const [wanted] = Array.isArray(command) ? command : [undefined];
  if (wanted === undefined || (Array.isArray(allow) && allow.includes(wanted))) return;
  throw new RefusedCall(
    'POLICY_DENIED',
    `${JSON.stringify(wanted)} is none of the programs that the kit shell allows`,
  );
}

/** A word with a NUL for each reference, for no word can hold one. */
function withoutReferences(word: string): string {
  return lexReferences(word)
    .map((part) => (part.kind === 'text' ? part.text : '\0'))
    .join('');
}

/** The files of the workspace that a call names, as far as it is known: its program, words and standard input. */
async function filesOf(
  { args, later, wait }: KnownCall,
  seen: FilesSeen | undefined,
  environment: RunnerEnvironment,
): Promise<readonly NamedFileState[]> {
  const given = Object.entries(args).filter(([name]) => name === 'command' || !later.has(name));
  const known = input.safeParse(Object.fromEntries(given));
  if (!known.success || later.has('folder')) return [];
  const { folder, stdin } = known.data;
  const [program = '', ...rest] = later.has('command')
    ? known.data.command.map(withoutReferences)
    : known.data.command;
  const words = Object.fromEntries(rest.map((word, index) => [`word${index}`, word]));
  const command = [program, ...Object.keys(words).map((name) => `\${${name}}`)];
  const starting = { command, ...(stdin === undefined ? {} : { stdin: '${stdin}' }) };
  const values = { ...words, ...(stdin === undefined ? {} : { stdin }) };
  const files = commandFiles(starting, folderOfCommand(folder, environment.root), environment);
  const own = (await files.ofBinding()).map((one) => ({
    ...one,
    path: nameInWorkspace(one.file, environment.root),
  }));
  return [...own, ...(await files.ofCall({ args: values, later: new Set(), wait }, seen))];
}

/** Programs that the options name, in a sandbox. */
export const shell: Kit = {
  name: 'shell',
  options: z.strictObject({
    allow: z.array(program).min(1).max(100).describe('The programs that may be run.'),
  }),
  programs: [],
  tools: [
    {
      name: 'shell.run',
      description: 'Runs a program in the workspace, without a shell and without a network.',
      effects: 'once',
      rev: 1,
      input,
      output: z.strictObject({ text: z.string(), exit: z.int(), truncated: z.boolean().optional() }),
      carry: ({ allow }, { environment }) => ({
        problem: problemBy(({ command }) => {
          if (command !== undefined && isJsonList(command)) refuseOther(command, allow);
        }),
        named: (call, seen) => filesOf(call, seen, environment),
        call: (call) =>
          concluded(createSecrets({}), async () => {
            const { command, folder, stdin, timeoutMs = call.timeoutMs } = readArgs(input, call.args);
            refuseOther(command, allow);
            // What would be read as a template is filled in instead.
            const words = command.map((word, index) => (word.includes('$') ? `\${word${index}}` : word));
            const args = {
              ...Object.fromEntries(command.map((word, index) => [`word${index}`, word])),
              ...(stdin === undefined ? {} : { stdin }),
            };
            const binding = {
              command: words,
              sandbox: 'workspace',
              ...(folder === undefined ? {} : { folder }),
              ...(stdin === undefined ? {} : { stdin: '${stdin}' }),
            } as const;
            const limit = Math.min(timeoutMs, call.timeoutMs);
            return callCommand(
              { ...binding, command: [...words] },
              { ...call, args, timeoutMs: limit },
              environment,
            );
          }),
      }),
    },
  ],
};
