import type { LintReport } from '../lint/report.js';
import { sarifOf } from '../lint/sarif.js';
import { VERSION } from '../../../kernel/version.js';

export { githubCommands } from '../lint/github.js';

/** A report as SARIF 2.1.0, with this program as the tool. */
export function sarifReport(report: LintReport): ReturnType<typeof sarifOf> {
  return sarifOf(report, VERSION);
}
