import { isDeepStrictEqual } from 'node:util';

import type { PlanError } from '../../kernel/errors.js';
import { sourceOfDigests, sourceOfResult } from '../../work/digests/digest-source.js';
import type { DigestSource } from '../../work/digests/digest-source.js';
import { extractDigest, ratedDigest } from '../../work/digests/extract-digest.js';
import type { MeasuredDigest } from '../../work/digests/extract-digest.js';
import { measureFidelity } from '../../work/digests/fidelity.js';
import type { Fidelity } from '../../work/digests/fidelity.js';
import { countTokens } from '../../llm/spend/tokens.js';
import type { Result } from '../../plan/events/result.js';
import { namedGoal } from '../../plan/goal-in-words.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Digest, Goal, Usage, Warning } from '../../plan/schema.js';
import type { DigestOutcome } from '../../work/digests/model-digester.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { createDigestModel } from './digest-model.js';
import type { DigestModelOptions } from './digest-model.js';
import { goalsAskedAbout, submittedResults } from './digest-history.js';
import type { Emit } from '../planning/planning-progress.js';
import { appendAndTell } from '../planning/run/append-and-tell.js';
import { wordRefusal } from '../../plan/refusals.js';

export interface DigestWorkOptions extends DigestModelOptions {
  /** What was submitted, by goal; read from the log when it is not given. */
  readonly results?: ReadonlyMap<string, Result> | undefined;
}

/** What became of a goal. */
export interface MadeDigest {
  readonly goal: string;
  /** null where there is nothing to make one of. */
  readonly digest: Digest | null;
  readonly madeBy: 'model' | 'extraction' | null;
  /** null where the source of a digest is not in the log. */
  readonly fidelity: Fidelity | null;
}

/** Making digests for one plan. */
export interface DigestWork {
  /**
   * Digests goals from the deepest up, each from what is stored by then. Of the digest that is there, one made of the
   * source's own sentences and, with a model, its reply, the one that keeps most is stored.
   */
  run(goals: readonly string[]): Promise<readonly MadeDigest[]>;
  /** Measures a digest as it is. */
  measure(goal: string): Promise<MadeDigest>;
  /** Why the model was not asked any further. */
  readonly stopped: PlanError | null;
}

type MadeBy = NonNullable<MadeDigest['madeBy']>;

interface Candidate extends MeasuredDigest {
  readonly madeBy: MadeBy | null;
}

/** Makes digests and stores each as soon as it is made. */
export function createDigestWork(log: PlanLog, options: DigestWorkOptions): DigestWork {
  const { emit } = options;
  let reading: Promise<ReadonlyMap<string, Result>> | undefined;
  let askedAbout: Promise<ReadonlySet<string>> | undefined;
  const model = createDigestModel(log, options);

  return {
    get stopped() {
      return model.stopped;
    },
    async run(goals) {
      const made: MadeDigest[] = [];
      for (const level of byDepth(log.plan, goals))
        for (const one of await pooled(level, digestOne)) if (one !== null) made.push(one);
      const order = new Map(goals.map((id, index) => [id, index]));
      return made.sort((a, b) => (order.get(a.goal) ?? 0) - (order.get(b.goal) ?? 0));
    },
    async measure(id) {
      const digest = log.plan.goals.get(id)?.digest ?? null;
      const source = await sourceOf(id);
      const measured = source === null || digest === null ? null : measureFidelity(source, digest);
      return { goal: id, digest, madeBy: null, fidelity: measured };
    },
  };

  /** @returns null for a goal that another process has taken away meanwhile */
  async function digestOne(id: string): Promise<MadeDigest | null> {
    const before = log.plan.goals.get(id)?.digest;
    if (before === undefined) return null;
    const source = await sourceOf(id);
    if (source === null) return { goal: id, digest: before, madeBy: null, fidelity: null };
    if (before !== null && options.connect === null && (await isAModels(id)))
      return { goal: id, digest: before, madeBy: null, fidelity: measureFidelity(source, before) };
    const extracted: Candidate = { ...(await extractDigest(source, countTokens)), madeBy: 'extraction' };
    const candidates = [extracted];
    if (before === null) await storeDigest(log, emit, { goal: id, made: extracted, madeBy: 'extraction' });
    else candidates.push({ ...(await remeasured(source, before)), madeBy: null });
    // Of a digest that has lost nothing there is no better one.
    const asked = candidates.some(({ fidelity }) => fidelity.score === 1)
      ? null
      : await model.ask(id, source);
    if (asked?.kind === 'digest') candidates.push({ ...asked.made, madeBy: 'model' });
    const best = candidates.reduce((one, other) => (isBetter(other, one) ? other : one));
    const answered = asked?.kind === 'digest' || asked?.kind === 'rejected' ? asked : null;
    const stored = log.plan.goals.get(id)?.digest;
    if (answered !== null || !isDeepStrictEqual(best.digest, stored))
      await storeDigest(log, emit, {
        goal: id,
        made: best,
        madeBy: best.madeBy ?? 'extraction',
        asked: answered,
      });
    else if (asked !== null && asked.usage.calls > 0) await storePaidInVain(log, emit, id, asked.usage);
    return { goal: id, digest: best.digest, madeBy: best.madeBy, fidelity: best.fidelity };
  }

  /** Whether a model was asked about what was submitted with a leaf: nothing better comes of that without one. */
  async function isAModels(id: string): Promise<boolean> {
    if ((log.plan.goals.get(id)?.child_ids.length ?? 0) > 0) return false;
    askedAbout ??= goalsAskedAbout(log);
    return (await askedAbout).has(id);
  }

  async function sourceOf(id: string): Promise<DigestSource | null> {
    const goal = log.plan.goals.get(id);
    if (goal === undefined) return null;
    if (goal.child_ids.length > 0) return sourceOfChildren(log.plan, goal);
    reading ??= options.results === undefined ? submittedResults(log) : Promise.resolve(options.results);
    return sourceOfResult((await reading).get(id));
  }
}

