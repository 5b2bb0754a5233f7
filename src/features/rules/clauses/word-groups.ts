/** Words that many methods share; a method file writes the name for all of them. */
const GROUPS: Readonly<Record<string, string>> = {
  '~build':
    'build|create|make|develop|implement|write|code|construct|design|set up|setup|bootstrap|scaffold|prototype|deliver|produce',
  '~make': 'build|create|make|develop|design|write|set up|setup|produce',
  '~add':
    '~build|add|introduce|enable|integrate|support|provide|configure|install|establish|put in place|roll out',
  '~improve':
    'improve|optimise|speed up|tune|boost|increase|enhance|reduce|accelerate|lower|cut|raise|strengthen',
  '~move': 'migrate|move|port|convert|switch|transfer|transition|rewrite|translate',
  '~run': 'run|perform|do|conduct|carry out|execute|hold|organise',
  '~software':
    'app|application|service|microservice|api|server|backend|frontend|front end|back end|site|website|webpage|code|codebase|module|library|package|system|platform|component|function|class|parser|script|tool|cli|client|bot|dashboard|product|software|project|repository|database|portal|shop|store|blog|game|plugin|extension|endpoint|pipeline|it|them',
  '~program':
    'app|application|service|server|backend|frontend|api|website|web page|webpage|site|platform|system|module|layer|feature|functionality|component|software|dashboard|bot|plugin|database|flow|integration|infrastructure|environment',
  '~code':
    'user|id|endpoint|json|csv|xml|http|url|middleware|callback|hook function|enum|schema|token|cache|nginx|repo|repository|pull request|button|modal|dropdown|sidebar|navbar|header|footer|widget|tooltip|placeholder|default|form field|form validation|input field|text field|table view|list view|screen size|small screen|dark mode|shared state|global state|app state|parent component|child component|by id|by name|by date|by rating|by email|by category|in the list|in the array|localstorage|payload|parameter|argument|boolean|integer|timestamp|nav bar|foreign key|primary key|entity|dto|web page|web hook|webhook|autocomplete|pagination|nearby|trending|by status|by city|by skill|by postcode|by location|by department|by key|by index|by colour|by tag|by user|by type|by plate|near me|near the user|popup|toast|spinner|checkbox|filter|avatar image|flag',
  '~technology':
    'express|fastapi|django|flask|spring|spring boot|rails|laravel|nest|nestjs|node|nodejs|node js|typescript|javascript|python|go|golang|rust|java|kotlin|swift|ruby|php|react|vue|angular|svelte|next|next js|nextjs|nuxt|postgres|postgresql|mysql|sqlite|mongodb|mongo|redis|kafka|rabbitmq|docker|kubernetes|terraform|aws|gcp|azure|tailwind|bootstrap|prisma|fastify|koa|hono|deno|bun|flutter|react native|pytorch|tensorflow|scikit learn|okta|auth0|keycloak|firebase|supabase|playwright|cypress|pytest|jest|vitest|godot|unity|unreal',
  '~devtool':
    'webpack|vite|rollup|esbuild|parcel|turbopack|jest|vitest|mocha|jasmine|karma|cypress|playwright|selenium|enzyme|testing library|redux|zustand|mobx|recoil|redux toolkit|tanstack query|react query|moment|moment js|dayjs|date fn|luxon|npm|yarn|pnpm|bun|create react app|bootstrap|tailwind|material ui|styled component|sass|css module|jquery|axios|lodash|underscore|class component|react hook|graphql|grpc|trpc|soap|options api|composition api|eslint|biome|prettier|tslint|poetry|pip|pipenv|conda|celery|sqlalchemy|sequelize|typeorm|prisma|drizzle|hibernate|maven|gradle|bazel|cmake|svn|subversion|mercurial|log4j|logback|winston|pino|junit 4|junit 5|joda time|gulp|grunt|swc|babel|panda|polars|airflow|cron job|dagster|prefect|ingress nginx|gateway api|istio|linkerd|helm|kustomize|docker swarm|docker compose|docker desktop|podman|puppet|ansible|terraform|cloudformation|pulumi|opentofu|elasticsearch|opensearch|solr|rabbitmq|kafka|kinesis|sqs|redis|valkey|memcached|prometheus|loki|unittest|pytest|coffeescript|protobuf|async await|rest api|redux saga|vuex|pinia|rest',
  '~one': 'a|an|my|our|me|us|new|another|two|three',
  // Of an API that looks something up: "Get the pets of an owner".
  '~lookup': 'of a|of an|by status|by tag|all',
};

/** The names of the word groups. */
export const groupNames: readonly string[] = Object.keys(GROUPS);

/** `words` with the name of a group replaced by what it stands for. */
export function expandGroups(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const group = GROUPS[word];
    return group === undefined ? [word] : expandGroups(group.split('|'));
  });
}
