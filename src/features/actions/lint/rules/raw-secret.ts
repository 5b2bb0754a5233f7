import { isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { pointerTo } from '../../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../../kernel/json/json-scanner.js';
import { spacedTextOfJson, textOfJson } from '../../../../kernel/json/json-text.js';
import type { Region, Observation, TextEdit } from '../finding.js';
import { fixablePlaces } from '../secrets/fixable-places.js';
import { flatJson } from '../secrets/flat-json.js';
import { rawOffsets } from '../raw-offset.js';
import type { Rule } from '../rule.js';
import { judgedItem, judgedMembers, mayBeJudgedOtherwise } from '../secrets/secret-siblings.js';
import type { JudgedAs } from '../secrets/secret-siblings.js';
import { secretNumber, secretsIn } from '../secrets/secrets.js';
import type { FoundSecret } from '../secrets/secrets.js';
import type { Subject } from '../subject.js';
import { quantityOf } from '../../../../kernel/text/quantity-of.js';

/** RAW_SECRET: a secret that is in the plan itself. */
export const rawSecret: Rule = {
  id: 'RAW_SECRET',
  severity: 'error',
  summary: 'a secret in the plan itself',
  explanation: `A plan is stored, shown, logged and sent to models, so it must not contain secrets. Detectors search every string, names of
members included. They recognize keys and tokens by form (AWS, Azure, Google, GitHub, GitLab, Slack, OpenAI, Anthropic, Hugging Face, Stripe, npm,
PyPI, JSON Web Tokens, PEM blocks and more), bearer and basic credentials, and passwords in URLs. They recognize assignments in text
(\`DB_PASSWORD=…\`, \`X-Api-Key: …\`, \`--password …\`), values of keys such as \`password\` or \`api_key\`, pairs such as
\`{"name": "X-Api-Key", "value": …}\`, and text typed into a password field. Every other copy of such a secret in the plan is found too.
References (\`\${context.token}\`), placeholders, documented example keys, names of variables and plain hashes are not secrets. A common word after
\`Password:\` in prose is missed. \`deny_tokens_regex\` of the policy is matched against the JSON text of arguments, goal, context and metadata,
with and without spaces. A finding shows the kind and length, never the secret. \`--fix\` puts \`\${context.NAME}\` in its place in arguments, where
the dialect has references; whoever runs the plan must provide the value.`,
  example: {
    policy: "deny_tokens_regex: ['CUST-[0-9]{6}']\n",
    bad: `{
  "goal": "Report the balance of CUST-204417",
  "steps": [{ "id": "ask", "tool": "http.get", "parameters": { "password": "hunter2!" }, "on_fail": "abort" }]
}`,
    good: `{
  "goal": "Report the balance",
  "steps": [
    { "id": "ask", "tool": "http.get", "parameters": { "password": "\${context.PASSWORD}", "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }, "on_fail": "abort" }
  ]
}`,
  },
  *check(subject) {
    yield* detected(subject);
    yield* denied(subject);
  },
};

function* detected(subject: Subject): Generator<Observation> {
  const { document, body } = subject.read;
  const root = document.at(body) ?? document.root;
  const found: { readonly value: FoundValue; readonly secrets: readonly FoundSecret[] }[] = [];
  visitValues(root, document.text, (value) => {
    const secrets = secretsOf(value);
    if (secrets.length > 0) found.push({ value, secrets });
  });
  if (found.length === 0) return;
  const names = contextNames();
  const fixableWithin = fixablePlaces(subject);
  for (const { value, secrets } of found) {
    const regionOf = regionsOf(subject, value);
    const isFixable = value.isKey ? () => false : fixableWithin(value.node);
    for (const secret of secrets) {
      const text = textAt(value.node, secret);
      const region = regionOf(secret);
      yield {
        message: messageOf(secret, text),
        about: aboutOf(secret, text),
        region,
        fix: isFixable(secret)
          ? () => [editOf(value.node, region, names.nameOf(secret.name, text))]
          : undefined,
      };
    }
  }
  const texts = found.flatMap(({ value, secrets }) =>
    secrets.map((secret) => [textAt(value.node, secret), secret] as const),
  );
  yield* repeated(subject, root, new Map(texts));
}

/** A password is one wherever else it is said: in the title of the step that types it. */
function* repeated(
  subject: Subject,
  root: JsonNode,
  secrets: ReadonlyMap<string, FoundSecret>,
): Generator<Observation> {
  const known = [...secrets].filter(([text]) => text.length >= LEAST_REPEATED).slice(0, MOST_REPEATED);
  const again: Observation[] = [];
  visitValues(root, subject.read.document.text, (value) => {
    if (value.node.kind !== 'string') return;
    let own: readonly FoundSecret[] | undefined;
    for (const [text, { kind, name }] of known) {
      const start = value.node.value.indexOf(text);
      if (start === -1) continue;
      const secret = { kind, name, start, end: start + text.length };
      own ??= secretsOf(value);
      if (own.some((one) => one.start < secret.end && secret.start < one.end)) continue;
      again.push({
        message: `${messageOf(secret, text)}, said again`,
        about: [...aboutOf(secret, text), 'again'],
        region: regionsOf(subject, value)(secret),
      });
    }
  });
  yield* again;
}

/** Tells where the secrets of a value are: quickest in the order in which they stand there. */
function regionsOf({ read }: Subject, { node, path }: FoundValue): (secret: FoundSecret) => Region {
  const { document, body } = read;
  const pointer = pointerTo(body, ...keysOfPath(path));
  if (node.kind !== 'string') return () => ({ pointer, start: node.start, end: node.end });
  const offsetOf = rawOffsets(document.text, node);
  return ({ start, end }) => ({ pointer, start: offsetOf(start), end: offsetOf(end) });
}

/** A shorter secret may be a word of any text. */
const LEAST_REPEATED = 6;
/** So many secrets are looked for again; a plan of more has worse failures. */
const MOST_REPEATED = 50;

/** A number becomes a string: a reference is one. */
function editOf({ kind }: JsonNode, { start, end }: Region, name: string): TextEdit {
  const reference = `\${context.${name}}`;
  return { start, end, text: kind === 'number' ? JSON.stringify(reference) : reference };
}

/** What is said of a secret: nothing of its text. */
function messageOf({ kind }: FoundSecret, text: string): string {
  return `a raw secret: ${kind}, ${quantityOf(text.length, 'character')}`;
}

function aboutOf({ kind }: FoundSecret, text: string): Observation['about'] {
  return [kind, text.length];
}

interface FoundValue {
  readonly node: JsonNode;
  readonly path: Path | null;
  readonly as: JudgedAs;
  /** Whether it is the name of a member. */
  readonly isKey: boolean;
}

/** The way to a value, from its end. */
interface Path {
  readonly up: Path | null;
  readonly key: string | number;
}

function keysOfPath(path: Path | null): readonly (string | number)[] {
  return path === null ? [] : [...keysOfPath(path.up), path.key];
}

function secretsOf({ node, as }: FoundValue): readonly FoundSecret[] {
  if (node.kind === 'string') return secretsIn(node.value, as);
  const secret = node.kind === 'number' ? secretNumber(node.text, as) : null;
  return secret === null ? [] : [{ ...secret, start: 0, end: node.kind === 'number' ? node.text.length : 0 }];
}

function textAt(node: JsonNode, { start, end }: FoundSecret): string {
  if (node.kind === 'number') return node.text;
  return node.kind === 'string' ? node.value.slice(start, end) : '';
}

type Visit = (value: FoundValue) => void;

/** Visits every string and number of a tree with its place and as what it is judged, names of members included. */
function visitValues(root: JsonNode, text: string, visit: Visit): void {
  const visitNode = (node: JsonNode, as: JudgedAs, path: Path | null): void => {
    if (node.kind === 'string' || node.kind === 'number') visit({ node, path, as, isKey: false });
    else if (node.kind === 'array')
      for (const [key, element] of node.elements.entries()) {
        const before = node.elements[key - 1];
        const judged = judgedItem(
          before?.kind === 'string' ? before.value : null,
          node.elements.length,
          as.key,
        );
        visitNode(element, judged, { up: path, key });
      }
    else if (node.kind === 'object') visitMembers(node, path);
  };
  const visitMembers = ({ members }: JsonNode & { kind: 'object' }, up: Path | null): void => {
    const judged = mayBeJudgedOtherwise(members) ? judgedOf(members, text) : null;
    for (const [index, member] of members.entries()) {
      const { key, value, keyStart: start, keyEnd: end } = member;
      const path = { up, key };
      if (key.length > LONGEST_NAME)
        visit({ node: { kind: 'string', value: key, start, end }, path, as: { key: null }, isKey: true });
      visitNode(value, judged?.[index] ?? { key }, path);
    }
  };
  visitNode(root, { key: null }, null);
}

function judgedOf(members: (JsonNode & { kind: 'object' })['members'], text: string): readonly JudgedAs[] {
  const siblings = members.map(({ key, value }) => ({
    key,
    string: value.kind === 'string' ? value.value : null,
    text: () => text.slice(value.start, value.end),
  }));
  return siblings.map(judgedMembers(siblings));
}

/** No secret is so short, nor are most names longer. */
const LONGEST_NAME = 16;

/** Gives each secret a name in the context, the same secret always the same. */
function contextNames(): { nameOf(wanted: string, text: string): string } {
  const byText = new Map<string, string>();
  const taken = new Set<string>();
  /** The number from which on a name may be free. */
  const numbers = new Map<string, number>();
  return {
    nameOf(wanted, text) {
      const known = byText.get(text);
      if (known !== undefined) return known;
      let name = wanted;
      let number = numbers.get(wanted) ?? 2;
      for (; taken.has(name); number += 1) name = `${wanted}_${number}`;
      numbers.set(wanted, number);
      taken.add(name);
      byText.set(text, name);
      return name;
    },
  };
}

/**
 * Patterns are written for JSON as one language or another prints it: `"pin":1` or `"pin": 1`. One that matches no
 * space finds in the second what it finds in the first.
 */
const MATCHES_NO_SPACE = /^(?:[\w"'{},+*?()|;@#%&=!<>~/-]|\[(?:\w(?:-\w)?)+\]|\\[dw.-])*$/;

function* denied({ plan, steps, policy, placeOf }: Subject): Generator<Observation> {
  if (policy.patterns.length === 0) return;
  const parts: { readonly value: JsonValue | undefined; readonly pointer: JsonPointer }[] = [
    { value: plan.goal, pointer: '/goal' },
    { value: plan.context, pointer: '/context' },
    { value: plan.metadata, pointer: '/metadata' },
    ...steps.map(({ step, pointer }) => ({ value: step.args, pointer: `${pointer}/args` })),
  ];
  for (const { value, pointer } of parts) {
    if (value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)) continue;
    const text = textOfJson(value);
    let spacedText: string | undefined;
    for (const pattern of policy.patterns) {
      let match = pattern.find(text);
      const spaced = match === null && !MATCHES_NO_SPACE.test(pattern.source);
      if (spaced) match = pattern.find((spacedText ??= spacedTextOfJson(value)));
      if (match === null) continue;
      const length = match.end - match.start;
      const message = `this matches ${JSON.stringify(pattern.source)} of the policy's deny_tokens_regex (${quantityOf(length, 'character')})`;
      const region = placeOf(flatJson(value, pointer, spaced).pointerAt(match.start));
      yield { message, about: [pattern.source, length], region };
    }
  }
}
