import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { ApiError, getFromApi, takeToken } from './api.js';
import { hrefOfRoute, useRoute } from './route.js';
import { shareStreamOn } from './shared-stream.js';
import { PlanList } from './views/plan-list.js';
import { PlanView } from './views/plan-view.js';
import { RunList, RunView } from './views/runs-view.js';
import type { ServerInfo } from './wire.js';

const SERVER: ServerInfo = { write: false, version: '', store: '', channel: '' };

/** The page, once it is known whether the server lets it in. */
function Page() {
  const [server, setServer] = useState<ServerInfo | ApiError | null>(null);
  useEffect(() => {
    const begin = (found: ServerInfo) => {
      shareStreamOn(found.channel);
      setServer(found);
    };
    getFromApi<ServerInfo>('/api/server').then(begin, (thrown: unknown) => {
      setServer(thrown instanceof ApiError ? thrown : SERVER);
    });
  }, []);
  if (server === null)
    return (
      <main>
        <h1 class="empty">Loading the plans …</h1>
      </main>
    );
  if (server instanceof ApiError) return <NotLetIn error={server} />;
  return <Pages server={server} />;
}

function Pages({ server }: { readonly server: ServerInfo }) {
  const route = useRoute();
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the plan
      </a>
      <header class="site">
        <a href={hrefOfRoute({ page: 'plans' })} aria-current={route.page === 'plans' ? 'page' : undefined}>
          Plans
        </a>
        <a
          href={hrefOfRoute({ page: 'runs', run: null })}
          aria-current={route.page === 'runs' ? 'page' : undefined}
        >
          Runs
        </a>
        <span class="store" title={server.store}>
          <bdi>{server.store}</bdi>
        </span>
        {server.write ? <span class="badge">editing on</span> : <span class="badge">read-only</span>}
      </header>
      {route.page === 'plans' ? <PlanList /> : null}
      {route.page === 'plan' ? (
        <PlanView key={route.plan} id={route.plan} view={route.view} goal={route.goal} server={server} />
      ) : null}
      {route.page === 'runs' ? (
        route.run === null ? (
          <RunList />
        ) : (
          <RunView key={route.run} run={route.run} server={server} />
        )
      ) : null}
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  const main = document.querySelector<HTMLElement>('[role=tree] [tabindex="0"], main h1, main');
  main?.setAttribute('tabindex', main.getAttribute('tabindex') ?? '-1');
  main?.focus();
}

function NotLetIn({ error }: { readonly error: ApiError }) {
  return (
    <main class="list" id="main">
      <h1>{error.status === 0 ? 'The server does not answer' : 'Access denied'}</h1>
      <p>
        {error.status === 0
          ? 'It may have ended. Start `plan serve` again, and open the address that it prints.'
          : 'The server was restarted, or this address has no token. Open the address that `plan serve` printed.'}
      </p>
    </main>
  );
}

async function start(): Promise<void> {
  const root = document.getElementById('page');
  if (root === null) return;
  await takeToken().catch(() => 'none');
  addEventListener('hashchange', () => {
    // An address with a new token, opened in the same tab.
    if (/^#(token|code)=/.test(location.hash)) location.reload();
  });
  root.replaceChildren();
  render(<Page />, root);
}

void start();
