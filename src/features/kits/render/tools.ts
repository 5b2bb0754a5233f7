import { askOnTerminal, canAsk, notTheWord } from '../../../cli/confirm.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import { legible } from '../../../kernel/text/legible.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { libraryOf } from '../../../operations/library.js';
import { kits } from '../registry.js';
import type { OperationNamed, ResultOf } from '../registry.js';

type Added = ResultOf<'tools add'>;

/** Shows what a kit binds, and asks whether the tools file is trusted with it. */
export const toolsAdd: RendererOf<OperationNamed<'tools add'>> = {
  async ask(input, { terminal, json, context }) {
    if (input.digest !== undefined || !canAsk(terminal, json)) return input;
    const shown = await libraryOf(context, kits.operations).tools.add({ ...input });
    if (shown.trusted) return input;
    terminal.error(whatItBinds(shown));
    const answer = await askOnTerminal('Type yes to let plans run the tools file as it is: ', terminal);
    if (answer === 'yes') return { ...input, digest: shown.digest };
    terminal.tell(`Not trusted: ${notTheWord(answer)}.`);
    return input;
  },
  render(added) {
    if (added.trusted) return `${whatItBinds(added)}Plans may use these tools now.\n`;
    return `${whatItBinds(added)}Not trusted yet. \`plan tools trust ${shellWord(added.file)}\` shows all that the file says, and trusts it when you agree.\n`;
  },
};

function whatItBinds({ file, kit, added, unbound }: Added): string {
  const missing =
    unbound.length === 0 ? '' : `Nothing binds these names of the plan: ${unbound.map(legible).join(', ')}\n`;
  return `${legible(file)} has the kit ${kit}, which binds:\n${added.map((name) => `  ${legible(name)}\n`).join('')}${missing}`;
}

/** Lists tools with their arguments and effects; of an argument that must be given with a `!`. */
export const toolsList: RendererOf<OperationNamed<'tools list'>> = {
  render({ tools }) {
    if (tools.length === 0) return 'There are no tools.\n';
    return tools
      .map(
        ({ name, from, effects, input_schema: schema }) =>
          `${legible(name)}  (${effects}, ${from === 'file' ? 'from the file' : `kit ${legible(from)}`})\n  ${argumentsOf(schema)}\n`,
      )
      .join('');
  },
};

function argumentsOf(schema: unknown): string {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return 'any arguments';
  const names = Object.keys(schema.properties);
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const marked = names.map((name) => `${legible(name)}${required.includes(name) ? '!' : ''}`);
  return marked.length === 0 ? 'no arguments' : marked.join(' ');
}
