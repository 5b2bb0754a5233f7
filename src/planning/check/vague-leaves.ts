import { ancestors, siblings } from '../../plan/tree.js';
import type { Goal } from '../../plan/schema.js';
import { isFiller } from '../sanitize/filler.js';
import { isCircular } from './weak-checks.js';
import { plainText } from './finding.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

const VERBS =
  'polish|tidy|clean|refine|improve|enhance|optimi[sz]e|finali[sz]e|handle|fix|address|resolve|deal with|take care of|tweak|fine-?tune';
const DETERMINERS = 'the|any|all|our|remaining|various|minor|small|other|some|last|final|overall|of|general';
/** What every piece of work has. */
const NOUNS =
  'edge cases?|corner cases?|details?|issues?|bugs?|problems?|errors?|exceptions?|rough edges|loose ends|feedback|things?|stuff|everything|it|' +
  'code|codebase|ui|ux|app|application|system|project|performance|quality|design|user experience|look and feel|rest|work|product|site|website';
const OBJECT = `(?:(?:${DETERMINERS}) ){0,3}(?:${NOUNS})`;
const OBJECTS = `${OBJECT}(?:(?:,|,? and|,? or|/) ${OBJECT}){0,3}`;
const ALONE =
  'polish(?:ing)?|touches|clean-?up|tidying up|tweaks?|(?:bug )?fixe?s?|bug ?fixing|improvements?|refinements?|optimi[sz]ations?|miscellaneous|misc|etc|tbd|todo|stuff|loose ends|edge cases|error handling|other (?:tasks|things|work)';
const VAGUE: readonly RegExp[] = [
  `(?:${VERBS})(?: (?:up|out|off))?(?: ${OBJECTS})?`,
  `(?:(?:final|finishing|last|general|minor|various|misc|miscellaneous|some|other|any|small|ui|add) ){0,3}(?:${ALONE})(?:(?:,|,? and|,? or) (?:${ALONE})){0,3}`,
].map((pattern) => new RegExp(`^(?:${pattern})$`, 'u'));

/** Goals beside one that are looked at. */
const MOST_BESIDE = 50;

/** Finds leaves that name no output, and say nothing else of when they are done. */
export function vagueLeaves(checked: CheckedPlan): readonly JudgementFinding[] {
  return checked.leaves
    .filter((leaf) => isVague(checked, leaf))
    .map((leaf) => ({
      code: 'VAGUE_LEAF',
      goal: leaf.id,
      goals: [],
      message: `${checked.named(leaf)} names nothing that will be there when it is done`,
      hint: `Say what is to come of it: plan edit ${checked.numberOf(leaf)} --description "…"`,
    }));
}

function isVague({ plan }: CheckedPlan, leaf: Goal): boolean {
  if (leaf.detail !== undefined) return false;
  if ((leaf.acceptance ?? []).some((check) => !isCircular(check, leaf.description))) return false;
  const text = plainText(leaf.description);
  if (VAGUE.some((pattern) => pattern.test(text))) return true;
  if (!isFiller(leaf.description, [])) return false;
  const above = ancestors(plan, leaf).map(({ description }) => description);
  const beside = siblings(plan, leaf).slice(0, MOST_BESIDE);
  return isFiller(leaf.description, [
    ...above,
    ...beside.map(({ description }) => description.trim().replace(/^\S+/u, '')),
  ]);
}