interface NewDigest {
  readonly goal: string;
  readonly made: MeasuredDigest;
  readonly madeBy: MadeBy;
  /** What the model was asked and answered, with its cost. */
  readonly asked?: DigestOutcome | null;
}

async function storeDigest(
  log: PlanLog,
  emit: Emit,
  { goal, made, madeBy, asked = null }: NewDigest,
): Promise<void> {
  const spent = asked === null ? {} : { usage: asked.usage, warnings: warningsOf(goal, asked) };
  const event = { type: 'goal_digested', goal, digest: made.digest, made_by: madeBy, ...spent } as const;
  const [outcome] = await appendAndTell(log, [event], emit);
  if (outcome !== undefined && outcome.refused !== null)
    emit({ type: 'notice', message: wordRefusal(outcome.refused, (id) => namedGoal(log.plan, id)) });
}

/** Counts what asking has cost although nothing came of it; the model will be asked again another time. */
async function storePaidInVain(log: PlanLog, emit: Emit, goal: string, usage: Usage): Promise<void> {
  await appendAndTell(log, [{ type: 'usage_added', goal, because: 'asked for a digest', usage }], emit);
}

function sourceOfChildren(plan: Plan, { child_ids }: Goal): DigestSource {
  const children = child_ids.map((id) => goalOf(plan, id));
  return sourceOfDigests(
    children.map(
      ({ digest, description }) => digest ?? { summary: description, key_decisions: [], artifacts: [] },
    ),
  );
}

async function remeasured(source: DigestSource, digest: Digest): Promise<MeasuredDigest> {
  const measured = await ratedDigest(source, digest, measureFidelity(source, digest), countTokens);
  return { ...measured, digest: { ...digest, ...measured.digest } };
}

// A model's digest that says nothing false stays: a score that counts facts rewards lists of them. Of the others the one that keeps more.
function isBetter(candidate: Candidate, than: Candidate): boolean {
  if (candidate.madeBy === 'model' || than.madeBy === 'model') return candidate.madeBy === 'model';
  return candidate.fidelity.score > than.fidelity.score;
}

function warningsOf(goal: string, asked: DigestOutcome): Warning[] {
  if (asked.kind === 'digest') return asked.warnings.map((warning) => ({ ...warning, goal_id: goal }));
  if (asked.kind === 'rejected') {
    const message = `the model’s digest was no good: ${asked.reason}`;
    return [{ code: `digest_${asked.code}`, goal_id: goal, message }];
  }
  return [];
}

/** Goals in groups of the same depth, the deepest first. */
function byDepth(plan: Plan, goals: readonly string[]): readonly (readonly string[])[] {
  const levels = new Map<number, string[]>();
  for (const id of goals) {
    const depth = plan.goals.get(id)?.depth ?? 0;
    levels.set(depth, [...(levels.get(depth) ?? []), id]);
  }
  return [...levels.entries()].sort(([a], [b]) => b - a).map(([, level]) => level);
}

/** How many goals are digested at once; the model's own limit may be lower. */
const AT_ONCE = 8;

async function pooled<T>(ids: readonly string[], work: (id: string) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  const waiting = ids.values();
  const worker = async (): Promise<void> => {
    for (const id of waiting) results.push(await work(id));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
