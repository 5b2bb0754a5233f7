import * as z from 'zod';

import { isJsonList } from '../../../kernel/json/json-value.js';
import { callCommand } from '../../runs/runners/command.js';
import { concluded, RefusedCall } from '../../runs/runners/outcomes.js';
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
