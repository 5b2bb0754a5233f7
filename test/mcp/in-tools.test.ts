import { describe, expect, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import { joinHints, hintStep } from '../../src/kernel/hint.js';
import type { Hint } from '../../src/kernel/hint.js';
import { inTools } from '../../src/features/mcp/in-tools.js';

const inCommands = (hint: Hint) => new PlanError('USAGE', 'it is wrong', { hint }).hint;

describe('a hint', () => {
  const next: Hint = [
    hintStep('next'),
    ' finds another goal',
    { commandLine: '; --by says who you are' },
    '.',
  ];

  test('that proposes a command is worded by each interface', () => {
    expect(inCommands(next)).toBe('`plan next` finds another goal; --by says who you are.');
    expect(inTools(next)).toBe('goal_take without goal finds another goal.');
    const depend: Hint = [{ command: 'depend', notOn: '1.1', goal: '1.2' }, ' ends that.'];
    expect(inCommands(depend)).toBe('`plan depend 1.2 --not-on 1.1` ends that.');
    expect(inTools(depend)).toBe('plan_edit with op depend, goal 1.2 and off [1.1] ends that.');
    expect(inTools([hintStep('reopen', '1.2')])).toBe('plan_edit with op reopen and goal 1.2');
    expect(inTools([hintStep('reopen')])).toBe('plan_edit with op reopen');
  });

  test('in words of the command line alone is for a person, whatever it says', () => {
    for (const hint of ['`plan doctor` says what is wrong.', 'Leave out what you gave.', 'plan next'])
      expect(inTools({ commandLine: hint })).toBe(`For a person, on the command line: ${hint}`);
  });

  test('that holds everywhere is told as it is, whatever it says', () => {
    for (const hint of ['Give a whole number.', 'Say --what is so called.']) {
      expect(inTools([hint])).toBe(hint);
      expect(inCommands([hint])).toBe(hint);
    }
  });

  test('after another is told with it', () => {
    const both = joinHints({ commandLine: 'Look with `plan log`.' }, next) ?? [];
    expect(inCommands(both)).toBe(
      'Look with `plan log`. `plan next` finds another goal; --by says who you are.',
    );
    expect(inTools(both)).toBe('goal_take without goal finds another goal.');
    expect(joinHints(undefined, next)).toBe(next);
    const commands = joinHints({ commandLine: 'Look with `plan log`.' }, { commandLine: 'Leave it.' }) ?? [];
    expect(inTools(commands)).toBe('For a person, on the command line: Look with `plan log`. Leave it.');
  });
});
