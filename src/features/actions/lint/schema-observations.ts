import type { DialectName } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import type { JsonDocument } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import type { Region, Observation } from './finding.js';

/** What of a document is needed to judge its form, also where it could not be read as a plan. */
export interface DocumentForm {
  readonly document: JsonDocument;
  readonly dialect: DialectName;
  readonly variant: string | null;
  /** Where in the document the plan is. */
  readonly body: JsonPointer;
}

/**
 * Everything that is wrong with the form of a plan: what its reader noted, and what makes a Plan-Lint plan
 * incomplete. Steps that have `args` for `parameters` or the other way round are named as such, with the fix.
 */
export function schemaObservations(
  form: DocumentForm,
  noted: readonly { readonly pointer: JsonPointer; readonly message: string }[],
): readonly Observation[] {
  const swapped = swappedPayloads(form);
  // Such a step lacks the right word as well, and the wrong one is unknown: that is one mistake.
  const explained = new Set(swapped.flatMap(({ step, region }) => [step, region.pointer]));
  const own = form.dialect === 'plan-lint' ? planLintGaps(form) : [];
  return [
    ...swapped,
    ...own.filter(({ region }) => !explained.has(region.pointer)),
    ...noted
      .filter(({ pointer }) => !explained.has(pointer))
      .map(({ pointer, message }) => ({
        message,
        // Whoever reads a plan says in words what is wrong with it, without a line.
        about: [message],
        region: regionOfObservation(form.document, pointer),
      })),
  ];
}

/** The region of a mistake in a document: that of a pointer, or of the nearest node above it that is there. */
export function regionOfObservation(document: JsonDocument, pointer: JsonPointer): Region {
  let at = pointer;
  let node = document.at(at);
  while (node === null) {
    at = at.slice(0, at.lastIndexOf('/'));
    node = document.at(at);
  }
  return { pointer: at, start: node.start, end: node.end };
}

interface SwappedPayload extends Observation {
  readonly step: JsonPointer;
}

function swappedPayloads(form: DocumentForm): readonly SwappedPayload[] {
  const wanted = payloadKey(form);
  if (wanted === null) return [];
  const other = wanted === 'args' ? 'parameters' : 'args';
  return stepsOf(form).flatMap(({ node, pointer }) => {
    const member =
      node.kind === 'object' && memberOf(node, wanted) === null
        ? node.members.findLast(({ key }) => key === other)
        : undefined;
    if (member === undefined) return [];
    const range = { start: member.keyStart, end: member.keyEnd };
    return [
      {
        step: pointer,
        message: `this plan says "${wanted}" and not "${other}"`,
        about: [wanted, other],
        region: { pointer: pointerTo(pointer, other), ...range },
        fix: () => [{ ...range, text: JSON.stringify(wanted) }],
      },
    ];
  });
}

/** What a plan calls the arguments of its steps; null where the dialect has other names. */
function payloadKey({ dialect, variant }: DocumentForm): 'args' | 'parameters' | null {
  if (dialect === 'obsidian' || dialect === 'frctl') return 'args';
  return variant === 'args' || variant === 'parameters' ? variant : null;
}

/** Plan-Lint's schema wants a payload in each step and, where the payload is `args`, a goal. */
function planLintGaps(form: DocumentForm): readonly Observation[] {
  const { document, body, variant } = form;
  const plan = document.at(body);
  const goal =
    variant === 'args' && plan !== null && memberOf(plan, 'goal') === null
      ? [
          {
            message:
              'goal is missing, which Plan-Lint asks for (frctl’s own form has a schema_version, and needs none)',
            about: ['goal'],
            region: regionOfObservation(document, body),
          },
        ]
      : [];
  const payloads = stepsOf(form).filter(
    ({ node }) =>
      node.kind === 'object' && memberOf(node, 'args') === null && memberOf(node, 'parameters') === null,
  );
  return [
    ...goal,
    ...payloads.map(({ pointer }) => ({
      message: `${variant ?? 'parameters'} is missing`,
      about: [variant ?? 'parameters'],
      region: regionOfObservation(document, pointer),
    })),
  ];
}

function stepsOf({
  document,
  body,
}: DocumentForm): readonly { readonly node: JsonNode; readonly pointer: JsonPointer }[] {
  const pointer = pointerTo(body, 'steps');
  const steps = document.at(pointer);
  if (steps?.kind !== 'array') return [];
  return steps.elements.map((node, index) => ({ node, pointer: pointerTo(pointer, index) }));
}
