import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { dialectOf } from '../../dialects.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { spacedTextOfJson, textOfJson } from '../../../kernel/json/json-text.js';
import { referencesOf } from '../../references.js';
import type { Region, Observation, TextEdit } from '../finding.js';
import { flatJson } from '../secrets/flat-json.js';
import { rawOffset } from '../raw-offset.js';
import type { Rule } from '../rule.js';
import { judgedItem, judgedMembers, mayBeJudgedOtherwise } from '../secrets/secret-siblings.js';
import type { JudgedAs } from '../secrets/secret-siblings.js';
import { secretNumber, secretsIn } from '../secrets/secrets.js';
import type { FoundSecret } from '../secrets/secrets.js';
import type { Subject } from '../subject.js';

/** RAW_SECRET: a secret that is in the plan itself. */
export const rawSecret: Rule = {
  id: 'RAW_SECRET',
  severity: 'error',
  summary: 'a secret in the plan itself',
  explanation: `A plan is stored, shown, logged and sent to models; a secret in it is a secret no more. Built-in detectors look at every string of the plan, names of
members included. They know keys and tokens by their form (AWS, Azure with SAS signatures, Google, GitHub, GitLab, Slack, Discord, Telegram, OpenAI,
Anthropic, Groq, Hugging Face, Vault, Docker, DigitalOcean, Cloudflare, Stripe, npm, PyPI, JSON Web Tokens, PEM blocks and more). They know bearer and basic
credentials, passwords in URLs, and what is assigned to a name in text (\`DB_PASSWORD=…\`, \`X-Api-Key: …\`, \`--password …\`). They know the values of keys such as \`password\`, \`db_pass\` or
\`api_key\`, numbers too, and of pairs such as \`{"name": "X-Api-Key", "value": …}\`. They know text that is typed into a password field, by a locator beside it.
Such a secret is found wherever else the plan says it again. A reference (\`\${context.token}\`), a placeholder (\`ghp_xxxx…\`, \`required\`), a key that a manual shows, a name of a
variable and a plain hash (MD5, SHA) are no secrets; nor can a password be told that is a common word after \`Password:\` in prose.
The policy's \`deny_tokens_regex\` are matched against the JSON text of each step's arguments and of goal, context and metadata, once without spaces and
once with one behind each colon and comma. A finding names the kind of secret and its length and never shows any of it. \`--fix\` puts \`\${context.NAME}\` in its place
in arguments, where the dialect has references; whoever runs the plan must then provide it. Elsewhere, within a reference, and in ids, names of tools and goals it is left to people.`,
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
  const found: { readonly value: FoundValue; readonly secret: FoundSecret }[] = [];
  visitValues(root, document.text, (value) => {
    for (const secret of secretsOf(value)) found.push({ value, secret });
  });
  if (found.length === 0) return;
  const names = contextNames();
  const isFixable = fixablePlaces(subject);
  for (const { value, secret } of found) {
    const text = textAt(value.node, secret);
    const region = regionOfSecret(subject, value, secret);
    const canFix = !value.isKey && isFixable(value.node, secret);
    yield {
      message: messageOf(secret, text),
      about: aboutOf(secret, text),
      region,
      fix: canFix ? () => [editOf(value.node, region, names.nameOf(secret.name, text))] : undefined,
    };
  }
  yield* repeated(
    subject,
    root,
    new Map(found.map(({ value, secret }) => [textAt(value.node, secret), secret])),
  );
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
    for (const [text, { kind, name }] of known) {
      const start = value.node.value.indexOf(text);
      if (start === -1) continue;
      const secret = { kind, name, start, end: start + text.length };
      if (secretsOf(value).some((own) => own.start < secret.end && secret.start < own.end)) continue;
      const region = regionOfSecret(subject, value, secret);
      again.push({
        message: `${messageOf(secret, text)}, said again`,
        about: [...aboutOf(secret, text), 'again'],
        region,
      });
    }
  });
  yield* again;
}

function regionOfSecret({ read }: Subject, { node, path }: FoundValue, { start, end }: FoundSecret): Region {
  const { document, body } = read;
  const pointer = pointerTo(body, ...keysOfPath(path));
  if (node.kind !== 'string') return { pointer, start: node.start, end: node.end };
  return { pointer, start: rawOffset(document.text, node, start), end: rawOffset(document.text, node, end) };
}

/** A shorter secret may be a word of any text. */
const LEAST_REPEATED = 6;
/** So many secrets are looked for again; a plan of more has worse troubles. */
const MOST_REPEATED = 50;

/**
 * Whether a secret may be mended: in arguments, where references are put in, of a dialect that has them. Never within
 * a reference, and never an id, a tool's name, a goal or any other text, for there nothing would be put in again.
 */
function fixablePlaces({ read, nodeAt, scopes }: Subject) {
  const syntax = dialectOf(read.dialect).references;
  const pointers = scopes.flatMap(({ steps, plan, pointer: scope }) => [
    ...(plan.preconditions ?? []).map((_, index) => `${scope}/preconditions/${index}/args`),
    ...steps.flatMap(({ step, pointer }) => [
      `${pointer}/args`,
      ...(['preconditions', 'verifications'] as const).flatMap((part) =>
        (step[part] ?? []).map((_, index) => `${pointer}/${part}/${index}/args`),
      ),
    ]),
  ]);
  let ranges: readonly JsonNode[] | undefined;
  return (node: JsonNode, { start, end }: FoundSecret): boolean => {
    if (!syntax.dollarBraces) return false;
    ranges ??= pointers.flatMap((region) => nodeAt(region) ?? []);
    if (!ranges.some((range) => range.start <= node.start && node.end <= range.end)) return false;
    const references = node.kind === 'string' ? referencesOf(node.value, { syntax }) : [];
    return references.every((reference) => reference.end <= start || end <= reference.start);
  };
}

/** A number becomes a string: a reference is one. */
function editOf({ kind }: JsonNode, { start, end }: Region, name: string): TextEdit {
  const reference = `\${context.${name}}`;
  return { start, end, text: kind === 'number' ? JSON.stringify(reference) : reference };
}

/** What is said of a secret: nothing of its text. */
function messageOf({ kind }: FoundSecret, text: string): string {
  return `a raw secret: ${kind}, ${text.length} characters`;
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
  return {
    nameOf(wanted, text) {
      const known = byText.get(text);
      if (known !== undefined) return known;
      let name = wanted;
      for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
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
      const message = `this matches ${JSON.stringify(pattern.source)} of the policy's deny_tokens_regex (${length} characters)`;
      const region = placeOf(flatJson(value, pointer, spaced).pointerAt(match.start));
      yield { message, about: [pattern.source, length], region };
    }
  }
}
