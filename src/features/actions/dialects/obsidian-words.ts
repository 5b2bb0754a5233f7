/** Kinds of context that a plan of Obsidian can ask for. */
export const OBSIDIAN_CONTEXT_KINDS: ReadonlySet<string> = new Set([
  'activeFilePath',
  'selection',
  'cursor',
  'workspaceContext',
  'commandList',
  'vaultFileList',
]);

/** What such a plan can have shown when it has run. */
export const OBSIDIAN_OUTPUTS = ['showCreatedFiles', 'showModifiedFiles', 'showCommandRuns'] as const;
