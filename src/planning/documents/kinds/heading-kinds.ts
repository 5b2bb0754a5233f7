import {
  ACCEPTANCE_ABROAD,
  ACTIONS_ABROAD,
  AIMS_ABROAD,
  CONTAINER_ABROAD,
  CONTEXT_ABROAD,
  EASTERN,
  OUT_OF_SCOPE_ABROAD,
} from './section-names-abroad.js';
import { isClearClause, phraseOf } from '../english/phrase.js';
import { standingBeside, standingOfSection } from './standing-words.js';
import { ACCEPTANCE, AIMS, CONTAINER, CONTEXT, OUT_OF_SCOPE, README, WEAK } from './section-names.js';

/** What the part of a document below a heading is to a plan. */
export type SectionKind =
  /** Told to whoever plans or works, and no goal. */
  | 'context'
  /** What must not be planned. */
  | 'out_of_scope'
  /** How one can tell that what it stands under is done. */
  | 'acceptance'
  /** Aims: context where the document names the work elsewhere. */
  | 'aims'
  /** Names work by its kind alone: without goals below it nobody could start on it. */
  | 'container'
  | 'work';

/** Characters of a heading that tell what it names: no name is longer, and patterns have no room for megabytes. */
const LONGEST_HEADING = 1000;
const NUMBER = /^(?:(?:section|chapter|part)\s+)?(?:\d+(?:\.\d+)*|[ivx]+(?=[.):])|[a-z](?=[.)]\s))[.):]?\s+/;
const weak = new Set(entries(WEAK, 'context').map(([name]) => name));

/** Whether a section of that heading is context only as long as nothing in it reads like work. */
export function isWeakContext(heading: string): boolean {
  const name = normalizedHeading(heading);
  return weak.has(name) || CONSEQUENCES.test(name);
}

const kinds = new Map<string, SectionKind>([
  ...entries(ACTIONS_ABROAD, 'container'),
  ...entries(CONTAINER_ABROAD, 'container'),
  ...entries(AIMS_ABROAD, 'aims'),
  ...entries(CONTEXT_ABROAD, 'context'),
  ...entries(ACCEPTANCE_ABROAD, 'acceptance'),
  ...entries(OUT_OF_SCOPE_ABROAD, 'out_of_scope'),
  ...entries(CONTAINER, 'container'),
  ...entries(AIMS, 'aims'),
  ...entries(CONTEXT, 'context'),
  ...entries(ACCEPTANCE, 'acceptance'),
  ...entries(OUT_OF_SCOPE, 'out_of_scope'),
]);
const readmeHeadings = new Set(entries(README, 'context').map(([name]) => name));

function entries(list: string, kind: SectionKind): readonly (readonly [string, SectionKind])[] {
  return list
    .trim()
    .split(/[|\n]/)
    .map((name) => [normalizedHeading(name), kind] as const);
}

/** Last words of headings that explain, whatever stands before: "Product principles", "Technical risks". */
const EXPLAINS =
  /^(?!(?:add|build|create|define|design|document|fix|improve|implement|make|show|update|write|next|pending|remaining|upcoming)\b).+ (principle|risk|assumption|persona|kpi|vision|glossary|overview|summary|timeline|matrix|statement|rationale|background|finding|question|convention|invariant|consideration|pitfall|gotcha|constraint|troubleshooting|troubleshooting guide|prioritization rule|prioritisation rule|comparison|opportunity|history|diagram|decision|landscape|philosophy|archive|limitation|hypothesis|audience|stakeholder|note)$/;
/** Those of them below which work may stand all the same. */
const MAY_PLAN = /^(?:overview|summary|timeline|finding|matrix|opportunity|limitation|note)$/;
/** Last words of headings that name work by its kind: "Recommended roadmap", "Tactical plan". */
const GROUPS =
  /^(?!(?:add|build|create|define|design|document|fix|improve|implement|make|show|update|write)\b).+ (?:roadmap|backlog|milestone|deliverable|requirement|(?:level|tactical|strategic|action|work|execution|development|build|engineering|delivery|launch|rollout|implementation) (?:plan|phase|task))$/;

