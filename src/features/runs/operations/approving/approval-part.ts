/** One thing that a person sees before he agrees, besides the plan itself. */
export interface ApprovalPart {
  readonly title: string;
  /** Whole, and safe on a terminal and on a page: a value of JSON, or one line. */
  readonly lines: readonly string[];
  /** `time`: one line, a time in ISO 8601. */
  readonly kind: 'line' | 'list' | 'time';
}
