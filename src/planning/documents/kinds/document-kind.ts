import type { DocumentItem } from '../document-item.js';
import { isVerb } from '../english/lexicon.js';
import { isClearClause, phraseOf, wordsOf } from '../english/phrase.js';
import { readsLikeWork, tellsByHalf } from '../facts.js';
import { isActionAbroad, normalizedHeading } from './heading-kinds.js';

/** What kind of document it is, where that decides what of it is work. */
export type DocumentKind =
  /** A report of a fault: one goal, and what is known of it. */
  | 'fault'
  /** A decision record, an RFC, a post-mortem, a feature request, minutes of a meeting or a changelog: it explains, and work is what somebody is told to do. */
  | 'record'
  /** It says how something is or will be: a list in it is work where somebody is told to do it. */
  | 'design'
  | 'plan';

const names = (list: string): ReadonlySet<string> => new Set(list.split('|').map(normalizedHeading));

const EXPECTED = names(
  'expected|expected behavior|expected behaviour|expected result|expected results|expected outcome|what did you expect|what did you expect to happen|what you expected to happen|what should happen',
);
const FAULT = names(
  'steps to reproduce|step to reproduce|to reproduce|reproduction|reproduction steps|how to reproduce|minimal reproduction|repro|repro steps|actual|actual behavior|actual behaviour|actual result|actual results|current behavior|current behaviour|observed behavior|observed behaviour|what happened|what happens instead|what is the current bug behavior|describe the bug|bug description|describe the issue|stack trace|error message|relevant log output',
);
const DECISION = names(
  'decision|decision outcome|outcome|the decision|entscheidung|décision|decisión|decisão|решение|決定|决定|决策|결정',
);
const RECORDS: readonly ReadonlySet<string>[] = [
  names(
    'decision outcome|considered options|decision drivers|consequences|positive consequences|negative consequences|pros and cons of the options|deciders|decision makers|confirmation|decision|context and problem statement|positions|argument|implications|entscheidung|kontext|konsequenzen|décision|conséquences|decisión|consecuencias|decisão|consequências|решение|последствия|決定|选项|選択肢|影響|影响|决定|决策|결정|결과',
  ),
  names(
    'drawbacks|alternatives|design details|implementation history|infrastructure needed|version skew strategy|production readiness review questionnaire|rationale and alternatives|prior art|unresolved questions|guide level explanation|reference level explanation|future possibilities|adoption strategy|how we teach this|detailed design',
  ),
  names(
    'root cause|root causes|root cause analysis|what went well|what went wrong|what went poorly|where we got lucky|lessons learned|contributing factors|detection|incident summary|trigger|five whys|5 whys|what happened|chain of events|resolution',
  ),
  names(
    'attendees|attending|participants|present|invited|absent|apologies|regrets|agenda|minutes|meeting minutes|discussion|announcements|next meeting|upcoming meetings|teilnehmer|anwesend|tagesordnung|protokoll|besprochen|diskussion|présents|participants|ordre du jour|asistentes|participantes|参会人员|会议内容|出席者|議題|議事録|참석자|안건|участники|повестка',
  ),
  names(
    'is your feature request related to a problem please describe|is your feature request related to a problem|describe the solution you d like|describe the solution you would like|describe alternatives you ve considered|feature description|current workaround|workaround|additional context|additional information|other information',
  ),
];
/** What a document is called that is a record whatever its headings are. */
const RECORD_TITLE =
  /^title:.{0,9}\bADR\b|^(?:title:)?\W*(?:ADR|RFC|RFD)[-\s#:]*\d|\b(?:(?:architecture|architectural) )?decision record\b|\b(?<!design )decisions?(?: log)?$|\bpost-?mortem\b|\bincident report\b|\bmeeting (?:minutes|notes)\b|\b(?:validation|test|status|audit|review|progress|completion|evaluation|analysis|verification|research) report\b|\bresearch (?:session|notes|findings|summary)\b|^(?:code |design )?review\b|\b(?:project|system|architecture|codebase) overview$/i;
/** What tells its readers how something is done: a step in it is theirs, unless it is a plan by its title. */
const GUIDE_TITLE =
  /^(?!.*\b(?:migration|upgrade|implementation|refactoring|rollout|launch|release|onboarding|plan|roadmap|add|build|create|write|draft)\b).*\b(?:guide|tutorial|walkthrough|cheat ?sheet|manual|how-to)$|^(?:how to )?report(?:ing)? (?:an? )?(?:issue|bug|problem)s?$/i;
/** What a guide has for its readers, and a plan of one seldom: code, numbered steps, prose that speaks to them. */
const FOR_READERS = /^\s{0,12}(?:`{3}|~{3}|\d{1,9}[.)]\s)|^(?!\s{0,12}[-*+]\s).*\byour?\b/i;
/** Sections of a record in which somebody is told to do something. */
const ACTIONS = names(
  'user stories|action items|actions|action plan|next steps|follow up|follow ups|follow up items|follow up actions|tasks|to do|todo|plan|implementation plan|rollout|rollout plan|migration|migration plan|migration strategy|implementation steps|work items|remediation|remediation items|corrective actions|preventive actions|adoption strategy|adoption plan|recommendation|recommended fix|suggested fix|proposed fix|delivery plan|milestones|phases',
);
/** Sections of a record whose lists may be work. */
const MAY_ACT = names(
  'decision|decision outcome|outcome|mitigations|recommended mitigations|proposal|proposed solution|describe the solution you d like|describe the solution you would like|proposed change|proposed changes|solution|implementation|what we will do|implementation strategy',
);

const DESIGN_TITLE =
  /^(?:title:\s*)?(?:the |our )?vision\b|\b(?:release|publishing|publication|versioning|branching) (?:plan|process|model|workflow)\b|\b(?:design(?: decisions)?|guidelines?|conventions?|strategy|policy|architecture|handbook|vision)(?: doc(?:ument)?| notes)?$|(?:设计|設計)(?:文档|文件|書|说明)?$|설계서?$/i;
/** Kinds of changes, as changelogs and the tools that write them head what is done. */
const CHANGES = names(
  'added|changed|fixed|removed|deprecated|bug fixes|bugfixes|reverts|breaking changes|performance improvements|what s changed',
);
/** `[1.2.0] - 2024-05-06`, `v2.1 (2024-05-06)`, `Unreleased`; no chapter such as `1.2 Scope`. */
const RELEASE =
  /^(?:(?:release |version )?\[?v?\d+\.\d+(?:\.\d+)?[^\s\]]{0,20}\]?(?:\([^\s()]{1,200}\))?(?:[ \t]*$|[ \t].{0,20}\b(?:19|20)\d\d\b)|\[?unreleased\]?(?:[ \t]|$))/i;
const CHANGELOG = /^(?:change ?log|changes|change history|release notes?|release history|news|history)$/;

const LABEL = /^ {0,3}(?:#{1,6}[ \t]+(\S.*)|\*\*([^*]+)\*\*:?[ \t]*|__([^_]+)__:?[ \t]*)$/;

/** A heading, or a line in bold that stands for one, as forms of issues have them. */
interface Label {
  readonly name: string;
  /** The same as it is written. */
  readonly said: string;
  /** Its place among the lines, from 0. */
  readonly at: number;
}

/** Finds the headings, and lines in bold that stand for one, outside code. */
function labelsIn(lines: readonly string[]): readonly Label[] {
  let fence: string | null = null;
  return lines.flatMap((line, at) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence)))
      fence = fence === null ? mark : null;
    if (fence !== null || mark !== undefined) return [];
    const [, heading, bold, other] = LABEL.exec(line.trimEnd()) ?? [];
    const said = heading ?? bold ?? other;
    return said === undefined ? [] : [{ name: normalizedHeading(said), said, at }];
  });
}

/** A file of a decision, or of a proposal, each with its number: `docs/adr/0003-scales.md`, `rfc-0017-jars.md`. */
const DECISION_FILE =
  /(?:^|[/\\])(?:adr|decision)s?[-_/\\]?\d[^/\\]{0,200}$|(?:^|[/\\])(?:adr|decision)s[/\\](?!readme|index|template|todo|plan)[^/\\]{1,200}$/i;
const PROPOSAL_FILE = /(?:^|[/\\])(?:rfc|rfd|kep)s?[-_/\\]?\d[^/\\]{0,200}$/i;

/** Tells what kind of document its lines make, by its headings, its file and, where it is called a guide, its items. */
export function documentKind(
  lines: readonly string[],
  items: readonly DocumentItem[],
  file: string,
): DocumentKind {
  const labels = labelsIn(lines);
  const found = new Set(labels.map(({ name }) => name));
  const count = (kind: ReadonlySet<string>) => [...found].filter((name) => kind.has(name)).length;
  const reports = labels.filter(({ name }) => FAULT.has(name) || EXPECTED.has(name)).length;
  const hasOne = reports < 2 * (count(FAULT) + count(EXPECTED));
  const isCalledSo = /^\W*bug report\b/i.test(labels[0]?.said ?? '');
  if (hasOne && count(FAULT) > 0 && (count(FAULT) > 1 || count(EXPECTED) > 0 || isCalledSo)) return 'fault';
  if (isChangelog(labels, count(CHANGES)) || DECISION_FILE.test(file)) return 'record';
  if (areMinutes(lines, file)) return 'record';
  const titles = [labels[0]?.said ?? '', ...lines.slice(0, 30).filter((line) => line.startsWith('title:'))];
  if (titles.some((title) => RECORD_TITLE.test(title))) return 'record';
  if (titles.some(isGuideTitle) && (lines.some((line) => FOR_READERS.test(line)) || !tellsByHalf(items)))
    return 'record';
  const [decision = 0, ...others] = RECORDS.map(count);
  if ((decision > 1 && count(DECISION) > 0) || others.some((found) => found > 1)) return 'record';
  return DESIGN_TITLE.test(titles[0] ?? '') || PROPOSAL_FILE.test(file) ? 'design' : 'plan';
}

const PRESENT = /^\W{0,9}(?:attendees|participants|present)\b\W{0,3}(?:[:：]|$)/i;
/** What minutes are called: not "Deploy in 10 minutes". */
const MINUTES =
  /(?<!\b(?:\d+|in|few|five|ten|fifteen|thirty|per|the|last|of) )\bminutes\b(?! (?:ago|later|per|long)\b)/i;
const MEETING = /\bmeeting\b|\bstand-?up\b|\bretro(?:spective)?\b|\bminutes\b/i;
/** What minutes tell of. */
const MET = names(
  'attendees|attending|participants|present|apologies|agenda|discussion|decisions|decided|action items|next meeting|topics',
);

const PRESENT_ABROAD =
  /^[^\p{L}\n]{0,9}(?:anwesend(?:e|heit)?|teilnehm(?:er|ende)|dabei|présents|participants|asistentes|asistieron|presentes|participantes|присутствовали|участники|参会人员|参会人|出席人员|与会人员|參加人員|出席者?|参加者|참석자|참석|참가자)(?:\s?[:：（(]|[*_\s]{0,3}$|\*\*)/iu;
const MEETING_ABROAD =
  /(?:protokoll|besprechung|sitzung|compte[ -]rendu|réunion|reunión|acta|minuta|reunião|протокол|совещани|встреч|собрани|会议|會議|纪要|紀要|議事録|会議|ミーティング|打ち合わせ|회의|미팅)/iu;

/** Whether a document is called minutes, or after a meeting or by its parts and says who was there. */
export function areMinutes(lines: readonly string[], file: string): boolean {
  const labels = labelsIn(lines);
  const titles = [labels[0]?.said ?? '', file.replace(/^.*[/\\]/, '').replaceAll(/[_-]/g, ' ')];
  const parts = new Set(labels.slice(1).flatMap(({ name }) => (MET.has(name) ? [name] : [])));
  if (parts.size > 0 && titles.some((title) => MINUTES.test(title))) return true;
  const isMeeting =
    parts.size > 1 ||
    MEETING_ABROAD.test(titles[0] ?? '') ||
    [titles[0] ?? '', file].some((name) => MEETING.test(name));
  return isMeeting && lines.slice(0, 40).some((line) => PRESENT.test(line) || PRESENT_ABROAD.test(line));
}

/** Whether a title names a guide, and tells nobody to work on one: "Install guide", but not "Fix the install guide". */
function isGuideTitle(title: string): boolean {
  const phrase = phraseOf(title.replace(/^title:\s*["']?/, '').replace(/["']$/, ''));
  return GUIDE_TITLE.test(phrase.text) && !(wordsOf(phrase).length > 2 && isClearClause(phrase));
}

/** Whether releases head a document, and what was changed in them its sections, or its title says that it is one. */
function isChangelog(labels: readonly Label[], changes: number): boolean {
  const releases = labels.filter(({ said }) => RELEASE.test(said)).length;
  const isCalledSo = CHANGELOG.test(labels[0]?.said.toLowerCase() ?? '');
  return releases > 0 && (isCalledSo || (changes > 0 && releases + changes > 2));
}

/** Whether a section tells of a fault: how it is seen again, what happened. */
export function isFaultSection({ description, kind }: DocumentItem): boolean {
  return kind === 'heading' && FAULT.has(normalizedHeading(description));
}

/** Returns what a report of a fault says that should be, each section a text. */
export function expectedIn(lines: readonly string[]): readonly string[] {
  const labels = labelsIn(lines);
  return labels.flatMap(({ name, at }, index) => {
    if (!EXPECTED.has(name)) return [];
    const text = lines
      .slice(at + 1, labels[index + 1]?.at)
      .join('\n')
      .trim();
    return text === '' ? [] : [text];
  });
}

/** What minutes plan until a day: "This week's plan", "Plan for next sprint", "Next week". */
const UNTIL =
  /^(?:(?:plan|priority|focus|goal|task|todo|to do|action item) (?:for )?)?(?:the )?(?:this|next|coming) (?:week|sprint|month|quarter|iteration)(?: s)?(?: (?:plan|priority|focus|goal|task|todo|to do|action item))?$/;
/** What may tell what is done in it: only a plan for it is work. */
const NOW = /^(?:the )?(?:this|coming) \S+(?: s)?$/;

/** Whether a section of a record says by its heading that it holds work. */
export function isActionSection(heading: string): boolean {
  const name = normalizedHeading(heading);
  return ACTIONS.has(name) || isActionAbroad(heading) || (UNTIL.test(name) && !NOW.test(name));
}

/** What minutes note that one of those present does: "Ann will buy lids", "Bob volunteers to wash them". */
const TAKES_ON =
  /^(?!(?:It|This|That|There|These|Those|Users?|Customers?|Nobody|Nothing)\b)@?\p{L}[\p{L}'’-]{0,30}(?:(?: and)? \p{Lu}\p{L}{1,30})? (?:will|volunteers to) (?=(\p{Ll}+))/u;
const ACTION =
  /^(?:action(?: item)?|to-?\s?do|ai|follow-?up|next steps?)(?:\s?\([^()]{1,40}\))?\s*[:：]\s*\S/i;

/** Whether a text says of itself that it is to be done, in minutes also that somebody takes it on. */
function isAction(text: string, inMinutes: boolean): boolean {
  return ACTION.test(text) || (inMinutes && isVerb(TAKES_ON.exec(text)?.[1] ?? ''));
}

/** What somebody is told to do in a section that only reports, in minutes also what one takes on: boxes are no part of it. */
export function actionsIn(items: readonly DocumentItem[], inMinutes: boolean): readonly DocumentItem[] {
  return items.flatMap((item) => {
    if (isAction(item.description, inMinutes)) return [item];
    const isList = item.kind === 'item' && item.children.length > 0 && isActionSection(item.description);
    return isList ? item.children : actionsIn(item.children, inMinutes);
  });
}

/** Returns the lines of prose in a section of minutes that say what is to be done, a goal each; those of its parts are theirs. */
export function actionsSaid(
  { source }: Pick<DocumentItem, 'source'>,
  parts: readonly DocumentItem[],
  lines: readonly string[],
): readonly DocumentItem[] {
  const isPart = (line: number) =>
    parts.some((part) => part.source.start_line <= line && line <= part.source.end_line);
  const said: DocumentItem[] = [];
  for (let line = source.start_line; line <= source.end_line; line += 1) {
    const text = (lines[line - 1] ?? '').replaceAll('**', '').trim();
    const last = said.at(-1);
    if (isPart(line)) continue;
    if (isAction(text, true)) {
      const at = { ...source, start_line: line, end_line: line };
      said.push({
        kind: 'item',
        description: text,
        source: at,
        complete: false,
        afterPrevious: false,
        children: [],
      });
    } else if (
      last?.source.end_line === line - 1 &&
      /^[\p{L}\p{N}(]/u.test(text) &&
      !/[.!?]$/.test(last.description)
    ) {
      const source = { ...last.source, end_line: line };
      said.splice(-1, 1, { ...last, description: `${last.description} ${text}`, source });
    }
  }
  return said;
}

/** An item without the name before what it says: "Hooks: Add a script". */
function withoutLabel(item: DocumentItem): DocumentItem {
  return { ...item, description: item.description.replace(/^[^:]{2,40}:\s+/, '') };
}

/** Whether a section of a record says, by its heading or all in all, that somebody is told in it what to do. */
export function holdsActions({ description, children }: DocumentItem): boolean {
  return (
    isActionSection(description) ||
    (MAY_ACT.has(normalizedHeading(description)) && readsLikeWork(children)) ||
    (/^(?:key )?implementation detail$/.test(normalizedHeading(description)) &&
      readsLikeWork(children.map(withoutLabel)))
  );
}
