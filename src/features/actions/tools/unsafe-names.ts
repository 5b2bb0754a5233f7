/**
 * Names of variables that choose which program runs, or have one load code that nobody named, each group with why. The
 * first that fits a name tells the reason. What only says how a program speaks (`LANG`, `TERM`, `NODE_ENV`, `CI`) and what
 * holds data or a secret fits none.
 */
const GROUPS: readonly (readonly [reason: string, names: string])[] = [
  [
    'it says where programs are found, or which shell runs',
    'PATH|PATHEXT|CDPATH|GETCONF_DIR|SHELL|COMSPEC|SYSTEMROOT|WINDIR|EXECIGNORE|DEVELOPER_DIR|TOOLCHAINS|SDKROOT',
  ],
  [
    'a shell runs or reads what it names when it starts, or reads scripts by it',
    'ENV|BASH_.*|BASHOPTS|SHELLOPTS|ZDOTDIR|KSH_.*|FPATH|FISH_.*|NU_.*|FN_.*|PS[0-4]|PROMPT_COMMAND|IFS|INPUTRC|CONFIG_SITE|DIRENV_.*',
  ],
  [
    'the loader of programs loads libraries by it',
    'LD_.*|DYLD_.*|_RLD.*|LIBPATH|SHLIB_PATH|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*|NIX_.*|WINE(?:PREFIX|DLL|LOADER|SERVER|ARCH|_).*|QEMU_.*|OPENSSL_.*|SSL_(?:CERT|ENGINE).*|GTK.*|GDK_.*|GIO_.*|GI_.*|GST_.*|QT_.*|QML.*|VK_.*|__?EGL_.*|__GLX_.*|LIBGL_.*|OCL_.*|SDL_.*|SASL_.*|KRB5_.*|GSS_.*|P11_.*|PKCS11_.*|ODBC.*|LIBMYSQL_.*|GVBINDIR|NMAPDIR|WIRESHARK_.*|PULSE_(?:CLIENT)?CONFIG.*|JACK_(?:DRIVER|INTERNAL)_DIR|OMP_TOOL.*|HSA_TOOLS.*|FAKECHROOT.*|XTABLES_.*|XLOCALE.*',
  ],
  [
    'programs read their configuration below it, which may name programs and code',
    'HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|XDG_.*',
  ],
  [
    'Node and what is built on it load code or packages by it',
    'NODE_(?!ENV$|NO_WARNINGS$|DISABLE_COLORS$).*|NPM_.*|YARN_.*|PNPM_.*|COREPACK_.*|NVM_.*|VOLTA_.*|TS_NODE_.*|TSX_.*|BUN_.*|DENO_.*|ELECTRON_.*|PUPPETEER_.*|PRISMA_.*|PLAYWRIGHT_.*|CHROME_.*|CHROMIUM_.*',
  ],
  [
    'Python loads code or packages by it',
    'PYTHON.*|PYTEST.*|PYENV.*|__PYVENV.*|PIP_.*|PIPENV_.*|PIPX_.*|POETRY_.*|UV_.*|VIRTUALENV.*|TOX_.*|CIBW_.*|SPACK_.*|HATCH_.*|PDM_.*|MAMBA_.*|VIRTUAL_ENV|CONDA_.*|IPYTHON.*|JUPYTER_.*|DJANGO_SETTINGS_MODULE|FLASK_APP|CELERY_.*|PYSPARK_.*|SPARK_.*|COVERAGE_.*|MPLBACKEND|MPLCONFIGDIR|ANSIBLE_.*|UWSGI_.*',
  ],
  [
    'Perl, Ruby, PHP, Lua, R, Julia or another interpreter loads code by it',
    'PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|BUNDLER_.*|RBENV_.*|RVM_.*|RAKE|RAKEOPT|RAKE_.*|JRUBY_.*|PHPRC|PHP_.*|COMPOSER_.*|LUA_.*|R_.*|RSTUDIO_.*|JULIA_.*|TCL(?:LIB|_).*|TK_.*|GUILE_.*|ERL_.*|ERLANG_.*|ELIXIR_.*|MIX_(?!ENV$).*|OCAML.*|CAMLRUNPARAM|CAML_.*|GHCRTS|GHC_.*|STACK_(?:YAML|ROOT|WORK|(?:GLOBAL_)?CONFIG)|CABAL_.*|TEXMF.*|TEXINPUTS.*|SHELL_ESCAPE|OPEN(?:IN|OUT)_ANY|GS_.*|MAGICK_.*|ERLC_.*|ESCRIPT_.*|RAKU.*|PIKE_.*|PLT(?:ADDONDIR|COLLECTS|COMPILEDROOTS|CONFIGDIR|USERHOME)|SWI_.*|SWIPL_.*|OCTAVE_.*|GNUPLOT_.*|MAXIMA_.*|BLENDER_.*|INKSCAPE_.*|[^_]+INPUTS|EMACS.*|ESHELL|NVIM.*|VIM|VIMRUNTIME|VIMINIT|VIM_.*|EXINIT|MYVIMRC',
  ],
  [
    'Java, .NET and their builders load code or take options by it',
    'JAVA_.*|JAVACMD|_JAVA_.*|JDK_.*|JVM_.*|JRE_.*|CATALINA_.*|SPRING_.*|LEIN_.*|LOADER_.*|CLASSPATH|MAVEN_.*|MVN_.*|MVNW_.*|M2|M2_.*|GRADLE_.*|ANT_.*|SBT_.*|KOTLIN_.*|SCALA_.*|GROOVY_.*|DOTNET_.*|COMPLUS_.*|CORECLR_.*|COR_.*|MONO_.*|MSBUILD.*|NUGET_.*|ASPNETCORE_HOSTINGSTARTUP.*',
  ],
  [
    'compilers and builders are chosen, or given options, by it',
    'MAKE|MAKE(?:FLAGS|FILES|OVERRIDES|_).*|GNUMAKE.*|MFLAGS|CMAKE_.*|NINJA_.*|MESON_.*|BAZEL.*|(?:HOST_|TARGET_|BUILD_)?(?:CC|CXX|LD|AR)(?:_FOR_.*|_(?:X86|I[3-7]86|AMD64|ARM|AARCH64|THUMB|RISCV|POWERPC|PPC|MIPS|SPARC|S390X|WASM|LOONGARCH).*)?|CPP|PROTOC|QMAKE.*|WAFDIR|SCONS.*|XMAKE_.*|VCPKG_.*|OMPI_.*|MPICH_.*|HYDRA_.*|ANDROID_(?:ROOT|(?:SDK|NDK|PREFS|STUDIO|TOOLCHAIN)(?:_.*)?)|FLUTTER_.*|PUB_(?:CACHE|HOSTED_URL)|ZIG_.*|NIM_.*|NIMBLE_.*|LEAN_.*|OPAM.*|DUNE_.*|USE_BAZEL.*|AS|NM|FC|RANLIB|STRIP|OBJC|M4|YACC|LEX|AWK|SED|GREP|INSTALL|LIBTOOL|COMPILER_.*|GCC_.*|CPATH|(?:C|CPLUS|OBJC)_INCLUDE_.*|LIBRARY_PATH|PKG_CONFIG.*|RUSTC|RUSTC_.*|RUSTFMT|SWIFT_EXEC|GOPACKAGESDRIVER|TINYGOROOT|AUTO(?:CONF|MAKE|M4TE|HEADER|RECONF)|ACLOCAL.*|AUTOPOINT|GCCGO|GROFF_.*|VALGRIND_.*|RUSTDOC.*|RUSTUP_.*|CARGO|CARGO_.*|CGO_.*|GO(?:ROOT|PATH|ENV|BIN|FLAGS|TOOLCHAIN|TOOLDIR|PROXY|NOPROXY|PRIVATE|CACHE|CACHEPROG|AUTH|MODCACHE|WORK|SUMDB|NOSUMDB|INSECURE|VCS|TMPDIR|EXPERIMENT)|CCACHE_.*|SCCACHE_.*|DISTCC_.*',
  ],
  [
    'git or another version control runs programs, or takes another repository or configuration, by it',
    'GIT_.*|SSH_.*|GNUPG.*|GPG_.*|HG|HG(?:RC|PLAIN|MERGE|EDITOR|_).*|SVN_.*|CVS(?:ROOT|_).*|P4.*|RSYNC_.*|BZR_.*|JJ_.*|BRZ_.*|DARCS_.*|TIGRC.*|THOR_.*',
  ],
  [
    'a program is started by it to edit, show, open or ask',
    'DBUS_.*|AT_SPI_.*|TMUX.*|BORG_.*|RCLONE_.*|FLATPAK_.*|ZIP|TAR|NNN_.*|EDITOR|VISUAL|FCEDIT|TEXEDIT|SENDMAIL|(?:READ)?NULLCMD|SOPS_.*_EXEC|PASSWORD_STORE_.*|FACTERLIB|PAGER|MANPAGER|MANOPT|BROWSER|LESS|LESS(?:OPEN|CLOSE|KEY|EDIT|_).*|MORE|LV|MAILCAPS|MAILER|SUDO_.*|TERMINAL|OPENER|PARALLEL(?:_.*)?|FZF_.*|ZIPOPT|UNZIP|ZIPINFO|GZIP|TAPE|TAR_.*|RIPGREP_.*|CURL_.*|WGET.*|NETRC|PSQL.*|PGSERVICEFILE|PGSYSCONFDIR|PGPASSFILE',
  ],
  [
    'clients of clouds and containers start programs, or take another configuration or daemon, by it',
    'CDK_.*|KUBECONFIG|KUBE_.*|KUBECTL_.*|HELM_.*|DOCKER_.*|BUILDAH_.*|CONTAINER_(?:HOST|CONNECTION|SSHKEY)|CONTAINERS_.*|PODMAN_.*|TF_(?:CLI|PLUGIN|DATA_DIR|REATTACH).*|TERRAGRUNT_.*|PACKER_.*|VAGRANT_.*|PULUMI_.*|CLOUDSDK_.*|AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE|CA_BUNDLE|ENDPOINT.*|EC2_METADATA.*)|GOOGLE_APPLICATION_CREDENTIALS|AZURE_(?:CONFIG|EXTENSION).*|BOTO_.*|HOMEBREW_.*|ASDF_.*|MISE_.*|RTX_.*|SDKMAN_.*|VSCODE_.*',
  ],
  [
    'it decides which server answers, or is trusted, where code is loaded from',
    '(?:HTTPS?|ALL|FTP|NO|RSYNC)_PROXY|.*_CA_(?:BUNDLE|CERTS?|FILE)|REQUESTS_CA_.*|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN',
  ],
  [
    'by its name it holds options, programs, code or a configuration of a program',
    '.*(?:PATH|OPTIONS|OPTS|FLAGS|CONF|[^S]RC)|(?:.*_)?(?:PRELOAD|EDITOR|PAGER|ASKPASS|WRAPPER|LAUNCHER|EXECUTABLE)|.*_(?:HOME|EXEC?|PYTHON|JAVA|PHP|PERL|LIB(?:RARY|RARIES)?(?:_DIRS?)?|DRIVERS?_DIR|EMULATOR|SCRIPTS?|OPTS?|ARGS|BROWSER|SHELL|RSH|SSH|COMMAND|CMD|PROG(?:RAM)?|RUNNER|LOADER|INTERPRETER|COMPILER|BIN(?:ARY)?|HOOKS?|PLUGINS?(?:_DIRS?)?|MODULES?(?:_DIRS?)?|ENGINES?|STARTUP|INIT(?:_FILE)?|RC_?FILE|CFG|CONFIG(?:URATION)?(?:_?(?:FILES?|DIRS?|HOME|ROOT))?|REGISTRY|INDEX_URL)',
  ],
];

const PATTERNS = GROUPS.map(([reason, names]) => ({ reason, pattern: new RegExp(`^(?:${names})$`, 'i') }));

/**
 * Says why a variable must not be set by a file that somebody brought; null where it may be.
 * @param name in either case: some systems take both for one, and some programs
 */
export function reasonAgainstName(name: string): string | null {
  return PATTERNS.find(({ pattern }) => pattern.test(name))?.reason ?? null;
}