/** What the last word of a heading says that is known by nothing else: `weak` where work may stand below it. */
export function kindByLastWord(heading: string): 'context' | 'weak' | 'container' | undefined {
  const name = normalizedHeading(heading);
  if (GROUPS.test(name)) return 'container';
  const last = EXPLAINS.exec(name)?.[1];
  if (last === undefined || isClearClause(phraseOf(heading))) return undefined;
  return MAY_PLAN.test(last) ? 'weak' : 'context';
}

/** "Launch criteria", "Success criteria of the pilot": how one can tell, whatever stands before. */
const CRITERIA =
  /^(?:\S+ ){0,2}(?<!\b(?:by|for|with|from) )(?:success|acceptance|launch|release|exit|completion|graduation|go live) criteri(?:on|a)(?: (?:for|of|by|per) .{1,40})?$|^(?:do not|don t|never) (?:\S+ ){1,4}(?:if|when|unless|until)\b|^(?:\S+ )?(?:stop ship|release blocking|no go|abort) condition(?: .{1,40})?$|^(?:\S+ ){0,2}(?:validation|verification|safety|acceptance|exit|completion) (?:check ?point|check ?list|gate)(?: \d+)?$|^(?:dod|definition of done|acceptance criteri(?:on|a)|exit criteri(?:on|a)) (?:check ?list|list)$/;
/** "Go/no-go criteria", "Phase transition criteria", "Ready for launch when": told by the last word, unless it is a task. */
const READY =
  /^(?!(?:add|agree|build|create|define|design|document|fix|improve|implement|make|set|show|update|write)\b)(?:(?:\S+ ){0,3}(?:go|transition|readiness|promotion|quality|gate|done|completeness|pass|sign off) criteri(?:on|a)|ready (?:\S+ ){0,4}when)$/;
const AIMED =
  /^(?:learning|engineering|technical|strategic|primary|secondary|overall|long term|short term|quality|performance|security|team|phase|ux|user experience|platform|growth|adoption|beta|public beta|mvp|v\d|non functional|architectural|technology|research|release) (?:goal|objective)$/;

/** "P1 — high impact": how urgent what stands below is. */
const RATED =
  /^p\d(?: (?:highest|high|medium|low|lowest|critical|important|urgent|normal))?(?: (?:impact|priority|value|item|task|feature))?$/;
/** What stands behind a name to say for which release it holds: "Requirements — V1". */
const RELEASE = /^(?:v ?\d|mvp|version|draft|phase|release)\b/;
const EASTERN_SIGN = /[\u3040-\u9fff\uac00-\ud7af]/;
const NOT_HERE =
  /^(?:(?:what (?:s|is|we are|we re|it is|it s|this is) (?:explicitly )?not|explicitly not|out of scope|non goal|not in scope) |(?:what|things?) (?:\S+ ){0,6}(?:not|never|won t|don t)(?: \S+ly)? (?:do|build|become|support|cover|include|add|promise|solve)(?:$| (?:here|in|for|with|and)\b)|(?:deferred|postponed|not planned)(?:$| (?:goal|feature|item|work|task|scope|architecture|to|until|for)\b)|(?:\S+ ){1,4}(?:non goal|out of scope)$|(?:rejected|abandoned|discarded|declined|dropped|cancelled|canceled) (?:idea|feature|item|task|proposal|work|scope|request)$)/;
