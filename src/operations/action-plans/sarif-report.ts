import type { LintReport } from '../../action-plans/lint/report.js';
import { sarifOf } from '../../action-plans/lint/sarif.js';
import { VERSION } from '../../kernel/version.js';

export { githubCommands } from '../../action-plans/lint/github.js';

/** A report as SARIF 2.1.0, with this program as the tool. */
export function sarifReport(report: LintReport): ReturnType<typeof sarifOf> {
  return sarifOf(report, VERSION);
}
