/**
 * Verbs that begin an imperative and are hardly ever nouns, so that one after "and" begins a clause. `name:form` gives
 * an -ing form that the spelling rules below do not.
 */
const PLAIN_VERBS = `
  accept achieve mow hang wear knit rake boost speed roll acquire activate add address adjust adopt analyse analyze announce apply approve arrange ask assemble
  assess assign attach attend audit authenticate authorise authorize automate avoid bake begin:beginning bind boil book
  borrow bring browse build buy calculate cancel capture categorise categorize celebrate centralise check choose clarify
  clean clear close collect combine commission communicate compare compile complete compose compress conduct configure
  confirm connect consolidate construct consult contact containerise containerize convert convince cook coordinate copy
  correct crawl create cut:cutting debug decide declare decommission decorate decouple decrease deduplicate define
  delegate delete deliver demonstrate deny deprecate derive describe detect determine develop diagnose digitise
  disable disconnect discover discuss dispose distribute divide dockerise dockerize document download edit educate
  elect eliminate email embed enable encourage encrypt enforce engage enhance enrol ensure enter establish estimate
  evaluate examine execute exclude explain explore expose extend extract facilitate fetch file fill finalise finalize find
  finish fix fold follow forbid:forbidding foster gather generate get:getting give grant greet grow guarantee handle harden
  hire hide host identify illustrate implement improve include incorporate inform ingest initialise initialize insert
  inspect install instrument integrate interview introduce invent invest investigate invite isolate join keep
  launch learn let:letting leave list localise localize locate maintain make manage measure meet merge migrate minify
  mitigate mock mount move negotiate normalise normalize notify observe obtain offer onboard open optimise optimize
  orchestrate order organise organize outline pack paginate parse patch pay peel perform persist persuade pick pin:pinning
  place plant polish port prepare present preserve prevent print prioritise prioritize procure produce profile prohibit
  promote propose protect prototype prove provide provision prune:pruning publish purchase put:putting quantify read
  rebase rebuild receive recommend reconcile record recruit redact redesign redirect reduce refactor refine register
  regenerate reject relocate remind remove rename render renovate reorganise reorganize repair replace replicate
  reproduce request rescue reschedule resize resolve respond restart restore restructure retire retrieve retrain revise
  revoke rewrite roast rotate run:running sand sanitise sanitize save scaffold schedule scrape seal secure select sell
  send separate serialise serialize serve set:setting sew share ship:shipping shorten show sign simplify sketch
  slice solve sort speak specify split:splitting standardise standardize start stop:stopping store streamline strengthen
  submit:submitting subscribe summarise summarize supply survey sweep swap:swapping switch synchronise synchronize take
  teach tell think throw tidy trace train transcribe transfer transform translate transmit:transmitting trim:trimming
  try tune unify uninstall unpack update upgrade upload validate vacuum verify visualise visualize visit wash watch
  weigh wipe withdraw write
`;

/** Verbs that are as often nouns or modifiers; one after "and" begins a clause only if an article or the like follows. */
const AMBIGUOUS_VERBS = `
  access answer do go archive backup benchmark block branch brand brief budget cache call campaign catalogue change charge
  chart claim code comment commit:committing contract control cover cross curate data:x date deal debate deploy design display
  draft draw drive dry eat end escape exercise exit export fax feature feed filter finance focus forecast format:formatting
  function fund gauge group guard guide help hold hunt import index interface iron issue judge label lead lease limit link
  load lock log:logging look lower mail map:mapping market mark mix model monitor name note number offload package paint
  park pass pilot pitch plan:planning plot:plotting post practice practise press process program:programming programme
  project promise protest query question queue quote raise rank rate reach recover refresh release rehearse rent
  report research reset:resetting rest result return review reward ride risk route rule sail sample scale scan:scanning
  scope score script search season seed:seeding sequence service shop:shopping signal sit:sitting sleep sound source space spend
  sponsor spot:spotting spread stage stand state step:stepping stir:stirring study style suggest support surface
  table tag:tagging talk target taste test thank time tour track trade travel treat trigger turn type use value view
  voice vote wait walk warn water welcome win:winning work wrap:wrapping zip:zipping
`;

const GERUNDS = new Map<string, string>();

const plainVerbs = readVerbs(PLAIN_VERBS);
const ambiguousVerbs = readVerbs(AMBIGUOUS_VERBS);

function readVerbs(list: string): ReadonlySet<string> {
  const verbs = new Set<string>();
  for (const entry of list.trim().split(/\s+/)) {
    const [verb = '', irregular] = entry.split(':');
    if (irregular === 'x') continue;
    verbs.add(verb);
    GERUNDS.set(irregular ?? regularGerund(verb), verb);
  }
  return verbs;
}

function regularGerund(verb: string): string {
  if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return `${verb}ing`;
}

/** Whether `word` can begin an imperative: "deploy", "clean". Compares in lower case. */
export function isVerb(word: string): boolean {
  return plainVerbs.has(word.toLowerCase()) || ambiguousVerbs.has(word.toLowerCase());
}

/** Whether a verb is also a common noun or modifier: "test", "plan", "deploy" (as in "deploy script"). */
export function isAmbiguousVerb(word: string): boolean {
  return ambiguousVerbs.has(word.toLowerCase());
}

/** The verb that `word` is the -ing form of: "running" gives "run". */
export function verbOfGerund(word: string): string | undefined {
  return GERUNDS.get(word.toLowerCase());
}

const PARTICLES = new Set('up down out off on in over away back'.split(' '));

/** Whether `word` after a verb belongs to it, as "up" does in "set up". */
export function isParticle(word: string): boolean {
  return PARTICLES.has(word.toLowerCase());
}

const DETERMINERS = new Set(
  `a an the this that these those all any each every both some no another it them him her us me my your our their its his
  everything everyone one two three four five six seven eight nine ten`.split(/\s+/),
);

/** Whether `word` begins a noun phrase or stands for one: articles, possessives, quantities, pronouns. */
export function isDeterminer(word: string): boolean {
  return DETERMINERS.has(word.toLowerCase()) || /^\d/.test(word);
}

const PREPOSITIONS = new Set(
  `about above across after against along among around as at before behind below between by during except for from in
  including inside into like of off on onto out over per plus regarding through throughout to toward towards under until
  upon using versus via vs with within without`.split(/\s+/),
);

/** Whether `word` begins a phrase that qualifies what stands before it. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word.toLowerCase());
}

const SUBORDINATORS = new Set(
  `that which who whose whom where when whenever while if unless whether because so since how why what until once though
  although can could should must will would may might cannot not don't lets allows helps enables such`.split(
    /\s+/,
  ),
);

/** Whether `word` begins a clause inside another or makes it one: what follows may belong to it. */
export function isSubordinator(word: string): boolean {
  return SUBORDINATORS.has(word.toLowerCase());
}
