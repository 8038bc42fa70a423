/**
 * Checks: the venue looks at itself, and shows what it finds. Nightly checks of all books, the replay of a day,
 * backups and their check, the public status, metrics. They read what the other areas own and repair nothing; the
 * only rows of their own are what was found.
 *
 * Read `nightly/nightlyChecks.ts`, then `replayDay/replayDay.ts` (every row again from ticks and commands),
 * `backup/create.ts` and `metrics/metrics.ts`.
 */
export { createMetrics } from './metrics/metrics.ts'
export { createNodeHealth, type NodeHealth } from './metrics/nodeHealth.ts'
export { createNightlyChecks } from './nightly/nightlyChecks.ts'
export { createPublicStatus } from './publicStatus/publicStatus.ts'
