/** Headings by what the section below them is to a plan, as `nameOf` has them; a line or a bar between two. */

/** They explain. */
export const CONTEXT = `
  background|overview|general overview|high level overview|introduction|intro|motivation|problem|problem statement|the problem|vision|mission
  product vision|persona|user persona|user|target user|target audience|audience|stakeholder|glossary|definition|definition and acronym|acronym|term
  terminology|convention|reference|resource|link|useful link|external link|further reading|see also|related work|related|prior art|faq
  frequently asked question|question and answer|q a|open question|open issue|question|unresolved question|unresolved issue|risk|risk and mitigation
  assumption|constraint|technical constraint|dependency|external dependency|alternative|alternative considered|considered alternative|drawback
  rationale|rationale and alternative|rationale and alternatives|table of content|content|toc|author|contributor|maintainer|acknowledgement
  acknowledgment|credit|thank|licence|license|copyright|changelog|change log|change history|history|revision history|document history
  version history|status|document status|metadata|document information|document info|summary|executive summary|abstract|purpose|context
  project context|tl dr|tldr|about|user research|research|market|market analysis|competitor|competitive analysis|competition|success metric|metric
  kpi|key metric|metric and kpi|measure of success|north star|timeline|schedule|budget|cost|team|role|role and responsibility|responsibility
  governance|approval|sign off|reviewer|appendix|appendices|attachment|note|meeting note|discussion|decision|decision log|key decision|impact
  tech stack|technical stack|technology stack|technology|stack|architecture overview|key entity|entity|user flow|user journey|key user flow|journey|wireframe
  mockup|screenshot|logical dependency chain|edge case question|execution status|execution flow|review checklist|review and acceptance checklist
  review acceptance checklist|requirement completeness|content quality|clarification|business case|business value|value proposition
  hypothesis|insight|customer quote|quote|quote from customer|disclaimer|legal notice|support|contact|community|contributing|contribution|how to contribute|getting help|get help|help|feedback|where to ask|need help|getting support|technical context|prerequisite|pre requisite|required tool|required hardware|troubleshooting|troubleshooting guide
  format|path convention|input|release note|version|notation|requirements language|security policy|code of conduct|iana consideration
  normative reference|informative reference|teaching|how we teach this|summary of change|stage of user|current state|current situation|as is|status quo
  dependencies and execution order|dependency and execution order|parallel example|implementation strategy|constitution check|complexity tracking
  user class|user classes|user characteristic|product perspective|operating environment|document convention|intended audience|label sample|sample
  goals of this document|communication plan|data we have|what we know|what we have learnt|what we learned|lessons learned|out of date|estimate|effort|resourcing
  description|one liner|elevator pitch|tagline|user journey map|journey map|risk assessment|risk analysis|risk register|revenue model|business model
  pricing model|go to market|go to market strategy|downside|upside|caveat|limitation|known limitation|implementation history|threat model
  actor|core concept|trade off|tradeoff|advantage|disadvantage|pro|con|pro and con|found|cause|diff preview|affected file|affected component|affected code|file change|file to modify|file to change
  component to modify|related file|index|appetite|rabbit hole|agenda|attendee|participant|next meeting|breadboard|fat marker sketch|example|minimal example|concept|don t|don ts|dos and don ts
  typography|colour palette|color palette|basic flow|main flow|main success scenario|alternative flow|alternate flow|exception flow|precondition|job|evidence|where|steps to reproduce|step to reproduce|to reproduce|reproduction step|how to reproduce|actual result|actual behavior|actual behaviour|reported behaviour|reported behavior|observed behavior|observed behaviour|stack trace
  related item|related issue|suggested reading|reading list|risk mitigation|mitigation|source of truth|explanation|quality metric|quick guideline
  repro|severity|symptom|recent change|invariant|observation|system context|context diagram|implementation note|key implementation note|technical note|design note|integration note|additional note|further note|important note|design decision|design principle|principle|guiding principle|file structure|project structure
  development approach|working style|working agreement|way of working|ways of working|ground rule|conclusion
  rollback|rollback plan|rollback strategy|contingency|contingency plan|backout plan|back out plan|parent|parent issue|blocked by|type|issue type
  file changed|file modified|modified file|changed file|reporting format|how to report|reporting issue|reporting bug|report format|characteristic|visual characteristic|mood|tone|tone of voice|visual tone|aesthetic
  repository structure|directory structure|folder structure|repository layout|project layout|code layout|directory layout|package layout|source layout|module layout|benefit|existing behavior|existing behaviour|support channel|contact information
`;
/** What is not to be done. */
export const OUT_OF_SCOPE = `
  non goal|nongoal|not goal|out of scope|not in scope|out scope|exclusion|excluded|what this is not|what we are not doing|what we won t do
  won t do|wont do|won t have|wont have|won t have this time|not doing|not planned|anti goal|non objective|non requirement|future work
  future|future consideration|future possibility|future idea|future enhancement|future scope|later|possible extension|parking lot|no go|scope exclusion
  explicitly out of scope|not included|no gos|avoid|thing to avoid|what to avoid|dont|forbidden|prohibited|do not do this|we won t do|we will not do|removed from scope|thing we decided against|what we decided against|cancelled|canceled|rejected|dropped|abandoned|discarded|declined|wontfix
`;
/** How one can tell that it is done. */
export const ACCEPTANCE = `
  acceptance criterion|acceptance criteria|acceptance|accept|acceptance check|exit gate|acceptance scenario|acceptance test|definition of done|dod|done when|exit criterion|exit criteria|graduation criterion|graduation criteria
  success indicator|success measure|success threshold|success signal|success criterion|success criteria|measurable outcome|scenario|verification|conditions of satisfaction|condition of satisfaction|postcondition|acceptance summary|required evidence|expected result|expected behavior|expected behaviour
`;
/** What is hoped for. */
export const AIMS = `goal|objective|aim|goal and objective|objective and key result|okr|business goal|business objective|product goal|user goal
  project goal|outcome|desired outcome|key result|key objective|primary goal|design goal|expected outcome|expected result`;
