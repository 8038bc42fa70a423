import { expect as playwrightExpect, test as playwrightTest } from '@playwright/test'

/** Only a safety net, as for Vitest: on a busy machine a page takes several times as long. */
export const expect = playwrightExpect.configure({ timeout: 60_000 })

export const test = playwrightTest.extend({
  page: async ({ page }, provide) => {
    await provide(page)
    // A request that is being answered when its test ends has no page to go to: that is no failure.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
})
