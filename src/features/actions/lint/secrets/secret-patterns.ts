// Made by scripts/secret-patterns.ts from scripts/secret-rules/; edit those.
/*! Holds patterns of @secretlint/secretlint-rule-preset-recommend@13.0.7, under this licence:

Copyright (c) 2020 azu

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/

/** What a kind of secret looks like. */
export interface SecretPattern {
  /** For people, without an article. */
  readonly kind: string;
  /** A name for the value in the context. */
  readonly name: string;
  /** Something that is in every text that matches. */
  readonly hint: RegExp;
  /** In the syntax of RE2. The group `secret`, else the first one, else all of it is the secret. */
  readonly pattern: string;
  /** What else must hold of a match. */
  readonly check: 'basic' | 'assignment' | 'url' | null;
}

/** Something that is in every text that one of them matches. */
export const SECRET_HINT =
  /access|private key|_authtoken=|npm_|xox|xapp-|hooks.slack|shppa_|shpca_|shpat_|shpss_|[rs]k_live_|[rs]k_test_|gh[pousr]_|github_pat_|glpat-|glc_|glsa_|t3blbkfj|sk-ant-|gsk_|hf_|lin_api_|ntn_|ops_ey|hv[sbr]\.|vc[aikpr]_|dapi[\da-f]|dckr_|figd_|cfk_|cfut_|cfat_|tskey-|akia|asia|abia|acca|aws|gl[a-z]{2,5}-|sk-|[sr]k_live_|[sr]k_test_|whsec_|aiza|gocspx-|ya29\.|pypi-age|sg\.|sk[\da-f]{8}|accountkey=|sharedaccesskey=|sig=|q~|azdo|do[opr]_v1_|:aa|[mno][\w-]{23,27}\.[\w-]{6}\.|webhooks\/|eyj|bearer|basic|:\/\/|curl|(?:pass|pwd|secret|key|token|auth|credential)[\w.-]{0,40}(?:\\*["'\]]){0,2}[ \t]{0,4}(?:[=:]|>[^\s<])|--?[\w-]{0,40}(?:pass|pwd|secret|key|token)[\w-]{0,40}[ \t]/i;

/** What secrets look like, by the word of who issues them. */
// prettier-ignore
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  { kind: "AWS secret access key", name: "AWS_SECRET_ACCESS_KEY", hint: /access/i, pattern: String.raw`["']?(?:AWS|aws|Aws)?_?(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)["']?\s*(?::|=>|=)\s*["']?([A-Za-z0-9/\+=]{40})["']?\b`, check: null },
  { kind: "PEM private key", name: "PRIVATE_KEY", hint: /private key/i, pattern: String.raw`(-----BEGIN[ ]?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----\n?([A-Za-z0-9+/=\s\\]{100,})\n?-----END[ ]?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----)`, check: null },
  { kind: "npm token", name: "NPM_TOKEN", hint: /_authtoken=/i, pattern: String.raw`_authToken=([^$].*)`, check: null },
  { kind: "npm token", name: "NPM_TOKEN", hint: /npm_/i, pattern: String.raw`(?:^|[^\p{L}])(npm_[A-Za-z0-9_]{36})(?:[^A-Za-z0-9_]|$)`, check: null },
  { kind: "Slack token", name: "SLACK_TOKEN", hint: /xox|xapp-/i, pattern: String.raw`(\b(?:xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-(?:\d-)?(?:[a-zA-Z0-9]{1,40}-)+[a-zA-Z0-9]{1,40}\b)`, check: null },
  { kind: "Slack webhook", name: "SLACK_WEBHOOK", hint: /hooks.slack/i, pattern: String.raw`(?i)(https:\/\/hooks\.slack\.com\/services\/T[a-zA-Z0-9]{1,40}\/B[a-zA-Z0-9]{1,40}\/[a-zA-Z0-9]{1,40})`, check: null },
  { kind: "Shopify token", name: "SHOPIFY_TOKEN", hint: /shppa_|shpca_|shpat_|shpss_/i, pattern: String.raw`(?:^|[^\p{L}])((shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,64})(?:[^a-zA-Z0-9]|$)`, check: null },
  { kind: "Stripe key", name: "STRIPE_KEY", hint: /[rs]k_live_|[rs]k_test_/i, pattern: String.raw`(?:^|[^\p{L}])((?P<prefix>sk_live|sk_test|rk_live|rk_test)_[a-zA-Z0-9]{24,99})(?:[^a-zA-Z0-9]|$)`, check: null },
  { kind: "GitHub token", name: "GITHUB_TOKEN", hint: /gh[pousr]_|github_pat_/i, pattern: String.raw`(?:^|[^\p{L}])((?P<type>ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36})(?:[^A-Za-z0-9_]|$)`, check: null },
  { kind: "GitHub token", name: "GITHUB_TOKEN", hint: /gh[pousr]_|github_pat_/i, pattern: String.raw`(?:^|[^\p{L}])((?P<type>github_pat)_[A-Za-z0-9_]{82})(?:[^A-Za-z0-9_]|$)`, check: null },
  { kind: "GitHub token", name: "GITHUB_TOKEN", hint: /gh[pousr]_|github_pat_/i, pattern: String.raw`(?:^|[^\p{L}])((?P<type>ghs)_[0-9]{1,20}_[A-Za-z0-9_-]{1,}\.[A-Za-z0-9_-]{1,}\.[A-Za-z0-9_-]{1,})(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "GitLab token", name: "GITLAB_TOKEN", hint: /glpat-/i, pattern: String.raw`(?:^|[^\p{L}])(glpat-[A-Za-z0-9_-]{20,128})(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "Grafana token", name: "GRAFANA_TOKEN", hint: /glc_|glsa_/i, pattern: String.raw`(?:^|[^\p{L}])(glc_[A-Za-z0-9+/]{32,}={0,2})(?:[^A-Za-z0-9+/=]|$)`, check: null },
  { kind: "Grafana token", name: "GRAFANA_TOKEN", hint: /glc_|glsa_/i, pattern: String.raw`(?:^|[^\p{L}])(glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})(?:[^A-Fa-f0-9]|$)`, check: null },
  { kind: "OpenAI key", name: "OPENAI_API_KEY", hint: /t3blbkfj/i, pattern: String.raw`(sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})`, check: null },
  { kind: "Anthropic key", name: "ANTHROPIC_API_KEY", hint: /sk-ant-/i, pattern: String.raw`(?:^|[^\p{L}])(sk-ant-api0\d-[A-Za-z0-9_-]{90,128}AA)(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "Groq key", name: "GROQ_API_KEY", hint: /gsk_/i, pattern: String.raw`(?:^|[^\p{L}])(gsk_[a-zA-Z0-9]{52})(?:[^a-zA-Z0-9]|$)`, check: null },
  { kind: "Hugging Face token", name: "HF_TOKEN", hint: /hf_/i, pattern: String.raw`(?:^|[^\p{L}])(hf_[a-zA-Z]{34})(?:[^a-zA-Z]|$)`, check: null },
  { kind: "Linear key", name: "LINEAR_API_KEY", hint: /lin_api_/i, pattern: String.raw`(?:^|[^\p{L}])(lin_api_[a-zA-Z0-9_]{32,128})(?:[^a-zA-Z0-9_]|$)`, check: null },
  { kind: "Notion token", name: "NOTION_TOKEN", hint: /ntn_/i, pattern: String.raw`(?:^|[^\p{L}])(ntn_[0-9]{11}[A-Za-z0-9]{35})(?:[^A-Za-z0-9]|$)`, check: null },
  { kind: "1Password token", name: "OP_SERVICE_ACCOUNT_TOKEN", hint: /ops_ey/i, pattern: String.raw`(?:^|[^\p{L}])(ops_(ey[A-Za-z0-9+/=]{100,}fQ={0,2}))(?:[^A-Za-z0-9+/=]|$)`, check: null },
  { kind: "Vault token", name: "VAULT_TOKEN", hint: /hv[sbr]\./i, pattern: String.raw`(?:^|[^\p{L}])(hvs\.[A-Za-z0-9_-]{90,120})(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "Vault token", name: "VAULT_TOKEN", hint: /hv[sbr]\./i, pattern: String.raw`(?:^|[^\p{L}])(hvb\.[A-Za-z0-9_-]{138,})(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "Vault token", name: "VAULT_TOKEN", hint: /hv[sbr]\./i, pattern: String.raw`(?:^|[^\p{L}])(hvr\.[A-Za-z0-9_-]{90,120})(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "Vercel token", name: "VERCEL_TOKEN", hint: /vc[aikpr]_/i, pattern: String.raw`(?:^|[^\p{L}])((?P<prefix>vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,60})(?:[^A-Za-z0-9]|$)`, check: null },
  { kind: "Databricks token", name: "DATABRICKS_TOKEN", hint: /dapi[\da-f]/i, pattern: String.raw`(?:^|[^\p{L}])(dapi[A-Fa-f0-9]{32}(?:-[0-9])?)(?:[^A-Fa-f0-9]|$)`, check: null },
  { kind: "Docker token", name: "DOCKER_TOKEN", hint: /dckr_/i, pattern: String.raw`(?:^|[^\p{L}])(dckr_pat_[a-zA-Z0-9_-]{27})(?:[^a-zA-Z0-9_-]|$)`, check: null },
  { kind: "Figma token", name: "FIGMA_TOKEN", hint: /figd_/i, pattern: String.raw`(?:^|[^\p{L}])(figd_[A-Za-z0-9_-]{40,})(?:[^A-Za-z0-9_-]|$)`, check: null },
  { kind: "Cloudflare token", name: "CLOUDFLARE_TOKEN", hint: /cfk_|cfut_|cfat_/i, pattern: String.raw`(?:^|[^\p{L}])((?P<prefix>cfk|cfut|cfat)_[A-Za-z0-9]{40}[0-9a-f]{8})(?:[^A-Za-z0-9]|$)`, check: null },
  { kind: "Tailscale key", name: "TAILSCALE_KEY", hint: /tskey-/i, pattern: String.raw`(?:^|[^\p{L}])(tskey-(?P<type>[a-z]{2,20})-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60})(?:[^0-9A-Za-z_]|$)`, check: null },
  { kind: "PEM private key", name: "PRIVATE_KEY", hint: /private key/i, pattern: String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-{1,4}[^-])*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\r\n\\]*)`, check: null },
  { kind: "AWS access key id", name: "AWS_ACCESS_KEY_ID", hint: /akia|asia|abia|acca/i, pattern: String.raw`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`, check: null },
  { kind: "AWS secret access key", name: "AWS_SECRET_ACCESS_KEY", hint: /aws/i, pattern: String.raw`(?i)aws_?secret(?:_?access)?_?key["' ]{0,3}[=:]["' ]{0,3}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`, check: null },
  { kind: "GitHub token", name: "GITHUB_TOKEN", hint: /gh[pousr]_|github_pat_/i, pattern: String.raw`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`, check: null },
  { kind: "GitLab token", name: "GITLAB_TOKEN", hint: /gl[a-z]{2,5}-/i, pattern: String.raw`\bgl(?:pat|ptt|dt|rt|cbt|agent|ft|imt|soat)-[\w-]{20,}`, check: null },
  { kind: "Slack token", name: "SLACK_TOKEN", hint: /xox|xapp-/i, pattern: String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}`, check: null },
  { kind: "Slack webhook", name: "SLACK_WEBHOOK", hint: /hooks.slack/i, pattern: String.raw`https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}`, check: null },
  { kind: "Anthropic key", name: "ANTHROPIC_API_KEY", hint: /sk-ant-/i, pattern: String.raw`\bsk-ant-[A-Za-z0-9_-]{20,}`, check: null },
  { kind: "OpenAI key", name: "OPENAI_API_KEY", hint: /sk-/i, pattern: String.raw`\bsk-(?:[A-Za-z_-]{0,60}\d[A-Za-z0-9_-]{20,}|[A-Za-z0-9_-]{19}[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*|[A-Za-z_-]{0,20}\d[A-Za-z0-9_-]{19,})`, check: null },
  { kind: "Stripe key", name: "STRIPE_KEY", hint: /[sr]k_live_|[sr]k_test_|whsec_/i, pattern: String.raw`\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]{24,}`, check: null },
  { kind: "Google API key", name: "GOOGLE_API_KEY", hint: /aiza/i, pattern: String.raw`\bAIza[A-Za-z0-9_-]{35}`, check: null },
  { kind: "Google OAuth secret", name: "GOOGLE_CLIENT_SECRET", hint: /gocspx-|ya29\./i, pattern: String.raw`\bGOCSPX-[A-Za-z0-9_-]{20,}|\bya29\.[A-Za-z0-9_-]{20,}`, check: null },
  { kind: "npm token", name: "NPM_TOKEN", hint: /npm_/i, pattern: String.raw`\bnpm_[A-Za-z0-9]{36}\b`, check: null },
  { kind: "PyPI token", name: "PYPI_TOKEN", hint: /pypi-age/i, pattern: String.raw`\bpypi-AgE[A-Za-z0-9_-]{40,}`, check: null },
  { kind: "SendGrid key", name: "SENDGRID_API_KEY", hint: /sg\./i, pattern: String.raw`\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}`, check: null },
  { kind: "Twilio key", name: "TWILIO_API_KEY", hint: /sk[\da-f]{8}/i, pattern: String.raw`\bSK[0-9a-f]{32}\b`, check: null },
  { kind: "Azure storage key", name: "AZURE_STORAGE_KEY", hint: /accountkey=/i, pattern: String.raw`(?i)AccountKey=([A-Za-z0-9+/]{60,100}={0,2})`, check: null },
  { kind: "Azure shared access key", name: "AZURE_SHARED_ACCESS_KEY", hint: /sharedaccesskey=/i, pattern: String.raw`(?i)SharedAccessKey=([A-Za-z0-9+/]{40,100}={0,2})`, check: null },
  { kind: "Azure SAS signature", name: "AZURE_SAS", hint: /sig=/i, pattern: String.raw`(?i)(?:^|[?&;\s"'])sig=([A-Za-z0-9%+/_-]{40,100}={0,2})(?:[^A-Za-z0-9%+/_=-]|$)`, check: null },
  { kind: "Azure client secret", name: "AZURE_CLIENT_SECRET", hint: /q~/i, pattern: String.raw`(?:^|[^\w.~-])([A-Za-z0-9_.~-]{3}\dQ~[A-Za-z0-9_.~-]{31,34})(?:[^\w.~-]|$)`, check: null },
  { kind: "Azure DevOps token", name: "AZURE_DEVOPS_TOKEN", hint: /azdo/i, pattern: String.raw`\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b`, check: null },
  { kind: "Hugging Face token", name: "HF_TOKEN", hint: /hf_/i, pattern: String.raw`\bhf_[A-Za-z0-9]{30,60}\b`, check: null },
  { kind: "Vault token", name: "VAULT_TOKEN", hint: /hv[sbr]\./i, pattern: String.raw`\bhv[sbr]\.[A-Za-z0-9_-]{20,}`, check: null },
  { kind: "Groq key", name: "GROQ_API_KEY", hint: /gsk_/i, pattern: String.raw`\bgsk_[A-Za-z0-9]{32,}`, check: null },
  { kind: "Docker token", name: "DOCKER_TOKEN", hint: /dckr_/i, pattern: String.raw`\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`, check: null },
  { kind: "DigitalOcean token", name: "DIGITALOCEAN_TOKEN", hint: /do[opr]_v1_/i, pattern: String.raw`\bdo[opr]_v1_[A-Fa-f0-9]{64}\b`, check: null },
  { kind: "Telegram bot token", name: "TELEGRAM_BOT_TOKEN", hint: /:aa/i, pattern: String.raw`(?:^|bot|[^\w:-])(\d{6,12}:AA[A-Za-z0-9_-]{33})(?:[^\w-]|$)`, check: null },
  { kind: "Discord bot token", name: "DISCORD_TOKEN", hint: /[mno][\w-]{23,27}\.[\w-]{6}\./i, pattern: String.raw`(?:^|[^\w-])([MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?:[^\w-]|$)`, check: null },
  { kind: "Discord webhook", name: "DISCORD_WEBHOOK", hint: /webhooks\//i, pattern: String.raw`https://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{15,25}/[A-Za-z0-9_-]{50,100}`, check: null },
  { kind: "JSON Web Token", name: "JWT", hint: /eyj/i, pattern: String.raw`(?:^|[^\w-])(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})`, check: null },
  { kind: "bearer token", name: "BEARER_TOKEN", hint: /bearer/i, pattern: String.raw`(?i)\bbearer[ \t]+([A-Za-z0-9._~+/=-]{16,})`, check: null },
  { kind: "basic credentials", name: "BASIC_CREDENTIALS", hint: /basic/i, pattern: String.raw`(?i)\bbasic[ \t]+([A-Za-z0-9+/_-]{4,}={0,2})(?:[^\w=-]|$)`, check: "basic" },
  { kind: "password in a URL", name: "URL_PASSWORD", hint: /:\/\//i, pattern: String.raw`(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@?#"'<>]{0,100}:([^\s/?"'<>]{1,200})@`, check: "url" },
  { kind: "credentials of a command", name: "PASSWORD", hint: /curl/i, pattern: String.raw`\bcurl\b[^\n]{0,500}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,100}:([^\s"']{1,200})`, check: null },
  { kind: "password", name: "PASSWORD", hint: /(?:pass|pwd|secret|key|token|auth|credential)[\w.-]{0,40}(?:\\*["'\]]){0,2}[ \t]{0,4}(?:[=:]|>[^\s<])/i, pattern: String.raw`(?P<key>[A-Za-z0-9_.$-]*(?i:pass|pwd|secret|key|token|auth|credential)[A-Za-z0-9_.-]*)(?:\\*["'\]]){0,2}(?P<sign>[ \t]{0,4}(?:=>|:=|={1,3}|:)[ \t]{0,4}|>)(?P<secret>\\*"[^"\n]*"|'[^'\n]*'|[^\s"'\x60,;&<]+)`, check: "assignment" },
  { kind: "password", name: "PASSWORD", hint: /--?[\w-]{0,40}(?:pass|pwd|secret|key|token)[\w-]{0,40}[ \t]/i, pattern: String.raw`(?:^|\s)--?(?P<key>[A-Za-z0-9-]*(?i:pass|pwd|secret|key|token)[A-Za-z0-9-]*)(?P<sign>[ \t]+)(?P<secret>"[^"\n]*"|'[^'\n]*'|[^\s"'\x60;&<-][^\s"'\x60;&<]*)`, check: "assignment" },
];