/** What is to be done, by its kind alone. */
export const CONTAINER = `
  what to build|what to do|requirement|functional requirement|non functional requirement|nonfunctional requirement|technical requirement|user requirement|system requirement
  business requirement|product requirement|feature|core feature|key feature|feature requirement|functional specification|specification|detailed specification
  functional spec|user story|story|job to be done|epic|task|todo|to do|work|work item|backlog|product backlog|implementation|implementation plan
  implementation task|plan|project plan|roadmap|development roadmap|scope|in scope|project scope|deliverable|milestone|phase|phases|iteration|sprint
  action item|next step|step|design|detailed design|technical design|proposal|proposed solution|proposed change|proposed design|solution|solution overview
  approach|technical approach|architecture|technical architecture|system architecture|detail|guide level explanation|reference level explanation
  what change|what changes|change|added requirement|modified requirement|removed requirement|rollout|rollout plan|launch plan|release plan|delivery plan
  migration plan|test plan|testing|testing strategy|test strategy|edge case|use case|user scenario|user scenarios and testing|must have|should have
  could have|nice to have|mvp|checklist|item|planned|planned feature|coming soon|user story map|release|other requirement|functionality|capability
  user interaction|security consideration|privacy consideration|performance consideration|operational consideration|backward compatibility|compatibility|migration
  overall description|product function|specific requirement|external interface requirement|system feature|ui ux|user experience|user interface|technical consideration|data model|api|unresolved|walking skeleton|backbone|activity|work package|work breakdown|recommendation|suggested fix|proposed fix|recommended fix|implementation order|follow up|ticket|to do list|todo list
`;
/** What a README explains of the product as it is. */
export const README = `
  installation|install|installing|usage|quick start|quickstart|getting started|example|documentation|doc|contributing|how to contribute|contribution
  license|licence|badge|demo|screenshot|community|support|configuration|configuring|development|building|build from source|running the test|running test
  built with|how it work|why|faq|api reference|api|cli reference|command|environment variable|compatibility|sponsor|security|star history|showcase|download
  run locally|local development|project structure|troubleshooting|acknowledgement|acknowledgment|author|feature overview|requirement|prerequisite|dependency
  testing|test|deployment|tech stack
`;

/** Context that is as often a part of the product: with tasks below it is work. */
export const WEAK = `type|risk mitigation|mitigation|explanation|user|role|team|cost|budget|support|help|feedback|contact|content|link|note|dependency|external dependency|history|metric|input|format|research
  user research|timeline|schedule|version|summary|entity|term|community|governance|legal notice|communication plan|implementation strategy
  user flow|user journey|screenshot|quote|impact|security policy|estimate|description|limitation|conclusion|overview|executive summary`;
