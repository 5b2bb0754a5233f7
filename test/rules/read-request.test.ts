import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { browserMethods, parseMethod } from '../../src/features/rules/methods.js';
import { opensAddress, readRequest } from '../../src/features/rules/requests/read-request.js';

const methods = browserMethods();

/** The one step that a clause means, as tool and arguments. */
function only(clause: string): unknown {
  const { steps, problems } = readRequest(clause, methods);
  expect(problems).toEqual([]);
  expect(steps).toHaveLength(1);
  return [steps[0]?.tool, steps[0]?.args];
}

/** What is said of the clauses that are not understood. */
function problemsOf(request: string): readonly string[] {
  return readRequest(request, methods).problems.map(({ clause, message }) => `${clause}: ${message}`);
}

const text = (content: string, exact = true) => ({ Text: { content, exact } });
const typed = (content: string) => ({
  locator: { Css: 'input[type="password"]' },
  text: content,
  submit: false,
});
const SEARCH = { Css: 'input[type="search"], [role="searchbox"], input[name="q"]' };
const aria = (role: string, name: string) => ({ Aria: { role, name } });

test('a request becomes steps with locators, validations, titles and the clauses they come from', () => {
  const request =
    'open https://example.com, then type "rust" into search and press enter; wait 3 seconds; click "Docs"; scroll down';
  expect(readRequest(request, methods)).toEqual({
    problems: [],
    steps: [
      {
        id: 'step-1',
        tool: 'soul:Navigate',
        args: { url: 'https://example.com' },
        title: 'Open https://example.com',
        detail: 'open https://example.com',
        wait: 'dom_ready',
        verifications: [
          {
            type: 'soul:UrlMatches',
            args: { value: 'https://example.com' },
            description: 'The address bar shows https://example.com',
          },
        ],
      },
      {
        id: 'step-2',
        tool: 'soul:TypeText',
        args: { locator: aria('searchbox', 'search'), text: 'rust', submit: true },
        title: 'Type “rust” into the searchbox “search” and press Enter',
        detail: 'type "rust" into search; press enter',
        wait: 'dom_ready',
      },
      {
        id: 'step-3',
        tool: 'soul:Wait',
        args: { condition: { Duration: 3000 } },
        title: 'Wait 3 seconds',
        detail: 'wait 3 seconds',
      },
      {
        id: 'step-4',
        tool: 'soul:Click',
        args: { locator: text('Docs') },
        title: 'Click “Docs”',
        detail: 'click "Docs"',
        wait: 'dom_ready',
      },
      {
        id: 'step-5',
        tool: 'soul:Scroll',
        args: { target: { Pixels: 600 } },
        title: 'Scroll down by 600 pixels',
        detail: 'scroll down',
      },
    ],
  });
});

test('a page is kept as a file by two steps, of which the second names the first', () => {
  const { steps, problems } = readRequest('open a.org; save the page as receipt.json', methods);
  expect(problems).toEqual([]);
  expect(steps.map(({ id, tool, args }) => [id, tool, args]).slice(1)).toEqual([
    ['step-2', 'data.extract-site', {}],
    ['step-3', 'data.deliver.structured', { filename: 'receipt.json', source_step_id: 'step-2' }],
  ]);
});

test('what a step of a request waits for is named as the plan names it', () => {
  const own = parseMethod(
    `name: greet
title: Greet
reasoning: First the one, then the other.
setting: browser
fits: [{ verbs: [greet] }]
steps:
  - { id: look, tool: look }
  - { id: wave, tool: wave, after: [look] }
`,
    'greet.yaml',
  );
  const { steps } = readRequest('open a.org; greet', [...methods, own]);
  expect(steps[2]).toMatchObject({ id: 'step-3', depends_on: ['step-2'] });
});

