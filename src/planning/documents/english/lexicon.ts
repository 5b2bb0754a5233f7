/**
 * Verbs that begin an imperative and are hardly ever nouns, so that one after "and" begins a clause. `name:form` gives
 * an -ing form that the spelling rules below do not.
 */
const PLAIN_VERBS = `
  accelerate accept achieve acquire activate adapt add address adjust adopt analyse analyze announce apply approve arrange ask
  assemble assess assign attach attend authenticate authorise authorize automate avoid bake begin:beginning bind
  boil boost borrow bring browse build buy calculate cancel carry categorise categorize celebrate centralise choose
  clarify collect combine commission communicate compare compile compose compress conduct configure confirm connect
  consolidate construct consult contain containerise containerize convert convince cook coordinate create debug decide
  declare decommission decompose decorate decouple decrease deduplicate define delete deliver demonstrate deny deprecate
  derive describe detect determine develop diagnose digitise disable disconnect discover discuss dispose distribute
  divide dockerise dockerize educate elect eliminate embed enable encourage encrypt enforce engage enhance enrol
  ensure enter establish evaluate examine exclude execute expect explain explore expose extend extract facilitate fetch
  fill finalise finalize find finish fix follow forbid:forbidding foster gather generate get:getting give grant
  greet grow guarantee halve handle hang harden hide hire identify illustrate implement improve include incorporate inform
  ingest initialise initialize insert inspect install instrument integrate internationalise internationalize interview introduce invent invest
  investigate invite isolate join keep knit learn leave let:letting list localise localize locate maintain make
  manage measure meet merge migrate minify mitigate moderate modernise modernize mow negotiate normalise normalize notify observe obtain onboard
  optimise optimize orchestrate organise organize paginate parse perform persist persuade prepare preserve prevent
  prioritise prioritize procure produce prohibit promote propose protect prove provide provision prune:pruning
  publish put:putting quantify rake read rebase rebuild receive recommend reconcile recruit redact redeploy redesign reduce
  refactor refine refurbish regenerate reject relocate remind remodel remove rename render renovate reorganise reorganize replace
  replicate reproduce require reschedule resize resolve respond restart restore restructure retire retrain retrieve revise
  revoke rework rewrite roll rotate run:running sanitise sanitize schedule scrape select sell send serialise serialize
  serve set:setting sew ship:shipping shorten sign simplify solve speak specify speed stabilise stabilize standardise standardize
  streamline strengthen submit:submitting subscribe summarise summarize sync synchronise synchronize take teach tell
  think throw tidy transcribe transform translate transmit:transmitting try tune unify uninstall unpack update
  upgrade vacuum validate verify visit visualise visualize wear weigh wipe withdraw write
`;

/** Verbs that are as often nouns or modifiers; one after "and" begins a clause only if an article or the like follows. */
const AMBIGUOUS_VERBS = `
  access answer archive audit backup benchmark block book bootstrap branch brand break brief budget bump cache call campaign capture
  catalogue change charge chart check claim clean clear close code comment commit:committing complete contact
  contract control copy correct cover crawl cross curate cut:cutting date deal debate delegate deploy design display
  do document download draft draw drive drop:dropping dry eat edit email end escape estimate exercise exit export fax feature feed
  file filter finance flush focus fold forecast format:formatting function fund gauge go group guard guide hand help hold host
  hunt import increase index interface iron issue judge label launch lead lease limit link load lock log:logging look lower
  mail map:mapping mark market mix mock model monitor mount move name note number offer offload open order outline
  pack package paint park pass patch pay peel pick pilot pin:pinning pitch place play plan:planning plant plot:plotting
  polish port post practice practise present press print process profile program:programming programme project
  promise protest prototype purchase query question queue quote raise rank rate reach record recover redirect
  refresh register rehearse release rent repair report request rescue retry research reset:resetting rest result return
  review reward ride risk roast route rule sail sample sand save scaffold scale scan:scanning scope score script
  seal search season secure seed:seeding separate sequence service share shop:shopping show signal sit:sitting
  sketch sleep slice sort sound source space spend split:splitting sponsor spot:spotting spread stage stand start stay
  state step:stepping stir:stirring stop:stopping store study style suggest supply support surface survey
  sunset:sunsetting swap:swapping sweep switch table tag:tagging talk target taste test thank time tour trace track trade train
  transfer travel treat trigger trim:trimming turn type upload use value version view voice vote wait walk warn wash watch
  water welcome win:winning work wrap:wrapping zip:zipping
`;

