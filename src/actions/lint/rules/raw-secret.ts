import { isJsonObject } from '../../json-value.js';
import type { JsonValue } from '../../json-value.js';
import { dialectOf } from '../../dialects.js';
import { pointerTo } from '../../json-pointer.js';
import type { JsonPointer } from '../../json-pointer.js';
import type { JsonNode } from '../../json-scanner.js';
import { textOfJson } from '../../json-tree.js';
import type { Observation } from '../finding.js';
import { flatJson } from '../flat-json.js';
import { rawOffset } from '../raw-offset.js';
import type { Rule } from '../rule.js';
import { secretsIn } from '../secrets.js';
import type { FoundSecret } from '../secrets.js';
import type { Subject } from '../subject.js';

/** RAW_SECRET: a secret that stands in the plan itself. */
export const rawSecret: Rule = {
  id: 'RAW_SECRET',
  severity: 'error',
  summary: 'a secret in the plan itself',
  explanation: `A plan is stored, shown, logged and sent to models; a secret in it is a secret no more. Built-in detectors know keys and tokens
of AWS, GitHub, GitLab, Slack, OpenAI, Anthropic, Stripe, Google, npm, PyPI, SendGrid, Twilio, Azure and Hugging Face, JSON Web
Tokens, PEM blocks, bearer and basic credentials, passwords in URLs, and the values of keys such as \`password\` or \`api_key\`; they look at every
string of the plan. The policy's \`deny_tokens_regex\` are matched against the JSON text, without spaces, of each step's arguments and of
goal, context and metadata. A reference (\`\${context.token}\`), a placeholder and a plain hash (MD5, SHA) are no secrets. A finding names the
kind of secret and its length and never shows any of it. \`--fix\` puts \`\${context.NAME}\` in its place, where the dialect has references and
the secret does not stand in the context itself; whoever runs the plan must then provide it.`,
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

function* detected({ read, nodeAt }: Subject): Generator<Observation> {
  const { document, body } = read;
  const root = document.at(body) ?? document.root;
  const context = nodeAt('/context');
  const names = contextNames();
  const canRefer = dialectOf(read.dialect).references.dollarBraces;
  for (const { node, keys, key } of strings(root)) {
    for (const secret of secretsIn(node.value, key)) {
      const start = rawOffset(document.text, node, secret.start);
      const end = rawOffset(document.text, node, secret.end);
      const inContext = context !== null && context.start <= start && end <= context.end;
      const text = node.value.slice(secret.start, secret.end);
      yield {
        message: messageOf(secret, text),
        place: { pointer: pointerTo(body, ...keys()), start, end },
        fix:
          canRefer && !inContext
            ? () => [{ start, end, text: `\${context.${names.nameOf(secret.name, text)}}` }]
            : undefined,
      };
    }
  }
}

/** What is said of a secret: nothing of its text. */
function messageOf({ kind }: FoundSecret, text: string): string {
  return `a raw secret: ${kind}, ${text.length} characters`;
}

interface FoundString {
  readonly node: JsonNode & { readonly kind: 'string' };
  readonly keys: () => readonly (string | number)[];
  /** The key that it is the value of, or whose list it stands in. */
  readonly key: string | null;
}

/** Every string of a tree with its place. */
function* strings(
  node: JsonNode,
  key: string | null = null,
  keys: () => readonly (string | number)[] = () => [],
): Generator<FoundString> {
  if (node.kind === 'string') yield { node, keys, key };
  else if (node.kind === 'array')
    for (const [index, element] of node.elements.entries())
      yield* strings(element, key, () => [...keys(), index]);
  else if (node.kind === 'object')
    for (const member of node.members)
      yield* strings(member.value, member.key, () => [...keys(), member.key]);
}

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
    for (const pattern of policy.patterns) {
      const match = pattern.find(text);
      if (match === null) continue;
      const message = `this matches ${JSON.stringify(pattern.source)} of the policy's deny_tokens_regex (${match.end - match.start} characters)`;
      yield { message, place: placeOf(flatJson(value, pointer).pointerAt(match.start)) };
    }
  }
}
