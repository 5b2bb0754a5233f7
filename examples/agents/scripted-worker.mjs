// An agent without a model, to try `plan work` with: it does goals of the form "Write `FILE`: TEXT", by appending TEXT to
// FILE in the folder where it runs, and says so in the file that FRCTL_RESULT names.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

let context = '';
for await (const part of process.stdin) context += part;

const [, file, text] = /Write `([\w./-]+)`: ([^\n]+)/.exec(context) ?? [];
if (file === undefined || text === undefined) {
  process.stderr.write('I can only do goals of the form: Write `FILE`: TEXT\n');
  process.exit(1);
}
mkdirSync(dirname(file), { recursive: true });
appendFileSync(file, `${text.trim()}\n`);
process.stdout.write(`wrote ${file}\n`);
if (process.env.FRCTL_RESULT !== undefined)
  writeFileSync(process.env.FRCTL_RESULT, JSON.stringify({ summary: `Wrote ${file}.` }));
