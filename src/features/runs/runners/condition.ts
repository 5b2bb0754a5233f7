import { unusableSchema } from '../../actions/tools/argument-checker.js';
import type { CheckBinding } from '../../actions/tools/bindings.js';
import { mismatchInWords } from '../../actions/tools/mismatch-in-words.js';
import type { BoundTool } from '../../actions/tools/read-tools-file.js';
import { fillMembers, fillValue, UnfilledError } from '../../actions/tools/template.js';
import type { TemplateValues } from '../../actions/tools/template.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { keptOf } from '../model/values/cut-output.js';
import type { Condition, ConditionCall, ConditionResult, Tool, ToolDefinition } from '../model/tool.js';
import { carrierOf, toolJson, boundTool, toolBoundTo } from './bound-tool.js';
import type { BindingContext } from './bound-tool.js';
import { knownProblem } from './known-problem.js';
import { RefusedCall } from './outcomes.js';

/** A condition by its type. @throws RefusedCall for one without a binding */
export async function boundCondition(type: string, box: BindingContext): Promise<Condition> {
  const check = box.file.checks.get(type);
  if (check === undefined) throw new RefusedCall('NOT_STARTED', `the condition ${type} has no binding`);
  if ('kit' in check) return carrierOf(check, box).condition(type, check, box);
  const tool = await toolOfCheck(check, box);
  const called = tool.definition();
  const definition: ToolDefinition = {
    name: type,
    description: called.description,
    inputSchema: true,
    effects: 'none',
    binding: { check: toolJson(check), tool: { name: called.name, binding: called.binding } },
  };
  return {
    definition: () => definition,
    problem: (args) => problemOf(check, type, args) ?? problemOfLook(check, tool, args),
    named: async (args, seen) =>
      (await tool.named?.({ args: filledArgs(check, args), later: new Set() }, seen)) ?? [],
    look: (call) => lookAt(check, { type, tool, call, mark: box.markOfLook() }),
  };
}

/** The tool that checks a condition, by the name that steps use, or one of a server by `server/tool`. */
export function toolOfCheck({ tool: name }: Pick<CheckBinding, 'tool'>, box: BindingContext): Promise<Tool> {
  const own = box.file.tools.find((one) => one.name === name);
  if (own !== undefined) return boundTool(name, box);
  const run = { mcp: name };
  const tool: BoundTool = {
    name,
    description: '',
    inputSchema: true,
    annotations: null,
    effects: 'none',
    run,
    hasSchema: false,
  };
  return toolBoundTo(tool, run, box);
}

/** Why a look with these arguments could never tell anything. */
function problemOf({ expect }: CheckBinding, type: string, args: JsonObject): string | null {
  try {
    const expected = fillValue(expect, valuesOf(args), 'refused');
    if (!isJsonObject(expected) && typeof expected !== 'boolean') return `${type} expects no JSON Schema`;
    return unusableSchema(expected);
  } catch (cause) {
    if (cause instanceof UnfilledError) return cause.message;
    throw cause;
  }
}

/** Why the tool of a check could never be called with these arguments. */
function problemOfLook(check: CheckBinding, tool: Tool, args: JsonObject): string | null {
  let filled = args;
  const unfilled = knownProblem([
    () => {
      if (check.args !== undefined) filled = fillMembers(check.args, valuesOf(args));
    },
  ]);
  const problem = unfilled ?? tool.problem?.({ args: filled, later: new Set() }) ?? null;
  return problem === null || typeof problem === 'string' ? problem : problem.message;
}

/** The arguments that the tool of a check is called with; none where they cannot be filled, and then it is not called. */
function filledArgs({ args: template }: CheckBinding, args: JsonObject): JsonObject {
  if (template === undefined) return args;
  try {
    return fillMembers(template, valuesOf(args));
  } catch (cause) {
    if (cause instanceof UnfilledError) return {};
    throw cause;
  }
}

/** What the templates of a check are filled from. */
function valuesOf(args: JsonObject): TemplateValues {
  return { args, secret: () => undefined, call: {} };
}

interface Look {
  readonly type: string;
  readonly tool: Tool;
  readonly call: ConditionCall;
  readonly mark: string;
}

async function lookAt(check: CheckBinding, { type, tool, call, mark }: Look): Promise<ConditionResult> {
  const values = valuesOf(call.args);
  try {
    const expected = fillValue(check.expect, values, 'refused');
    if (!isJsonObject(expected) && typeof expected !== 'boolean')
      return { ok: false, detail: `${type} expects no JSON Schema` };
    const args = check.args === undefined ? call.args : fillMembers(check.args, values);
    const { timeoutMs, signal } = call;
    const outcome = await tool.call({ args, key: '', attempt: mark, timeoutMs, signal });
    if (outcome.outcome !== 'succeeded') return { ok: false, detail: outcome.error.message };
    const kept = keptOf(outcome.output, tool.definition().binding);
    // What must not be in it may stand behind that.
    if (kept !== null) return { ok: false, detail: `what it looks at was cut: ${kept}` };
    const problem = mismatchInWords(expected, seenBy(expected, outcome.output));
    return { ok: problem === null, detail: problem ?? `${type} holds` };
  } catch (cause) {
    if (cause instanceof UnfilledError) return { ok: false, detail: cause.message };
    throw cause;
  }
}

/** A check that expects a text looks at the text of an output, which is where tools without structure say it. */
function seenBy(expected: JsonObject | boolean, output: JsonValue): JsonValue {
  const wantsText = typeof expected !== 'boolean' && expected.type === 'string';
  return wantsText && isJsonObject(output) && typeof output.text === 'string' ? output.text : output;
}
