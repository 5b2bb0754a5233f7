/**
 * What the value of a member must be to be data. `key`: a text or a number. `name`: a text that is one part of a path at
 * most. `place`, `places`: addresses of the web, and files that a relative path names without leaving its folder. `off`:
 * false, for what makes the tool run something when it is true.
 */
type DataShape =
  | 'text'
  | 'texts'
  | 'number'
  | 'flag'
  | 'off'
  | 'key'
  | 'keys'
  | 'name'
  | 'place'
  | 'places'
  | { readonly members: DataMembers }
  | { readonly list: DataMembers }
  | { readonly any: readonly DataShape[] };

interface DataMembers {
  readonly [name: string]: DataShape;
}

const PERSON: DataMembers = { id: 'key', login: 'text', name: 'text', is_bot: 'flag', databaseId: 'number' };

const GITHUB_COMMENT: DataMembers = {
  id: 'key',
  author: { members: PERSON },
  authorAssociation: 'text',
  body: 'text',
  createdAt: 'text',
  includesCreatedEdit: 'flag',
  isMinimized: 'flag',
  minimizedReason: 'text',
  url: 'place',
  viewerDidAuthor: 'flag',
};

/**
 * Every member of another tool that is kept for it, and goes back, by the tool: what it is, when, by whom, and what it is
 * called. Nothing is here that has the tool run something: no command, hook, editor, prompt, gate, or switch that has it call git or open a
 * browser; what is not here is left out and said. `ticked`, `done_criteria`, `done_ticked`, `completed`, `milestone_id`, `collection`,
 * `description_parts`, `links` and `group` are notes of frctl itself.
 */
