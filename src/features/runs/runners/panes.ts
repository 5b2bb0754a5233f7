import type { KitBinding, PanesBinding } from '../../actions/tools/bindings.js';
import { fillMembers } from '../../actions/tools/template.js';
import { followPath } from '../../actions/model/references.js';
import type { Panes } from '../model/tool.js';
import { keptOf } from '../model/values/cut-output.js';
import { carrierOf, toolJson } from './bound-tool.js';
import type { BindingContext } from './bound-tool.js';
import { toolOfCheck } from './condition.js';

/** How long a pane may take to say who it is, in milliseconds. */
const ASK_MS = 10_000;

/** The panes of a tools file. @throws RefusedCall for a tool that cannot be used */
export async function boundPanes(binding: PanesBinding | KitBinding, box: BindingContext): Promise<Panes> {
  if ('kit' in binding) return carrierOf(binding, box).panes(binding, box);
  const tool = await toolOfCheck(binding, box);
  const called = tool.definition();
  const definition = {
    name: 'panes',
    description: called.description,
    inputSchema: true,
    effects: 'none',
    binding: { panes: toolJson(binding), tool: { name: called.name, binding: called.binding } },
  } as const;
  return {
    definition: () => definition,
    async identityOf(pane) {
      const args = { pane_id: pane };
      const given =
        binding.args === undefined
          ? args
          : fillMembers(binding.args, { args, secret: () => undefined, call: {} });
      const outcome = await tool.call({
        args: given,
        key: '',
        attempt: box.markOfLook(),
        timeoutMs: ASK_MS,
        signal: new AbortController().signal,
      });
      if (outcome.outcome !== 'succeeded' || keptOf(outcome.output, called.binding) !== null) return null;
      const found = followPath(outcome.output, binding.identity.split('.'));
      return 'found' in found ? found.found : null;
    },
  };
}