describe('one clause', () => {
  test.each<[string, string, unknown]>([
    ['go to example.com', 'Navigate', { url: 'https://example.com' }],
    ['Please visit www.rust-lang.org/learn?x=1', 'Navigate', { url: 'https://www.rust-lang.org/learn?x=1' }],
    ['navigate to "https://a.org/x;y"', 'Navigate', { url: 'https://a.org/x;y' }],
    ['open localhost:3000', 'Navigate', { url: 'http://localhost:3000' }],
    ['browse to the page at http://10.0.0.1:8080/a', 'Navigate', { url: 'http://10.0.0.1:8080/a' }],
    ['click Docs', 'Click', { locator: text('Docs', false) }],
    ['click on the "Sign in" button', 'Click', { locator: aria('button', 'Sign in') }],
    ['press the Save button', 'Click', { locator: aria('button', 'Save') }],
    ['follow the link "Read more"', 'Click', { locator: aria('link', 'Read more') }],
    ['open the Pricing tab', 'Click', { locator: aria('tab', 'Pricing') }],
    ['tap #menu', 'Click', { locator: { Css: '#menu' } }],
    ['click button.primary', 'Click', { locator: { Css: 'button.primary' } }],
    ['click css "main > a:nth-child(2)"', 'Click', { locator: { Css: 'main > a:nth-child(2)' } }],
    ['click `input[name=q]`', 'Click', { locator: { Css: 'input[name=q]' } }],
    ['tick the "I agree" checkbox', 'Click', { locator: aria('checkbox', 'I agree') }],
    ['click Terms and Conditions', 'Click', { locator: text('Terms and Conditions', false) }],
    [
      'type “a, b; and c” in the search box',
      'TypeText',
      { locator: aria('searchbox', 'search'), text: 'a, b; and c', submit: false },
    ],
    [
      'enter 3.14 into amount',
      'TypeText',
      { locator: aria('textbox', 'amount'), text: '3.14', submit: false },
    ],
    [
      "fill in the email field with 'a@b.org'",
      'TypeText',
      { locator: aria('textbox', 'email'), text: 'a@b.org', submit: false },
    ],
    ...[
      'type "hunter2" into the password field',
      'type hunter2 into "Password"',
      'enter "hunter2" in my password box',
      'fill in the password field with hunter2',
      'fill password with "hunter2"',
    ].map((clause): [string, string, unknown] => [clause, 'TypeText', typed('hunter2')]),
    ['click the password field', 'Click', { locator: { Css: 'input[type="password"]' } }],
    [
      'type "my password" into search',
      'TypeText',
      { ...typed('my password'), locator: aria('searchbox', 'search') },
    ],
    ['search for the best pizza', 'TypeText', { ...typed('the best pizza'), locator: SEARCH, submit: true }],
    ['click "Docs in a new tab"', 'Click', { locator: text('Docs in a new tab') }],
    ['click my account', 'Click', { locator: text('account', false) }],
    ['click Sign in', 'Click', { locator: text('Sign in', false) }],
    ['click the "New" tab', 'Click', { locator: aria('tab', 'New') }],
    [
      'select "Germany" from the country dropdown',
      'Select',
      { locator: aria('combobox', 'country'), value: 'Germany' },
    ],
    ['choose Blue in "Colour"', 'Select', { locator: aria('combobox', 'Colour'), value: 'Blue' }],
    ['scroll to the bottom of the page', 'Scroll', { target: 'Bottom' }],
    ['scroll back to the top', 'Scroll', { target: 'Top' }],
    ['scroll up 300px', 'Scroll', { target: { Pixels: -300 } }],
    ['scroll down by 250 pixels', 'Scroll', { target: { Pixels: 250 } }],
    ['scroll to "Comments"', 'Scroll', { target: { Selector: text('Comments') } }],
    ['wait 1.5 seconds', 'Wait', { condition: { Duration: 1500 } }],
    ['wait for 500ms', 'Wait', { condition: { Duration: 500 } }],
    ['wait half a second', 'Wait', { condition: { Duration: 500 } }],
    ['pause for two minutes', 'Wait', { condition: { Duration: 120_000 } }],
    ['wait 1,500 ms', 'Wait', { condition: { Duration: 1500 } }],
    ['wait 1.005 s', 'Wait', { condition: { Duration: 1005 } }],
    ['wait for "Results"', 'Wait', { condition: { ElementVisible: text('Results') } }],
    ['wait until "Results" appears', 'Wait', { condition: { ElementVisible: text('Results') } }],
    ['wait until the "Loading" text disappears', 'Wait', { condition: { ElementHidden: text('Loading') } }],
    ['wait for #spinner to be gone', 'Wait', { condition: { ElementHidden: { Css: '#spinner' } } }],
    ['wait for the page to load', 'Wait', { condition: { NetworkIdle: 500 } }],
    ['wait until the url contains "/docs"', 'Wait', { condition: { UrlMatches: '/docs' } }],
    ['wait until the title contains Rust', 'Wait', { condition: { TitleMatches: 'Rust' } }],
    ['finish with "All 3.14 done"', 'Done', { success: true, text: 'All 3.14 done' }],
  ])('%s', (clause, kind, args) => {
    expect(only(clause)).toEqual([`soul:${kind}`, args]);
  });

  test.each([
    ['click it', 'does not say which element'],
    ['click Docs three times', 'put the name in quotation marks'],
    ['click Save and Close', 'put the name in quotation marks'],
    ['click Docs if it is there', 'put the name in quotation marks'],
    ['click "Docs" in the sidebar', 'more than one name'],
    ['press escape', 'may mean something else'],
    ['press "Enter"', 'may mean something else'],
    ['press ctrl+c', 'keys pressed together'],
    ['press enter', 'it must follow a step of soul:TypeText'],
    ['type "rust"', 'it does not say the field'],
    ['type "a" and "b" into search', 'more than one quotation'],
    ['select "Germany"', 'it does not say the list'],
    ['wait 3', 'not a time with its unit'],
    ['wait a few seconds', 'not a time with its unit'],
    ['wait 0.0001 s', 'not a whole number of milliseconds'],
    ['open javascript:alert(1)', 'not an http or https address'],
    ['open file:///etc/passwd', 'not an http or https address'],
    ['open https://example.com if it is up', 'not an http or https address'],
    ['scroll down slowly', 'not a number of pixels'],
    ['hover over the menu', 'no method of the browser fits it'],
    ['check that "x" is visible', 'it must follow a step'],
    ['book me a flight to Lisbon', 'no method of the browser fits it'],
    ['click Docs in a new tab', 'no step opens another tab or window'],
    ['click Docs in new tab', 'no step opens another tab or window'],
    ['click the link "Docs" in a new window', 'no step opens another tab or window'],
    ['open the "Docs" link in a new tab', 'no step opens another tab or window'],
    ['open example.com in a new tab', 'no step opens another tab or window'],
    ['open a.org in another browser window', 'no step opens another tab or window'],
    ['follow the Docs link in a background tab', 'no step opens another tab or window'],
    ['click Docs in an incognito window', 'no step opens another tab or window'],
    ['open a new tab', 'does not say which one by its name'],
    ['click the next tab', 'does not say which one by its name'],
    ['click the first link', 'does not say which one by its name'],
    ['click Docs in the sidebar', 'put the name in quotation marks'],
    ['select my country from the country dropdown', 'put the name in quotation marks'],
    ['type my password into the password field', 'says what the text is about'],
    ['type your username into username', 'says what the text is about'],
    ['enter her e-mail into the email field', 'says what the text is about'],
    ['fill in the password field with my password', 'says what the text is about'],
    ['type the code into the code field', 'says what the text is about'],
    ['type the user’s password into the password box', 'says what the text is about'],
    ['enter a random name into the name field', 'says what the text is about'],
    ['type the following text into search', 'says what the text is about'],
    ['type it into search', 'says what the text is about'],
    ['type something into search', 'says what the text is about'],
    ['search for my name', 'says what the text is about'],
    ['type "x" into the confirm password field', 'has no role to find it by'],
    ['type "x" into "Repeat password"', 'has no role to find it by'],
    ['click the new password field', 'has no role to find it by'],
  ])('is not guessed at: %s', (clause, message) => {
    const { steps, problems } = readRequest(clause, methods);
    expect(steps).toEqual([]);
    expect(problems).toMatchObject([{ number: 1, clause, message: expect.stringContaining(message) }]);
  });
});

