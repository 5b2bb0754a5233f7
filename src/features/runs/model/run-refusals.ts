/** Why an event leaves a run as it was. Steps are named by their instances. */
export type RunRefusal =
  | { readonly code: 'no_run' }
  | { readonly code: 'run_exists' }
  | { readonly code: 'ended'; readonly outcome: 'succeeded' | 'failed' | 'aborted' }
  // starting
  | { readonly code: 'not_approved' }
  | { readonly code: 'approval_used' }
  | { readonly code: 'approval_exists'; readonly scope: string }
  | { readonly code: 'voided' }
  | { readonly code: 'expired'; readonly expires_at: string }
  | { readonly code: 'other_digest'; readonly of: 'plan' | 'tools' | 'workspace' }
  | { readonly code: 'run_taken' }
  | { readonly code: 'not_running' }
  | { readonly code: 'not_left' }
  // steps
  | { readonly code: 'not_open'; readonly step: string; readonly state: string }
  | { readonly code: 'wrong_attempt'; readonly step: string; readonly expected: number }
  | { readonly code: 'no_intent'; readonly step: string }
  | { readonly code: 'tool_changed'; readonly step: string; readonly tool: string }
  | { readonly code: 'not_unknown'; readonly step: string; readonly state: string }
  | { readonly code: 'not_waiting'; readonly step: string }
  | { readonly code: 'items_differ'; readonly step: string };

type RunRefusalCode = RunRefusal['code'];
type RefusalOf<Code extends RunRefusalCode> = Extract<RunRefusal, { readonly code: Code }>;

const WORDINGS: { readonly [Code in RunRefusalCode]: (refusal: RefusalOf<Code>) => string } = {
  no_run: () => 'no run has been prepared',
  run_exists: () => 'the run exists already',
  ended: ({ outcome }) => `the run has ended: ${outcome}`,
  not_approved: () => 'the run is not approved',
  approval_used: () => 'the approval has been used',
  approval_exists: ({ scope }) =>
    scope === 'run' ? 'the run is approved already' : `${scope} is approved already`,
  voided: () => 'the run takes no approval any more: too many wrong codes were given',
  expired: ({ expires_at }) => `it expired at ${expires_at}`,
  other_digest: ({ of }) => `the approval is for another ${of}`,
  run_taken: () => 'another process has started the run',
  not_running: () => 'no process is running it',
  not_left: () => 'the run is not left to workers',
  not_open: ({ step, state }) => `${step} is ${state}`,
  wrong_attempt: ({ step, expected }) => `the next attempt of ${step} is number ${expected}`,
  no_intent: ({ step }) => `no attempt of ${step} was begun`,
  tool_changed: ({ step, tool }) => `the tool ${tool} of ${step} is not the one that was prepared`,
  not_unknown: ({ step, state }) => `${step} is ${state}: its outcome is known`,
  not_waiting: ({ step }) => `${step} waits for nobody`,
  items_differ: ({ step }) => `${step} was begun over other items`,
};

/** Words a refusal: the one place where that is done. */
export function wordRunRefusal(refusal: RunRefusal): string {
  return word(refusal);
}

function word<Code extends RunRefusalCode>(refusal: { readonly code: Code } & RunRefusal): string {
  const wording: (one: never) => string = WORDINGS[refusal.code];
  // The wording stands under the code of the refusal.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wording(refusal as never);
}
