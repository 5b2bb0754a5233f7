import type { KitBinding } from '../actions/tools/bindings.js';
import type { ToolDefinition } from '../runs/model/tool.js';
import type { KitCarrier } from '../runs/runners/kit-carrier.js';
import { RefusedCall } from '../runs/runners/outcomes.js';
import type { Kit } from './kit.js';
import { asJson } from './kit.js';
import { KITS } from './kits.js';

/** Returns what carries out the tools of kits for one run. */
export function createCarrier(): KitCarrier {
  return {
    async tool(name, binding, call) {
      const tool = kitOf(binding).tools.find((one) => one.name === name);
      if (tool === undefined) throw gone(name, binding);
      return tool.carry(binding.options, call);
    },
    async condition(type, binding, call) {
      const condition = kitOf(binding).conditions?.find((one) => one.type === type);
      if (condition === undefined) throw gone(type, binding);
      const definition: ToolDefinition = {
        name: type,
        description: '',
        inputSchema: true,
        effects: 'none',
        binding: asJson(binding),
      };
      return { ...condition.carry(binding.options, call), definition: () => definition };
    },
    async panes(binding, call) {
      const { panes } = kitOf(binding);
      if (panes === undefined) throw gone('panes', binding);
      return panes(binding.options, call);
    },
    async close(call) {
      for (const { close } of KITS) await close?.(call);
    },
  };
}

function kitOf({ kit: name }: KitBinding): Kit {
  const kit = KITS.find((one) => one.name === name);
  if (kit === undefined) throw new RefusedCall('NOT_STARTED', `there is no kit ${name}`);
  return kit;
}

function gone(name: string, { kit }: KitBinding): RefusedCall {
  return new RefusedCall('E_TOOL_CHANGED', `the kit ${kit} has no ${name}`);
}