/** "What does NOT belong to it" in other languages, but not "what does not work", or "what is not ready". */
const NOT_HERE_ABROAD =
  /^was(?: \S+){0,4} nicht(?: \S+){0,2} (?:enthalten|enthält|umfasst|vorgesehen|geplant|dazugehört|gehört|tun|machen|bauen|abgedeckt|abdeckt|behandelt|unterstützt|drin|scope)(?: |$)|^was(?: \S+){0,3} nicht (?:ist|tut|macht)$|^(?:explizit|ausdrücklich|bewusst) nicht(?: |$)|^nicht (?:enthalten|geplant|vorgesehen|im scope)$|^ce (?:que?|qui)(?: \S+){0,4} (?:ne|n) (?:\S+ ){0,3}(?:couvre|couvrira|fera|ferons|faisons|inclut|inclura|inclus|comprend|contient|prévoit|prévu|sera|fait pas)(?: |$)|^(?:lo que|qu[eé])(?: \S+){0,3} no (?:\S+ ){0,2}(?:incluye|incluido|entra|cubre|haremos|hace|hará|contiene|abarca|es)(?: |$)|^o que(?: \S+){0,3} não (?:\S+ ){0,2}(?:inclui|incluído|entra|cobre|faz|faremos|fará|contém|abrange|muda|é)(?: |$)|^что(?: \S+){0,3} не (?:\S+ )?(?:входит|включено|делаем|делает|будет|планируется|поддерживается|является)(?: |$)|^(?:non|no|não) (?:inclu[sií]\S*|prévus?|previst[oa]s?|planead[oa]s?|planejad[oa]s?)$|^не (?:входит|включено|планируется|делаем|будет)|(?:不包括|不涉及|不实现|不實作|不支持|不支援|含まない(?:もの)?|含まれない(?:もの)?|対象としない(?:もの)?|しないこと|포함되지 않는 것|포함하지 않는 것|하지 않는 것) ?(?:的)?(?:内容|內容|功能|事项|事項|機能|항목)?$/;
const NEGATED = /\b(?:non|not|out of|no|won t|wont|without|never)\b|exclud/;
/** "What we will build", "How it needs to change": such headings speak of work. */
const ASKS_FOR_WORK =
  /^(?:what|how|where)(?: \S+)*? (?:will|wants?|needs?|should|must|shall|next|(?:s |is )?left|remains|missing|to (?:add|build|change|do|fix|implement|make))\b|^what s next/;
/** What something leads to, or has led to: as often a list of what is to be changed. */
const CONSEQUENCES = /^(?:(?:impact|effect) on|change (?:from|since))\b/;
const CONTEXT_OPENINGS =
  /^(?:who|what|how|about (?:this|the)|notes? (?:on|for|about)|background|appendix|annex|introduction|list of|acknowledg|when (?:to|you|should)|where (?:it|things?|we|the)\b|before vs|before and after|contributing to|what (?:has )?changed|(?:current|existing|as is) (?:state|implementation|behaviou?r|architecture|situation|setup|process|limitation)s?|(?:current|existing|as is) (?:\S+ )?(?:flow|workflow|stack|system|solution|approach|design|structure|pipeline|infrastructure|component|layout|capability|command|endpoint|feature|feature list|functionality|functionalitie)s?$|affected \S+$|(?:\S+ )?\S+ affected$|(?:\S+ ){1,3}depend on$|(?:core |key )?(?:user|customer) job$|linked \S+$|supported (?:os|platform|version|browser|operating system|device)s?)\b/;

/**
 * What a section is, by its heading alone; whatever is not known is work. In a README what explains the product as it is
 * ("Installation", "Usage") is context too.
 */
export function sectionKind(heading: string, inReadme: boolean): SectionKind {
  const whole = normalizedHeading(heading);
  if (RATED.test(whole)) return 'container';
  const name = whole.replace(/^p\d (?=\S)/, '');
  if (inReadme && readmeHeadings.has(name)) return 'context';
  const [bare = ''] = name.split(/ (?:of|for|in) (?:this|the) /);
  const known =
    kindNamed(name) ??
    kindNamed(
      bare.replace(
        /^(?:the|our|key|core|main|primary|typical|critical|project|product|detailed|general|initial|proposed|possible|potential|explicit|explicitly) | (?:section|indefinitely)$/g,
        '',
      ),
    );
  // "Ideas (not planned)", "Gestrichen".
  const standing = standingOfSection(heading) ?? standingBeside(heading, true)?.standing;
  if (standing === 'dropped') return 'out_of_scope';
  if (known !== undefined) return known;
  const parts = heading
    .slice(0, LONGEST_HEADING)
    .split(
      /(?<!\s)\s+(?:and|&|\+|vs\.?|or|und|et|y|e|и|та|및)\s+|(?:(?<!\s)\s+)?[,/&、・与與和]\s*|(?<=[\u3040-\u9fff])と(?=[\u3040-\u9fff])|(?<!\s)\s+[–—-]\s+|:\s+/i,
    )
    .map(normalizedHeading);
  const found = parts.map(kindNamed);
  if (parts.length > 1 && found.every((kind) => kind !== undefined)) return together(found);
  if (found[0] === 'container' && parts.slice(1).every((part) => RELEASE.test(part))) return 'container';
  const isEastern = found[0] === 'context' && EASTERN_SIGN.test(parts[0] ?? '');
  if (isEastern && !found.includes('container')) return 'context';
  if (parts.length > 1 && /[–—:]|\s-\s/.test(heading) && found[0] !== undefined && found[0] !== 'container')
    return found[0];
  if (NOT_HERE.test(name) || NOT_HERE_ABROAD.test(name)) return 'out_of_scope';
  if (READY.test(name)) return 'acceptance';
  if (CRITERIA.test(name) && !isClearClause(phraseOf(heading))) return 'acceptance';
  if (AIMED.test(name)) return 'aims';
  return /^why\b/.test(name) ||
    ((CONTEXT_OPENINGS.test(name) || CONSEQUENCES.test(name)) &&
      !NEGATED.test(name) &&
      !ASKS_FOR_WORK.test(name)) ||
    /^(?:open|unresolved) question /.test(name)
    ? 'context'
    : 'work';
}

