import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { deskKey } from './tests/e2e/officeCalls.ts'
import { browserLaunch } from './tests/support/browser.ts'

const port = Number(process.env['E2E_PORT'] ?? 18_480)

/**
 * All tests share one built venue with its own data folder and durations short enough to wait for. Those with `@short` in
 * their titles are in `npm test`, for the main job and one of each area; all others are in `npm run test:system`.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  fullyParallel: true,
  // A flow waits for prices, orders and timers half of its time, so three keep two cores busy.
  workers: 3,
  // As the unit tests do: see vitest.config.ts.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: process.env['CI'] !== undefined,
  // A safety net, like those of Vitest: on a busy machine a flow takes several times as long.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    timezoneId: 'Asia/Shanghai',
    // The service worker of each test would fetch the whole build again; tests that need it allow it.
    serviceWorkers: 'block',
    // Recording takes a quarter of the time; run a failed test again with `TRACE` set.
    trace: process.env['TRACE'] === undefined ? 'off' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: await browserLaunch(),
  },
  webServer: {
    command: 'node dist/server/main.js',
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 120_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: String(port),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'uptick-e2e-')),
      PRODUCTS_FILE: 'tests/e2e/products.json',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      DESK_KEY: deskKey,
    },
  },
})
