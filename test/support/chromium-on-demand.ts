import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where Chromium is; empty where there is none. */
    readonly chromium: string;
    /** Answers with the address at which the browser of this run of tests is spoken to. */
    readonly chromiumOnDemand: string;
  }
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** One browser for all tests of a run, started when the first of them asks for it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const path = PLACES.find((place) => existsSync(place)) ?? '';
  let started: Promise<BrowserServer> | null = null;
  const launch = async (): Promise<BrowserServer> => {
    const { chromium } = await import('playwright-core');
    return chromium.launchServer({ executablePath: path, args: ['--no-sandbox'] });
  };
  const answers = createServer((_, response) => {
    started ??= launch();
    started.then(
      (server) => response.end(server.wsEndpoint()),
      (reason: unknown) => response.writeHead(500).end(String(reason)),
    );
  });
  await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve));
  answers.unref();
  provide('chromium', path);
  provide('chromiumOnDemand', `http://127.0.0.1:${(answers.address() as AddressInfo).port}/`);
  return async () => {
    answers.close();
    await (await started?.catch(() => null))?.close();
  };
}
