import { PlanError } from '../../kernel/errors.js';
import type { JsonObject, JsonValue } from '../../kernel/json/json-value.js';
import { IN_OUR_WORDS } from '../../kernel/word-issue.js';
import type { KitBinding } from '../actions/tools/bindings.js';
import type { KitContents, KitShelf } from '../actions/parts.js';
import type { BoundTool } from '../actions/tools/read-tools-file.js';
import type { Kit } from './kit.js';
import { asJson, jsonSchemaOf } from './kit.js';
import { KITS } from './kits.js';

/** The kits that frctl brings. */
export const shelf: KitShelf = {
  async open(kits, place): Promise<KitContents> {
    const tools = new Map<string, BoundTool>();
    const checks = new Map<string, KitBinding>();
    const workflows = new Map<string, string>();
    let panes: KitBinding | null = null;
    for (const [name, given] of Object.entries(kits)) {
      const kit = kitNamed(name, place.file);
      const options = readOptions(kit, given, place.file);
      const own = { ...options, ...(await kit.settled?.(options, place)) };
      for (const tool of boundTools(kit, own)) {
        const other = tools.get(tool.name)?.run;
        if (other != null && 'kit' in other) throw boundTwice(tool.name, [other.kit, name], place.file);
        tools.set(tool.name, tool);
      }
      for (const { type, rev } of kit.conditions ?? [])
        if (!checks.has(type)) checks.set(type, { kit: name, rev, options: own });
      for (const [id, path] of kit.workflows?.(own) ?? []) if (!workflows.has(id)) workflows.set(id, path);
      if (kit.panes !== undefined) panes ??= { kit: name, rev: 1, options: own };
    }
    return { tools: [...tools.values()], checks, panes, workflows };
  },
};

/** Returns a kit by its name. @throws PlanError INVALID_INPUT naming those that there are */
export function kitNamed(name: string, file: string): Kit {
  const kit = KITS.find((one) => one.name === name);
  if (kit !== undefined) return kit;
  throw new PlanError('INVALID_INPUT', `${file}: there is no kit ${JSON.stringify(name)}`, {
    hint: [`The kits are ${KITS.map((one) => one.name).join(', ')}.`],
  });
}

function boundTwice(tool: string, kits: readonly string[], file: string): PlanError {
  return new PlanError('INVALID_INPUT', `${file}: the kits ${kits.join(' and ')} both bind ${tool}`, {
    hint: ['Name one of them in `kits`.'],
  });
}

/** Returns the options of a kit as its schema has read them. @throws PlanError INVALID_INPUT naming the member */
export function readOptions(kit: Kit, given: JsonValue, file: string): JsonObject {
  const result = kit.options.safeParse(given ?? {}, IN_OUR_WORDS);
  if (result.success) return asJson(result.data);
  const { path = [], message = 'not allowed' } = result.error.issues[0] ?? {};
  throw new PlanError(
    'INVALID_INPUT',
    `${file}: ${['kits', kit.name, ...path].map(String).join('.')}: ${message}`,
    { hint: [`docs/kits.md has the options of the kit ${kit.name}.`] },
  );
}

function boundTools(kit: Kit, options: JsonObject): readonly BoundTool[] {
  return kit.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: jsonSchemaOf(tool.input, 'input'),
    outputSchema: jsonSchemaOf(tool.output, 'output'),
    annotations: null,
    effects: tool.effects,
    run: { kit: kit.name, rev: tool.rev, options, timeout_ms: tool.timeoutMs },
    hasSchema: true,
  }));
}
