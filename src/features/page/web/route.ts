import { useEffect, useState } from 'preact/hooks';

const VIEWS = ['tree', 'board', 'graph', 'decisions', 'findings', 'log'] as const;

/** How a plan is looked at. */
export type PlanViewName = (typeof VIEWS)[number];

/** What the address says is to be shown. */
export type Route =
  | { readonly page: 'plans' }
  | {
      readonly page: 'plan';
      readonly plan: string;
      readonly view: PlanViewName;
      readonly goal: string | null;
    }
  | { readonly page: 'runs'; readonly run: string | null };

/** Reads an address; whatever is not understood is the list of plans. */
function parseRoute(hash: string): Route {
  const [, page, id, word, goal] = hash.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return '';
    }
  });
  if (page === 'runs') return { page, run: id === undefined || id === '' ? null : id };
  if (page !== 'plans' || id === undefined || id === '') return { page: 'plans' };
  const view = VIEWS.find((each) => each === word) ?? 'tree';
  return { page: 'plan', plan: id, view, goal: goal === undefined || goal === '' ? null : goal };
}

/** The address of what is to be shown. */
export function hrefOfRoute(route: Route): string {
  if (route.page === 'plans') return '#/';
  const parts = route.page === 'runs' ? ['runs', route.run] : ['plans', route.plan, route.view, route.goal];
  return `#/${parts.flatMap((part) => (part === null ? [] : encodeURIComponent(part))).join('/')}`;
}

/** Goes somewhere else; the way back is kept unless it is only another goal of the same view. */
export function goToRoute(route: Route, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') location.hash = hrefOfRoute(route);
  else {
    history.replaceState(null, '', hrefOfRoute(route));
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

/** What the address says now. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return parseRoute(hash);
}