export const DATA_MEMBERS = {
  backlog: {
    id: 'text',
    title: 'text',
    status: 'text',
    milestone: 'text',
    milestone_id: 'text',
    parent_task_id: 'text',
    completed: 'flag',
    ticked: 'texts',
    done_criteria: 'texts',
    done_ticked: 'texts',
    assignee: 'texts',
    reporter: 'text',
    created_date: 'text',
    completed_date: 'text',
    updated_date: 'text',
    due_date: 'text',
    ordinal: 'number',
    type: 'text',
    subtasks: 'texts',
    references: 'places',
    documentation: 'places',
    modified_files: 'places',
    config: {
      members: {
        project_name: 'text',
        default_status: 'text',
        statuses: 'texts',
        labels: 'texts',
        milestones: 'texts',
        categories: 'texts',
        priorities: 'texts',
        types: 'texts',
        definition_of_done: 'texts',
        default_assignee: 'text',
        default_reporter: 'text',
        date_format: 'text',
        timezone_preference: 'text',
        include_datetime_in_dates: 'flag',
        max_column_width: 'number',
        default_port: 'number',
        active_branch_days: 'number',
        zero_padded_ids: 'number',
        task_prefix: 'name',
        filesystem_only: 'flag',
        auto_commit: 'off',
        auto_open_browser: 'off',
        bypass_git_hooks: 'off',
        check_active_branches: 'off',
        remote_operations: 'off',
      },
    },
  },
  beads: {
    id: 'text',
    status: 'text',
    issue_type: 'text',
    collection: 'flag',
    memories: { list: { key: 'text', value: 'text' } },
    ticked: 'texts',
    links: {
      list: {
        id: 'key',
        title: 'text',
        status: 'text',
        priority: 'number',
        issue_type: 'text',
        dependency_type: 'text',
        issue_id: 'text',
        depends_on_id: 'text',
        type: 'text',
        created_at: 'text',
        created_by: 'text',
        thread_id: 'text',
        metadata: 'text',
      },
    },
    _type: 'text',
    spec_id: 'text',
    assignee: 'text',
    owner: 'text',
    sender: 'text',
    created_at: 'text',
    created_by: 'text',
    updated_at: 'text',
    started_at: 'text',
    closed_at: 'text',
    closed_by_session: 'text',
    due_at: 'text',
    defer_until: 'text',
    estimated_minutes: 'number',
    external_ref: 'place',
    source_system: 'text',
    source_repo: 'place',
    compaction_level: 'number',
    compacted_at: 'text',
    compacted_at_commit: 'text',
    dependency_count: 'number',
    dependent_count: 'number',
    comment_count: 'number',
    original_size: 'number',
    pinned: 'flag',
    is_template: 'flag',
    ephemeral: 'flag',
    comments: { list: { id: 'key', issue_id: 'text', author: 'text', text: 'text', created_at: 'text' } },
  },
  github: {
    number: 'number',
    state: 'text',
    collection: 'flag',
    item: 'flag',
    box: 'text',
    ticked: 'texts',
    labels: {
      list: {
        id: 'key',
        node_id: 'text',
        name: 'text',
        description: 'text',
        color: 'text',
        default: 'flag',
        url: 'place',
      },
    },
    id: 'key',
    url: 'place',
    author: { members: PERSON },
    assignees: { list: PERSON },
    milestone: { members: { number: 'number', title: 'text', description: 'text', dueOn: 'text' } },
    createdAt: 'text',
    updatedAt: 'text',
    closedAt: 'text',
    closed: 'flag',
    isPinned: 'flag',
    stateReason: 'text',
    comments: { list: GITHUB_COMMENT },
  },
  taskmaster: {
    id: 'text',
    status: 'text',
    tag: 'name',
    untagged: 'flag',
    bare: 'flag',
    parentId: 'key',
    parentTaskId: 'key',
    databaseId: 'key',
    metadata: {
      members: {
        created: 'text',
        updated: 'text',
        description: 'text',
        version: 'text',
        lastModified: 'text',
        lastUpdated: 'text',
        generatedAt: 'text',
        projectName: 'text',
        taskCount: 'number',
        completedCount: 'number',
        totalTasks: 'number',
        tags: 'texts',
      },
    },
    complexity: 'number',
    complexityScore: 'number',
    complexityReasoning: 'text',
    recommendedSubtasks: 'number',
    previousStatus: 'text',
    createdAt: 'text',
    updatedAt: 'text',
    dueDate: 'text',
    assignee: 'text',
    effort: 'number',
    actualEffort: 'number',
    labels: 'texts',
    tags: 'texts',
    category: 'text',
    skills: 'texts',
    acceptanceCriteria: 'texts',
    implementationApproach: 'text',
    technicalConstraints: 'texts',
    scopeBoundaries: { members: { included: 'text', excluded: 'text' } },
    existingInfrastructure: { list: { name: 'text', location: 'place', usage: 'text' } },
    relevantFiles: { list: { path: 'place', description: 'text', action: 'text' } },
  },
  speckit: { collection: 'flag', folder: 'name', phase: 'text', artifacts: 'places', group: 'flag' },
  openspec: { collection: 'flag', change: 'name', group: 'flag' },
} as const satisfies Readonly<Record<string, DataMembers>>;

/** What an export writes of a goal itself, by the tool: it is kept where it would be written otherwise than it was. */
const WRITTEN_MEMBERS: Readonly<Record<KeptTool, DataMembers>> = {
  backlog: { file: 'name', text: 'text' },
  beads: {
    title: 'text',
    description: 'text',
    design: 'text',
    acceptance_criteria: 'text',
    notes: 'text',
    priority: 'number',
    close_reason: 'text',
    labels: 'texts',
    dependencies: { any: ['texts', { list: DATA_MEMBERS.beads.links.list }] },
  },
  github: {
    title: 'text',
    body: 'text',
    labels: { any: ['texts', { list: DATA_MEMBERS.github.labels.list }] },
  },
  taskmaster: {
    id: 'key',
    status: 'text',
    title: 'text',
    description: 'text',
    details: 'text',
    testStrategy: 'text',
    priority: 'text',
    dependencies: 'keys',
  },
  speckit: {},
  openspec: {},
};

/** A tool of which members are kept. */
export type KeptTool = keyof typeof DATA_MEMBERS;

/** Keeps of a record as a tool has it what is data: null too, which says something there. */
export function recordData(record: Readonly<Record<string, unknown>>, tool: KeptTool) {
  const whole = { ...DATA_MEMBERS[tool], ...WRITTEN_MEMBERS[tool] };
  return membersIn(record, whole, () => undefined);
}

