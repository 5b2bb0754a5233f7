import { rootOf } from '../../plan/plan.js';
import { plainText } from './finding.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

const TESTS =
  '(?:all |the |its ){0,2}(?:(?:unit|integration|new|automated|relevant|e2e|end-to-end) ){0,2}(?:tests?|test suite|checks)';
const WHAT =
  '(?:it|everything|all|this|that|the (?:goal|task|step|work|feature|code|system|app|application|service|solution|implementation|function|change|project|result))';
const WORKS =
  '(?:works?|is working|functions|runs|is done|are done|is complete|is completed|is finished|is implemented|is ready|is ok|is good|behaves|has been (?:done|completed|implemented|finished))';
const WELL =
  '(?: (?:as (?:expected|intended|designed|required|planned|it should)|correctly|properly|fine|well|successfully|without (?:errors|problems|issues))){0,2}';
const CIRCULAR: readonly RegExp[] = [
  `${TESTS} (?:pass|passes|are green|is green|succeed|succeeds|are passing|run)${WELL}`,
  `${WHAT} ${WORKS}${WELL}`,
  `(?:works|done|completed?|finished|implemented|ok|tested)${WELL}`,
  '(?:no|without) (?:errors|bugs|problems|issues)',
].map((pattern) => new RegExp(`^(?:${pattern})$`, 'u'));
/** Work of which it is the result that tests that were there before pass still, or again. */
const TESTED_WORK =
  /\b(?:tests?|testing|suite|ci|refactor\w*|upgrad\w*|updat\w*|bump\w*|renam\w*|mov(?:e|ing)|migrat\w*|port|fix\w*|repair\w*|replac\w*|extract\w*|delet\w*|remov\w*|clean\w*|split\w*)\b/u;

/** Whether a check says nothing beside that the goal is done: “it works”, “the tests pass”, or the goal's own words. */
export function isCircular(check: string, description: string): boolean {
  const text = plainText(check);
  const goal = plainText(description);
  if (text === goal) return true;
  if (!CIRCULAR.some((pattern) => pattern.test(text))) return false;
  return !(/\b(?:tests?|suite|checks)\b/u.test(text) && TESTED_WORK.test(goal));
}

/** A goal that is itself a check, or a text that says how one is made. */
const OWN_CHECK =
  /^(?:verify|check|test|confirm|ensure|make sure|compare|review|validate|rehearse|inspect|try|measure|proofread|audit|run)\b/u;
const TOLD =
  /\b(?:acceptance|accepted|done when|verif\w*|test\w*|expect\w*|must|should|shall|so that|until)\b/iu;

/** More leaves without a check than this, and most of all, are one finding. */
const MANY = 4;

/** Finds leaves of which nothing says when they are done. */
export function uncheckedLeaves(checked: CheckedPlan): readonly JudgementFinding[] {
  const { leaves, plan, named, numberOf } = checked;
  const lacking = leaves.filter(
    ({ acceptance = [], action_plans = [], checks = [], description, detail = '' }) =>
      acceptance.length === 0 &&
      checks.length === 0 &&
      action_plans.length === 0 &&
      !OWN_CHECK.test(plainText(description)) &&
      !TOLD.test(detail),
  );
  if (lacking.length > MANY && lacking.length * 2 > leaves.length)
    return [
      {
        code: 'NO_CHECK',
        goal: rootOf(plan).id,
        goals: lacking.map(({ id }) => id),
        message: `${lacking.length} of ${leaves.length} open goals do not say when they are done`,
        hint: 'Say of each when it is done: plan edit GOAL --acceptance "…"',
      },
    ];
  return lacking.map((leaf) => ({
    code: 'NO_CHECK',
    goal: leaf.id,
    goals: [],
    message: `nothing says when ${named(leaf)} is done`,
    hint: `Say when it is done: plan edit ${numberOf(leaf)} --acceptance "…"`,
  }));
}

/** Finds leaves whose checks say no more than that they are done. */
export function circularChecks({ leaves, named, numberOf }: CheckedPlan): readonly JudgementFinding[] {
  return leaves
    .filter(({ acceptance = [], description }) => {
      return acceptance.length > 0 && acceptance.every((check) => isCircular(check, description));
    })
    .map((leaf) => ({
      code: 'CIRCULAR_CHECK',
      goal: leaf.id,
      goals: [],
      message: `the check of ${named(leaf)} says only that it is done: ${plainText((leaf.acceptance ?? []).join('; '))}`,
      hint: `Say what somebody else can see: plan edit ${numberOf(leaf)} --acceptance "…"`,
    }));
}
