// Lets Node 20 load the conformance suite, which imports `globSync` of Node 22 for a scenario that is none of a server.
import { register } from 'node:module';

const asModule = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

const fs = asModule(
  "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];",
);
register(
  asModule(`
    export async function resolve(specifier, context, next) {
      const isSuite = specifier === 'fs' && context.parentURL?.includes('/conformance/') === true;
      return isSuite ? { url: ${JSON.stringify(fs)}, shortCircuit: true } : next(specifier, context);
    }`),
);
