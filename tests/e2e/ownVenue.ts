import { test } from '@playwright/test'
import { openBuiltVenue } from '../support/builtVenue.ts'
import type { BuiltVenue } from '../support/builtVenue.ts'

/** For flows that change what is everybody’s at a venue: a file or group gets one to itself, `n` ports after the common one. */
export function ownVenue(n: number): void {
  const port = Number(process.env['E2E_PORT'] ?? 18_480) + n
  let venue: BuiltVenue | undefined
  test.use({ baseURL: `http://127.0.0.1:${port}` })
  test.beforeAll(async () => {
    test.slow()
    venue = await openBuiltVenue({ PORT: String(port) })
  })
  test.afterAll(() => venue?.close())
}
