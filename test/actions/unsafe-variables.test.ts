import { describe, expect, test } from 'vitest';

import { readToolsFile } from '../../src/features/actions/tools/read-tools-file.js';
import { reasonAgainstName } from '../../src/features/actions/tools/unsafe-names.js';
import { problemOfWord, unsafeVariables } from '../../src/features/actions/tools/unsafe-variables.js';

const NONE: ReadonlySet<string> = new Set();

/** The names that a tool, and a server of the same form, set and must not. */
function refused(
  started: { readonly command: readonly string[]; env?: object },
  allowed = NONE,
): readonly string[] {
  // The words of a server hold no placeholder.
  const server = { ...started, command: started.command.map((word) => word.replace('${', () => '$${')) };
  const file = readToolsFile(
    JSON.stringify({ servers: { s: server }, tools: [{ name: 't', effects: 'none', run: started }] }),
    'tools.json',
  );
  const found = unsafeVariables(file, allowed);
  const [ofServer, ofTool] = ['server s', 'tool t'].map((who) =>
    found.filter(({ place }) => place.endsWith(who)).map(({ name }) => name),
  );
  const hasPlaceholder = JSON.stringify(started.command).includes('${');
  expect(hasPlaceholder ? ofTool : ofServer).toEqual(ofTool);
  return ofTool ?? [];
}

const REFUSED = [
  'PATH PATHEXT CDPATH SHELL ComSpec BASH_ENV ENV ZDOTDIR SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND IFS FPATH CONFIG_SITE',
  'LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES GCONV_PATH LOCPATH OPENSSL_CONF OPENSSL_MODULES GTK_MODULES SDL_DYNAMIC_API',
  'HOME XDG_CONFIG_HOME XDG_DATA_DIRS USERPROFILE APPDATA',
  'NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE npm_config_script_shell NPM_CONFIG_USERCONFIG YARN_RC_FILENAME TS_NODE_PROJECT BUN_CONFIG DENO_DIR PUPPETEER_EXECUTABLE_PATH',
  'PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTEST_ADDOPTS PIP_INDEX_URL VIRTUAL_ENV DJANGO_SETTINGS_MODULE FLASK_APP',
  'PERL5OPT PERL5LIB PERLLIB PERL5DB RUBYOPT RUBYLIB BUNDLE_GEMFILE GEM_HOME PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_INIT_5_4 R_PROFILE_USER JULIA_LOAD_PATH AWKPATH ERL_FLAGS',
  'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_USER_HOME DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH MONO_PATH',
  'CC CXX LD MAKEFLAGS MAKEFILES CMAKE_PREFIX_PATH RUSTC_WRAPPER RUSTFLAGS CARGO_HOME GOFLAGS GOROOT COMPILER_PATH GCC_EXEC_PREFIX',
  'GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG_COUNT GIT_PAGER GIT_EXTERNAL_DIFF GIT_DIR SSH_ASKPASS SSH_AUTH_SOCK GNUPGHOME HGRCPATH SVN_SSH CVS_RSH RSYNC_RSH',
  'EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESS VIMINIT EXINIT TAR_OPTIONS GREP_OPTIONS WGETRC PSQLRC RIPGREP_CONFIG_PATH FZF_DEFAULT_COMMAND',
  'KUBECONFIG DOCKER_CONFIG DOCKER_HOST AWS_CONFIG_FILE CLOUDSDK_PYTHON TF_CLI_CONFIG_FILE HELM_PLUGINS ANSIBLE_CONFIG',
  'HTTPS_PROXY http_proxy NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE',
  'DBUS_SESSION_BUS_ADDRESS ZIP TAR ESHELL GETCONF_DIR GVBINDIR NMAPDIR OMP_TOOL_LIBRARIES TMUX THOR_MERGE BORG_PASSCOMMAND RCLONE_METADATA_MAPPER',
  'CC_FOR_BUILD CC_x86_64_unknown_linux_gnu HOST_CC PROTOC QMAKESPEC GOPACKAGESDRIVER ANDROID_SDK_ROOT FLUTTER_ROOT CDK_APP OMPI_MCA_plm_rsh_agent CLUAINPUTS',
  'LD_FOR_BUILD AR TARGET_CXX_aarch64_linux_android PULSE_CLIENTCONFIG PULSE_DLPATH JACK_DRIVER_DIR PLTUSERHOME PLTCOLLECTS PUB_CACHE PUB_HOSTED_URL ANDROID_HOME ANDROID_NDK TEXINPUTS TEXINPUTS_latex BSTINPUTS STACK_YAML CONTAINER_HOST PARALLEL PARALLEL_SHELL LDAPCONF PGOPTIONS',
  // Those of programs that nobody has thought of.
  'ACME_PLUGIN_PATH ACME_HOME ACME_OPTS ACME_FLAGS ACME_CONFIG_FILE ACME_EDITOR ACME_PAGER ACME_WRAPPER ACME_COMMAND ACME_PYTHON ACME_LIBRARY ACME_EXE ACME_SCRIPT ACMERC',
]
  .join(' ')
  .split(' ');

