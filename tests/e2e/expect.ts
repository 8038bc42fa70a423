import { expect as playwrightExpect } from '@playwright/test'

/** Playwright's workers have an index; soak runs do not, and have more pages at once. */
const inRunner = process.env['TEST_WORKER_INDEX'] !== undefined

export const expect = playwrightExpect.configure({ timeout: inRunner ? 15_000 : 60_000 })
