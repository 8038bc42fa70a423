import { expect as impatient } from '@playwright/test'

/** The runner's workers have a number; the campaign runs outside of them, with more pages at once. */
const inRunner = process.env['TEST_WORKER_INDEX'] !== undefined

export const expect = impatient.configure({ timeout: inRunner ? 15_000 : 60_000 })