const ALLOWED =
  'NODE_ENV CI LANG LC_ALL TZ TERM NO_COLOR DEBUG TOKEN API_KEY DATABASE_URL PORT HOST USER SRC GITHUB_TOKEN AWS_SECRET_ACCESS_KEY AWS_REGION PGHOST TMPDIR RAILS_ENV RUST_LOG TF_VAR_name LOG_LEVEL GOAL GOOGLE_API_KEY CC_EMAIL PUB_DATE ANDROID_SERIAL JACK_ID PULSE_TOKEN FORM_INPUTS CI_NODE TEAM_RUBY RECOMMAND PLTFORM CREDITOR STACK_NAME CONTAINER_NAME PARALLELISM'.split(
    ' ',
  );

describe('a variable that a tools file sets', () => {
  test('and that chooses a program or has one load code is refused, of tools and of servers', () => {
    expect(REFUSED.filter((name) => reasonAgainstName(name) === null)).toEqual([]);
    expect(
      refused({ command: ['true'], env: Object.fromEntries(REFUSED.map((name) => [name, 'x'])) }),
    ).toEqual(REFUSED);
  });

  test('and that does neither is not', () => {
    expect(ALLOWED.filter((name) => reasonAgainstName(name) !== null)).toEqual([]);
  });

  test.each([
    ['a list of names', ['PATH', 'NODE_OPTIONS']],
    ['the value of the same name', { PATH: '${env:PATH}', NODE_OPTIONS: '${env:NODE_OPTIONS}' }],
  ])('is not when it passes on the user’s own value, by %s', (_how, env) => {
    expect(refused({ command: ['true'], env })).toEqual([]);
  });

  test.each([
    [{ PATH: './bin:${env:PATH}' }],
    [{ PATH: '${env:PATH}:bin' }],
    [{ PATH: '${env:MY_BIN}' }],
    [{ PATH: '' }],
    [{ path: 'bin' }],
  ])('is when it is another value: %j', (env) => {
    expect(refused({ command: ['true'], env })).toEqual(Object.keys(env));
  });

  test('is not when the user’s own config allows the name, and no other', () => {
    const env = { NODE_OPTIONS: '--no-warnings', NODE_PATH: '.' };
    expect(refused({ command: ['true'], env }, new Set(['NODE_OPTIONS']))).toEqual(['NODE_PATH']);
  });

  test.each([
    ['env', 'PATH=./bin', 'git'],
    ['/usr/bin/env', '-i', 'PATH=./bin', 'git'],
    ['env', '-S', 'PATH=./bin git'],
    ['env', '-S', `P"AT"H='./bin' git`],
    ['sh', '-c', `export "PA"'TH=./bin'; git`],
    ['env', '-SPATH=./bin', 'git'],
    ['env', '-iSPATH=./bin', 'git'],
    ['env', '--split-string=PATH=./bin git'],
    ['env', '-S', 'A=1\\_PATH=./bin git'],
    ['env', 'A=1', 'PATH+=:./bin', 'git'],
    ['nice', 'env', 'PATH=./bin', 'git'],
    ['busybox', 'env', 'PATH=./bin', 'git'],
    ['sudo', 'PATH=./bin', 'git'],
    ['systemd-run', '--setenv=PATH=./bin', 'git'],
    ['cmake', '-E', 'env', 'PATH=./bin', 'git'],
    ['make', 'PATH=./bin', 'all'],
    ['sh', '-c', 'PATH=./bin git'],
    ['sh', '-c', 'cd src;PATH=./bin git'],
    ['bash', '-c', 'export PATH=./bin; git'],
    ['bash', '-c', 'true&&PATH=./bin git'],
    ['bash', '-c', '(PATH=./bin; git)'],
    ['bash', '-c', 'declare -x "PATH=./bin"; git'],
  ])('is also when a command line sets it: %s %s %s', (...command) => {
    expect(refused({ command })).toEqual(['PATH']);
  });

  test.each([
    [['env', 'PATH=${env:PATH}', 'git']],
    [['env', 'A=1', 'NODE_ENV=test', 'node', 's.js']],
    [['curl', 'https://example.org/?path=x&home=y']],
    [['tool', '--path=x', '--output-path=y', 'path=z', '-DCMAKE_PREFIX_PATH=/usr']],
    [['git', 'log', '--format=%H %s', '--end-of-options', '${since}..HEAD']],
    [['echo', 'PATH', '=', '$PATH']],
  ])('is not when a command line says something else: %j', (command) => {
    expect(refused({ command })).toEqual([]);
  });

  test('is refused of a script too', () => {
    const file = readToolsFile(
      JSON.stringify({
        tools: [{ name: 't', run: { shell: true, command: ['BASH_ENV=./x bash -c true'] } }],
      }),
      'tools.json',
    );
    expect(unsafeVariables(file, NONE)).toMatchObject([{ name: 'BASH_ENV', value: './x' }]);
  });

  test('by the arguments of a step is refused when they are known', () => {
    expect(problemOfWord('PATH=./bin', '${x}', [])).toContain('would set PATH');
    expect(problemOfWord('PATH=./bin', 'P${x}', [])).toContain('would set PATH');
    expect(problemOfWord('PATH=./bin', '${x}', ['PATH'])).toBeNull();
    for (const [word, template] of [
      ['PATH=/usr/bin', 'PATH=${env:PATH}'],
      ['a text with PATH=x in it', '${x}'],
      ['NAME=x', '${x}'],
      ['path=x', '${x}'],
    ] as const)
      expect(problemOfWord(word, template, [])).toBeNull();
  });
});
