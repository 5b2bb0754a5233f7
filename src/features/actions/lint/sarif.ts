import type { Finding, SuppressedFinding } from './finding.js';
import { firstFingerprintOf } from './fingerprint.js';
import type { FileReport, LintReport, UnreadableFile } from './report.js';
import { RULES } from './rules.js';
import { RULE_IDS } from './rule-ids.js';

/** A value of JSON that is only ever written. */
type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/**
 * A report as SARIF 2.1.0. Suppressed findings are there with their reasons, those of the baseline as unchanged; files
 * that could not be read and risks that reach their threshold are notifications.
 * @param version of frctl
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function sarifOf(
  { files, unreadable }: LintReport,
  version: string,
): { readonly [key: string]: Json } {
  const notifications = [...unreadable.map(unreadableNotice), ...files.flatMap(riskNotice)];
  const run = {
    tool: { driver: { name: 'frctl', version, semanticVersion: version, rules: RULES.map(ruleOf) } },
    columnKind: 'utf16CodeUnits',
    invocations: [
      { executionSuccessful: unreadable.length === 0, toolExecutionNotifications: notifications },
    ],
    results: files.flatMap(resultsOf),
  };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
}

function ruleOf({ id, severity, summary, explanation, example }: (typeof RULES)[number]): Json {
  const markdown = `${explanation}\n\nBad:\n\n\`\`\`json\n${example.bad}\n\`\`\`\n\nGood:\n\n\`\`\`json\n${example.good}\n\`\`\`\n`;
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: explanation },
    help: { text: explanation, markdown },
    defaultConfiguration: { level: severity },
  };
}

function resultsOf({ file, findings, suppressed, known }: FileReport): readonly Json[] {
  return [
    ...findings.map((finding) => resultOf(file, finding, {})),
    ...suppressed.map((finding: SuppressedFinding) =>
      resultOf(file, finding, { suppressions: [{ kind: 'inSource', justification: finding.reason }] }),
    ),
    ...known.map((finding) => resultOf(file, finding, { baselineState: 'unchanged' })),
  ];
}

function resultOf(file: string, finding: Finding, more: { readonly [key: string]: Json }): Json {
  const { rule, severity, message, line, column, end_line, end_column, pointer, step } = finding;
  const region = { startLine: line, startColumn: column, endLine: end_line, endColumn: end_column };
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(file) }, region },
        logicalLocations: [
          { fullyQualifiedName: pointer === '' ? '/' : pointer, ...(step === null ? {} : { name: step }) },
        ],
      },
    ],
    // Of both kinds, so that what a service knows already stays known.
    partialFingerprints: { 'frctl/v1': firstFingerprintOf(finding), 'frctl/v2': finding.fingerprint },
    ...more,
  };
}

function unreadableNotice({ file, code, message, line, column }: UnreadableFile): Json {
  const region = line === null ? {} : { region: { startLine: line, startColumn: column ?? 1 } };
  return {
    level: 'error',
    descriptor: { id: code },
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region } }],
  };
}

function riskNotice({ file, risk }: FileReport): readonly Json[] {
  if (!risk.reached) return [];
  const text = `the risk ${risk.score} reaches the threshold ${risk.threshold}`;
  return [
    {
      level: 'error',
      descriptor: { id: 'RISK' },
      message: { text },
      locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }],
    },
  ];
}

/** A path as a URI: relative ones stay so. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/');
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${uri}` : uri.replace(/^([^/]*)%3A\//, 'file:///$1:/');
}
