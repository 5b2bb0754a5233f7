import { describe, expect, test } from 'vitest';

import { browserMethods, builtInMethods, parseMethod } from '../../src/features/rules/methods.js';
import { stepsByRules } from '../../src/features/rules/steps-by-rules.js';

const RESTART = `name: restart-service
title: Restart a service
reasoning: The service manager restarts it, and its health tells whether that worked.
fits: [{ verbs: [restart], object: [[service]] }]
slots:
  host: { after: [on] }
  minutes: { after: [after], as: milliseconds }
steps:
  - { id: wait, tool: sleep, args: { ms: '{minutes}' }, if: minutes }
  - { id: restart, tool: service.restart, args: { host: '{host}', note: 'at {host} now' }, after: [wait], requires_approval: true }
  - { id: check, tool: service.health, args: { host: ['{host}'] }, after: [wait, restart], title: 'Check {host}' }
`;
const restart = parseMethod(RESTART, 'restart.yaml');
const methods = [restart, ...builtInMethods(), ...browserMethods()];

describe('the steps of a goal', () => {
  test('come from the method that fits it, with its slots', () => {
    expect(stepsByRules('Restart the billing service on "web 1" after 1.5 minutes', [], methods)).toEqual({
      kind: 'steps',
      isRequest: false,
      reasoning:
        'Method restart-service: The service manager restarts it, and its health tells whether that worked.',
      steps: [
        { id: 'wait', tool: 'sleep', args: { ms: 90_000 } },
        {
          id: 'restart',
          tool: 'service.restart',
          args: { host: 'web 1', note: 'at web 1 now' },
          depends_on: ['wait'],
          requires_approval: true,
        },
        {
          id: 'check',
          tool: 'service.health',
          args: { host: ['web 1'] },
          depends_on: ['wait', 'restart'],
          title: 'Check “web 1”',
        },
      ],
    });
  });

  test('leave out what an unfilled slot asks for, and keep the order across it', () => {
    const found = stepsByRules('Restart the service on web1', [], methods);
    expect(found).toMatchObject({ steps: [{ id: 'restart' }, { id: 'check', depends_on: ['restart'] }] });
  });

  test('are not made up where the goal does not say what they need', () => {
    expect(stepsByRules('Restart the service', [], methods)).toEqual({
      kind: 'problems',
      problems: [{ number: 1, clause: 'Restart the service', message: 'it does not say the host' }],
    });
    expect(stepsByRules('Write a poem', [], methods)).toBeNull();
    expect(stepsByRules('Build a REST API', [], methods)).toBeNull();
  });

  test('are those of a browser request when the goal or one above it opens an address', () => {
    expect(stepsByRules('Click "Docs"', [], methods)).toBeNull();
    expect(stepsByRules('Click "Docs"', ['Go to example.com and click "Docs"'], methods)).toMatchObject({
      kind: 'steps',
      steps: [{ tool: 'soul:Click' }],
    });
    expect(stepsByRules('Open example.com; sing', [], methods)).toMatchObject({
      kind: 'problems',
      problems: [{ number: 2, clause: 'sing' }],
    });
  });
});

describe('a method file with steps', () => {
  test.each([
    ['both kinds', 'steps:', 'sub_goals: [{ id: a, do: A }, { id: b, do: B }]\nsteps:', 'must hold one of'],
    ['an unknown slot in arguments', "['{host}']", "['{hosts}']", 'no slot is named "hosts"'],
    ['an unknown slot in a title', 'Check {host}', 'Check {place}', 'no slot is named "place"'],
    [
      'a later step awaited',
      'if: minutes',
      'if: minutes, after: [check]',
      'no earlier step has the id "check"',
    ],
    ['an id used twice', 'id: check', 'id: wait', '"wait" is used twice'],
    ['an unknown condition', 'if: minutes', 'if: hours', 'no slot is named "hours"'],
    ['a slot without words', 'after: [on]', 'after: []', 'must name a word'],
    ['a list slot', 'after: [on]', 'after: [on], list: true', 'list goes with sub_goals alone'],
    [
      'a role that is not an element’s',
      'as: milliseconds',
      'as: milliseconds, role: link',
      'needs `as: element`',
    ],
    ['an unknown reading', 'as: milliseconds', 'as: seconds', 'slots.minutes.as'],
    ['an amendment outside a browser', /steps:[^]*/, 'amends: { args: {} }', 'needs `setting: browser`'],
  ])('is refused for %s', (_, from, to, message) => {
    expect(() => parseMethod(RESTART.replace(from, to), 'm.yaml')).toThrow(message);
  });

  test('and one with sub-goals may not use what only steps know', () => {
    const text = `name: a
title: A
reasoning: B
fits: [{ verbs: [do] }]
slots: { x: { object: true } }
sub_goals: [{ id: a, do: A }, { id: b, do: B }]
`;
    expect(() => parseMethod(text, 'm.yaml')).toThrow('object, before, as and role go with steps alone');
  });
});

test.each(browserMethods().map(({ name }) => [name]))('%s is a method of the browser', (name) => {
  const method = browserMethods().find((one) => one.name === name);
  expect(method).toMatchObject({ setting: 'browser', builtIn: true, subGoals: [] });
});