/** What of some members is data, and the paths of those that are not, in order: `config.default_editor`. */
export interface KeptData {
  readonly data: Readonly<Record<string, unknown>>;
  readonly leftOut: readonly string[];
}

/** Keeps of the members that a goal has of another tool what is data, by the list of that tool. */
export function dataOf(original: Readonly<Record<string, unknown>>, tool: KeptTool): KeptData {
  const leftOut: string[] = [];
  const members: DataMembers = DATA_MEMBERS[tool];
  const whole = { ...members, ...WRITTEN_MEMBERS[tool] };
  const listed = {
    ...members,
    at: 'number',
    said_open: 'flag',
    held_with: 'text',
    as_written: 'text',
    not_there: 'texts',
    as_was: { members: whole },
  } as const;
  const data = membersIn(original, listed, (path) => void leftOut.push(path));
  return { data, leftOut };
}

type LeaveOut = (path: string) => void;

function membersIn(
  value: object,
  members: DataMembers,
  leaveOut: LeaveOut,
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(value).flatMap(
    ([name, member]: [string, unknown]): (readonly [string, unknown])[] => {
      if (member === undefined) return [];
      if (member === null) return Object.hasOwn(members, name) ? [[name, null] as const] : [];
      const shape = Object.hasOwn(members, name) ? members[name] : undefined;
      const found =
        shape === undefined ? undefined : valueIn(member, shape, (path) => leaveOut(`${name}${path}`));
      if (found === undefined) leaveOut(name);
      return found === undefined ? [] : [[name, found] as const];
    },
  );
  return Object.fromEntries(kept);
}

/** A value as it is kept; undefined for one that is not. @param leaveOut told of a part of it that is not */
function valueIn(value: unknown, shape: DataShape, leaveOut: LeaveOut): unknown {
  if (typeof shape === 'string') return SIMPLE[shape](value, leaveOut);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('any' in shape) {
    for (const each of shape.any) {
      const found = valueIn(value, each, () => undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if ('members' in shape)
    return Array.isArray(value) ? undefined : membersIn(value, shape.members, (path) => leaveOut(`.${path}`));
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((each: unknown) => {
    if (typeof each === 'object' && each !== null && !Array.isArray(each))
      return [membersIn(each, shape.list, (path) => leaveOut(`[].${path}`))];
    leaveOut('[]');
    return [];
  });
}

type SimpleShape = Extract<DataShape, string>;

const SIMPLE: Readonly<Record<SimpleShape, (value: unknown, leaveOut: LeaveOut) => unknown>> = {
  text: (value) => (isText(value) ? value : undefined),
  number: (value) => (isNumber(value) ? value : undefined),
  key: (value) => (isText(value) || isNumber(value) ? value : undefined),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  off: (value) => (value === false ? value : undefined),
  name: (value) => (isText(value) && isName(value) ? value : undefined),
  place: (value) => (isText(value) && isPlace(value) ? value : undefined),
  keys: (value, leaveOut) => listIn(value, (one) => isText(one) || isNumber(one), leaveOut),
  texts: (value, leaveOut) => listIn(value, isText, leaveOut),
  places: (value, leaveOut) => listIn(value, (one) => isText(one) && isPlace(one), leaveOut),
};

/** A list without what may not be in it, where anything is left; one that stands alone is taken too. */
function listIn(value: unknown, isKept: (one: unknown) => boolean, leaveOut: LeaveOut): unknown {
  if (!Array.isArray(value)) return isKept(value) ? value : undefined;
  const kept = value.filter(isKept);
  if (kept.length === 0 && value.length > 0) return undefined;
  if (kept.length < value.length) leaveOut('[]');
  return kept;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isName(text: string): boolean {
  return /^[^\\/\p{C}]{1,255}$/u.test(text) && text !== '.' && text !== '..';
}

/** Whether a text leads to the web, or to a file below the folder that it is read in. */
function isPlace(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false;
  if (/^https?:\/\//i.test(text)) return true;
  return !/^(?:[\\/~]|[a-z][a-z\d+.-]*:(?!\s))/i.test(text) && !text.split(/[\\/]/).includes('..');
}