describe('several clauses', () => {
  test.each([
    ['open a.org; click Docs', 2],
    ['open a.org, click Docs, and scroll down', 3],
    ['open a.org and click Docs', 2],
    ['First open a.org. Then click Docs.', 2],
    ['open a.org\n- click Docs\n- wait 2 s', 3],
    ['1. open a.org 2. wait 1.5 s 3. click Docs', 3],
    ['1) open a.org\n2) click Docs\n3) wait 2 s', 3],
    ['go to a.org, and then click Docs, finally, scroll down', 3],
  ])('%s', (request, count) => {
    const { steps, problems } = readRequest(request, methods);
    expect(steps.length + problems.length).toBe(count);
  });

  test('a check becomes a validation of the step before it', () => {
    const request = 'click Save, then make sure "Saved" is visible and check the url contains "/done"';
    const { steps, problems } = readRequest(request, methods);
    expect(problems).toEqual([]);
    expect(steps).toHaveLength(1);
    expect(steps[0]?.verifications?.map(({ type, args }) => [type, args])).toEqual([
      ['soul:ElementVisible', { value: text('Saved') }],
      ['soul:UrlMatches', { value: '/done' }],
    ]);
  });

  test('every clause that is not understood is named, with its number', () => {
    expect(readRequest('open a.org; dance; click it; scroll down', methods).problems).toEqual([
      { number: 2, clause: 'dance', message: 'no method of the browser fits it' },
      { number: 3, clause: 'click it', message: '“it” does not say which element' },
    ]);
    expect(problemsOf('  ;; ')).toEqual(['  ;; : it is empty']);
    expect(problemsOf('open a.org; '.repeat(2000))[0]).toMatch(/longer than 20000 characters$/);
  });

  test('the same request gives the same steps', () => {
    const request = 'open a.org, search for "x y" and wait for the page to load';
    expect(readRequest(request, methods)).toEqual(readRequest(request, methods.toReversed()));
  });
});

