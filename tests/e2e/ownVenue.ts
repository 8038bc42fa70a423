import { openBuiltVenue, type BuiltVenue } from '../support/builtVenue.ts'
import { nodeFlags } from '../support/venueProcess.ts'
import { test } from './test.ts'

/**
 * Gives a file or group its own venue, `n` ports after the common one: for tests that change what all members share, or
 * need other settings.
 */
export function ownVenue(n: number, settings: Record<string, string> = {}): void {
  const port = Number(process.env['E2E_PORT'] ?? 18_480) + n
  let venue: BuiltVenue | undefined
  test.use({ baseURL: `http://127.0.0.1:${port}` })
  test.beforeAll(async () => {
    test.slow()
    venue = await openBuiltVenue({ PORT: String(port), ...settings }, nodeFlags)
  })
  test.afterAll(() => venue?.close())
}