/** Whether a label or a heading says that files are listed below it, whatever is done to them. */
export function namesFiles(heading: string): boolean {
  return /^(?:key |relevant )?file$/.test(normalizedHeading(heading));
}

/** Whether a heading asks what somebody or something does: "What the verifier does", and not "How to read this". */
export function asksWhat(heading: string): boolean {
  return /^(?:what|how) (?!to |it works)/.test(normalizedHeading(heading));
}

/** What a normalized heading names in any language; undefined if it names nothing by itself. */
function kindNamed(name: string): SectionKind | undefined {
  const known = kinds.get(name);
  if (known !== undefined || name.length > 24 || !EASTERN_SIGN.test(name)) return known;
  return EASTERN.find(([, pattern]) => pattern.test(name))?.[0];
}

/** "Risks and mitigations" is context; "Goals and non-goals" holds both and is told by what stands below. */
function together(found: readonly SectionKind[]): SectionKind {
  const [first] = found;
  if (first !== undefined && found.every((kind) => kind === first)) return first;
  if (
    found.includes('context') &&
    !found.includes('container') &&
    !(found.includes('aims') && found.includes('out_of_scope'))
  )
    return 'context';
  return found.includes('out_of_scope') || found.includes('container') || found.includes('aims')
    ? 'container'
    : 'context';
}

const README_ALONE =
  /^(?:installation|install|installing|usage|quick start|quickstart|getting started|contributing|licence|license|nutzung|verwendung|lizenz|installieren|utilisation|démarrage rapide|instalación|uso|licencia|instalação|licença|установка|использование|быстрый старт|лицензия|安装|使用方法|快速开始|许可证|安裝|インストール|使い方|ライセンス|설치|설치 방법|사용법|라이선스)$/;

/** Headings that only the README of a product has; two of them make one. */
export function isReadmeHeading(heading: string): boolean {
  return README_ALONE.test(normalizedHeading(heading));
}

const actionsAbroad = new Set(entries(ACTIONS_ABROAD, 'container').map(([name]) => name));

/** Whether a section says by its heading, in another language than English, that somebody is told in it to do something. */
export function isActionAbroad(heading: string): boolean {
  return actionsAbroad.has(normalizedHeading(heading));
}

/** A heading as the lists have it: lower case, no number, no markup, every word singular. */
export function normalizedHeading(heading: string): string {
  const plain = heading
    .slice(0, LONGEST_HEADING)
    .toLowerCase()
    .replace(/[*_`~]/g, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(NUMBER, '')
    .replaceAll('&', ' and ')
    .replace(/(?<=\S )\([^()]*\) (?=\S)/g, '')
    .trimEnd();
  const remark = /[)\]}）】][:：]?$/.test(plain) ? plain.search(/[([{（【]/) : -1;
  return (remark < 0 ? plain : plain.slice(0, remark))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map(singular)
    .join(' ');
}

function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|canvas)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
