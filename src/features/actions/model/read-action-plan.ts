import { PlanError } from '../../../kernel/errors.js';
import { ambiguitiesOf, repeatedKeys } from './ambiguities.js';
import type { ActionPlan } from './action-plan.js';
import { DIALECT_NAMES } from './dialect.js';
import type { Dialect, DialectName } from './dialect.js';
import { lossesOf } from '../convert/lost-before.js';
import type { Loss } from '../convert/losses.js';
import { openSlots } from '../convert/slots.js';
import { dialectOf, DIALECTS } from './dialects.js';
import { readJsonDocument } from '../../../kernel/json/json-document.js';
import type { JsonDocument, TextPosition } from '../../../kernel/json/json-document.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { valueOfTree } from '../../../kernel/json/json-tree.js';
import { beginReading } from './reading.js';
import type { ReadingProblem } from './reading.js';
import { createSourceMap } from './source-map.js';

export interface ReadOptions {
  /** The dialect; found by the shape of the document when it is left out. */
  readonly format?: DialectName | undefined;
  /** The text of `*.ext.json` beside an Obsidian plan: what the plan has no place for. */
  readonly sidecar?: string | undefined;
}

/** A problem with its place in the text. */
export interface PlacedProblem extends ReadingProblem, TextPosition {}

/** An action plan as it was read, and all that is needed to point into its document or to write it again. */
export interface ReadActionPlan {
  readonly dialect: DialectName;
  /** Which of the dialect's spellings it is (Plan-Lint: `args` or `parameters`), else null. */
  readonly variant: string | null;
  readonly plan: ActionPlan;
  readonly document: JsonDocument;
  /** Where in the document the plan is; not empty where it is wrapped. */
  readonly body: JsonPointer;
  /** The text beside the document that was read with it, or null. */
  readonly sidecar: string | null;
  /** What the plan lost when it was converted before, as far as it says so. */
  readonly losses: readonly Loss[];
  /** What the dialect's own schema refuses although it could be read, such as an unknown key in an Obsidian plan. */
  readonly deviations: readonly PlacedProblem[];
  /** From a place in the model (`/steps/0/args/query`) to the pointer of the document. */
  pointerOf(model: JsonPointer): JsonPointer;
  /** Line and column of a place in the model, or of the nearest one around it. */
  positionOf(model: JsonPointer): TextPosition;
}

/** What became of reading: a plan, or why there is none. */
export type ExaminedActionPlan =
  | ReadActionPlan
  | {
      readonly plan: null;
      readonly dialect: DialectName;
      readonly document: JsonDocument;
      /** At least one. */
      readonly problems: readonly PlacedProblem[];
    };

/**
 * Reads an action plan of any dialect.
 * @throws PlanError INVALID_INPUT, with line and column: no JSON, no action plan, or one that its dialect does
 *   not allow (`details.problems` has each problem with its pointer); UNSUPPORTED_VERSION for a version that is too new
 */
export function readActionPlan(text: string, options: ReadOptions = {}): ReadActionPlan {
  const examined = examineActionPlan(text, options);
  if (examined.plan !== null) return examined;
  const { dialect, problems } = examined;
  const [first, ...more] = problems;
  const { line = 1, column = 1, pointer = '', message = 'it cannot be read' } = first ?? {};
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  throw new PlanError(
    'INVALID_INPUT',
    `line ${line}, column ${column}: ${message} (${pointer === '' ? 'the whole' : pointer}, read as ${dialect})${others}`,
    {
      hint: { commandLine: '--dialect reads it as another one; `plan lint` lists every problem.' },
      // What `plan lint` reports for the same document.
      details: { rule: 'SCHEMA_INVALID', dialect, line, column, problems: problems.slice(0, 50) },
    },
  );
}

/**
 * Like {@link readActionPlan}, but problems of the plan are returned and not thrown.
 * @throws PlanError INVALID_INPUT for what is no JSON or has no shape of any dialect, UNSUPPORTED_VERSION
 */
export function examineActionPlan(text: string, options: ReadOptions = {}): ExaminedActionPlan {
  const document = readJsonDocument(text);
  const { dialect, body } = findPlan(document, options.format);
  const node = document.at(body) ?? document.root;
  const reading = beginReading();
  const placed = (problem: ReadingProblem): PlacedProblem => ({
    ...problem,
    ...document.positionAt(problem.pointer),
  });
  const { plan: said, variant } = dialect.read({ node, pointer: body }, reading);
  const problems = [
    ...ambiguitiesOf(document, body).map(({ offset, ...problem }) => ({
      ...problem,
      ...document.positionOf(offset),
    })),
    ...reading.problems.map(placed),
  ];
  if (problems.length > 0) return { plan: null, dialect: dialect.name, document, problems };
  const sidecar = options.sidecar === undefined ? undefined : sidecarValue(options.sidecar);
  const plan = openSlots(said, dialect, sidecar);
  const sources = createSourceMap(reading.sources);
  const pointerOf = (model: JsonPointer) => sources.pointerOf(model);
  return {
    dialect: dialect.name,
    variant,
    plan,
    document,
    body,
    sidecar: options.sidecar ?? null,
    losses: lossesOf(plan, said, dialect),
    deviations: reading.deviations.map(placed),
    pointerOf,
    positionOf: (model) => document.positionAt(pointerOf(model)),
  };
}

/** What is beside a plan. @throws PlanError INVALID_INPUT for what is no JSON, and for a key that is there twice */
function sidecarValue(text: string): JsonValue {
  const document = documentBeside(text);
  const { value: ambiguity } = repeatedKeys(document.root).next();
  if (ambiguity === undefined) return valueOfTree(document.root);
  const { line, column } = document.positionOf(ambiguity.offset);
  throw new PlanError('INVALID_INPUT', `${BESIDE}: line ${line}, column ${column}: ${ambiguity.message}`, {
    hint: ['Remove one of the two.'],
    details: { line, column },
  });
}

const BESIDE = 'the file *.ext.json beside it cannot be read';

function documentBeside(text: string): JsonDocument {
  try {
    return readJsonDocument(text);
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    const { code, message, hintParts: hint, details } = thrown;
    throw new PlanError(code, `${BESIDE}: ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      details,
      cause: thrown,
    });
  }
}

function findPlan(
  document: JsonDocument,
  format: DialectName | undefined,
): { readonly dialect: Dialect; readonly body: JsonPointer } {
  if (format !== undefined) {
    const dialect = dialectOf(format);
    return { dialect, body: dialect.find(document.root) ?? '' };
  }
  for (const dialect of DIALECTS) {
    const body = dialect.find(document.root);
    if (body !== null) return { dialect, body };
  }
  throw new PlanError('INVALID_INPUT', 'line 1, column 1: this does not look like an action plan', {
    hint: { commandLine: `Name the dialect with --dialect: ${DIALECT_NAMES.join(', ')}.` },
    details: { line: 1, column: 1 },
  });
}
