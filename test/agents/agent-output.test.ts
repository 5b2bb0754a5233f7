import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readAgentOutput } from '../../src/features/agents/attempt/agent-output.js';
import { newAgentsPlace } from '../support/agents.js';

// What claude 2.1.197, codex and gemini print without a sign-in or a network, with what was not of interest left out.
const CLAUDE =
  '{"type":"system","subtype":"init","session_id":"e00f"}\n{"type":"result","subtype":"success","is_error":true,"result":"Not logged in · Please run /login","session_id":"e00f","total_cost_usd":0}\n';
const CODEX =
  '{"type":"thread.started","thread_id":"01a2"}\n{"type":"turn.started"}\n{"type":"error","message":"Reconnecting... waiting for network (Connection failed: error sending request)"}\n';
const GEMINI =
  'YOLO mode is enabled. All tool calls will be automatically approved.\n{\n  "session_id": "d695",\n  "error": {\n    "type": "Error",\n    "message": "Please set an Auth method in your .gemini/settings.json",\n    "code": 41\n  }\n}\n';

test('what agents print without a sign-in is read', () => {
  expect(readAgentOutput(CLAUDE, 'claude')).toEqual({
    isError: true,
    said: 'Not logged in · Please run /login',
    cost_usd: 0,
    session: 'e00f',
  });
  expect(readAgentOutput(CODEX, 'codex').said).toContain('waiting for network');
  expect(readAgentOutput(GEMINI, 'gemini')).toMatchObject({
    isError: true,
    said: 'Please set an Auth method in your .gemini/settings.json',
  });
});

test.each([
  ['claude', CLAUDE, 'cat "$(dirname "$0")/said"; exit 1', 'Please run /login'],
  ['codex', CODEX, 'cat "$(dirname "$0")/said"; exec sleep 100', 'waiting for network'],
  ['gemini', GEMINI, 'cat "$(dirname "$0")/said" >&2; exit 41', 'set an Auth method'],
] as const)(
  '%s without a sign-in or a network stops the command, and counts no try',
  async (output, said, script, why) => {
    const place = await newAgentsPlace(script);
    writeFileSync(join(place.home, 'said'), said);
    await place.workspace.edit('1', { checks: ['ok'] });
    place.configure({ agents: { mine: { command: [join(place.home, 'agent.sh')], output } } });
    const report = await place.workspace.work({ timeout: '5' });
    expect(report).toMatchObject({ ended: 'agent', goals: [{ outcome: 'agent', attempts: 1 }] });
    expect(report.goals?.[0]?.reason).toContain(why);
    expect((await place.workspace.show('1')).goal.status).toBe('atomic');
  },
);