const hostile = fc
  .string({
    unit: fc.constantFrom(
      ...Array.from("abz09 ,.;:!?-()[]{}&'"),
      ' and ',
      ' then ',
      '; click ',
      '1. ',
      '$',
      'é',
    ),
    minLength: 1,
    maxLength: 30,
  })
  .filter((content) => content.trim() !== '');

test('a quotation survives whatever stands in it', () => {
  fc.assert(
    fc.property(hostile, hostile, (typed, clicked) => {
      const request = `type "${typed}" into "${clicked}" and press enter, then click “${clicked}”; wait 2 s`;
      const { steps, problems } = readRequest(request, methods);
      expect(problems).toEqual([]);
      expect(steps.map(({ args }) => args)).toEqual([
        {
          locator: aria(/^search$/i.test(clicked) ? 'searchbox' : 'textbox', clicked),
          text: typed,
          submit: true,
        },
        { locator: text(clicked) },
        { condition: { Duration: 2000 } },
      ]);
    }),
  );
});

test('an address survives whatever stands in it, up to the punctuation behind it', () => {
  const address = fc
    .webUrl({ withFragments: true, withQueryParameters: true })
    .filter((url) => !/[,;:.!?)]$/.test(url) && !url.includes("'"));
  fc.assert(
    fc.property(address, fc.constantFrom('; ', ', then ', '. ', ' and ', '\n'), (url, joint) => {
      const { steps, problems } = readRequest(`open ${url}${joint}click Docs`, methods);
      expect(problems).toEqual([]);
      expect(steps.map(({ args }) => args)).toEqual([{ url }, { locator: text('Docs', false) }]);
    }),
  );
});

test('a decimal survives, to the millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000 }), (ms) => {
      const request = `wait ${ms / 1000} seconds. click Docs, wait ${ms}ms and scroll down`;
      const durations = readRequest(request, methods).steps.flatMap(({ args }) => args.condition ?? []);
      expect(durations).toEqual([{ Duration: ms }, { Duration: ms }]);
    }),
  );
});

test('any text is read to an end, and what it does not say is not in the steps', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (request) => {
      const { steps, problems } = readRequest(request, methods);
      expect(steps.length + problems.length).toBeGreaterThan(0);
    }),
  );
});

test('a text is a browser request beyond doubt when it opens an address', () => {
  expect(opensAddress('click Docs, then open example.com', methods)).toBe(true);
  expect(opensAddress('Open the shop in example.com style', methods)).toBe(false);
  expect(opensAddress('click Docs', methods)).toBe(false);
});

test('a method of one’s own reads further clauses, and one of the same name replaces the built-in one', () => {
  const hover = parseMethod(
    `name: hover
title: Hover
reasoning: The pointer rests there.
setting: browser
fits: [{ verbs: [hover over, hover] }]
slots: { element: { object: true, as: element } }
steps: [{ id: hover, tool: 'soul:Custom', args: { name: hover, payload: { at: '{element}' } }, title: 'Hover over {element}' }]
`,
    'hover.yaml',
  );
  const { steps, problems } = readRequest('hover over the "More" button; click Docs', [hover, ...methods]);
  expect(problems).toEqual([]);
  expect(steps[0]).toMatchObject({
    tool: 'soul:Custom',
    args: { name: 'hover', payload: { at: aria('button', 'More') } },
    title: 'Hover over the button “More”',
  });
});