const GERUNDS = new Map<string, string>();

const plainVerbs = readVerbs(PLAIN_VERBS);
const ambiguousVerbs = readVerbs(AMBIGUOUS_VERBS);

function readVerbs(list: string): ReadonlySet<string> {
  const verbs = new Set<string>();
  for (const entry of list.trim().split(/\s+/)) {
    const [verb = '', irregular] = entry.split(':');
    verbs.add(verb);
    GERUNDS.set(irregular ?? regularGerund(verb), verb);
  }
  return verbs;
}

function regularGerund(verb: string): string {
  if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return `${verb}ing`;
}

/**
 * Whether the lexicon has `word` as a verb, which can begin an imperative: "deploy", "clean". Compares in lower
 * case.
 */
export function isVerb(word: string): boolean {
  return plainVerbs.has(word.toLowerCase()) || isAmbiguousVerb(word);
}

/**
 * Whether the lexicon has a verb as a common noun or modifier too: "test", "plan", "deploy" (as in "deploy
 * script").
 */
export function isAmbiguousVerb(word: string): boolean {
  const lower = word.toLowerCase();
  return ambiguousVerbs.has(lower) || isDoneAgain(lower);
}

/** "repaint", "re-record": what is done once more. */
function isDoneAgain(word: string): boolean {
  const again = /^re-?(\p{L}{4,})$/u.exec(word)?.[1];
  return again !== undefined && !plainVerbs.has(word) && (plainVerbs.has(again) || ambiguousVerbs.has(again));
}

/** The verb whose -ing form `word` is in the lexicon: "running" gives "run". */
export function verbOfGerund(word: string): string | undefined {
  return GERUNDS.get(word.toLowerCase());
}

const PARTICLES = new Set('up down out off on in over away back'.split(' '));

/** Whether the lexicon has `word` as a particle, which belongs to the verb before it, as "up" does in "set up". */
export function isParticle(word: string): boolean {
  return PARTICLES.has(word.toLowerCase());
}

const DETERMINERS = new Set(
  `a an the this that these those all any each every both some no another it them him her us me my your our their its his
  everything everyone one two three four five six seven eight nine ten`.split(/\s+/),
);

/**
 * Whether the lexicon has `word` as a determiner, which begins a noun phrase or stands for one: articles,
 * possessives, quantities, pronouns; or it is a number.
 */
export function isDeterminer(word: string): boolean {
  return DETERMINERS.has(word.toLowerCase()) || /^\d/.test(word);
}

const PREPOSITIONS = new Set(
  `about above across after against along among around as at before behind below between by during except featuring for from in
  including inside into like near of off on onto out over per plus regarding through throughout to toward towards under until
  upon using versus via vs with within without`.split(/\s+/),
);

/** Whether the lexicon has `word` as a preposition, which begins a phrase that qualifies what stands before it. */
export function isPreposition(word: string): boolean {
  return PREPOSITIONS.has(word.toLowerCase());
}

const SUBORDINATORS = new Set(
  `that which who whose whom where when whenever while if unless whether because so since how why what until once though
  although can could should must will would may might cannot not don't lets allows helps enables such`.split(
    /\s+/,
  ),
);

/**
 * Whether the lexicon has `word` as a subordinator, which begins a clause inside another or makes it one: what
 * follows may belong to it.
 */
export function isSubordinator(word: string): boolean {
  return SUBORDINATORS.has(word.toLowerCase());
}
