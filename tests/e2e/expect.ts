import { expect as playwrightExpect } from '@playwright/test'

/** Only a safety net, as for Vitest: on a busy machine a page takes several times as long. */
export const expect = playwrightExpect.configure({ timeout: 60_000 })
