import type { LintReport } from '../actions/lint/report.js';
import { sarifOf } from '../actions/lint/sarif.js';
import { VERSION } from '../version.js';

export { githubCommands } from '../actions/lint/github.js';

/** A report as SARIF 2.1.0, with this program as the tool. */
export function sarifReport(report: LintReport): ReturnType<typeof sarifOf> {
  return sarifOf(report, VERSION);
}
