import { paths } from '../../src/paths.ts'
import type { Stop } from './stops.ts'
import { visit, type Visitor } from './visit.ts'

/** What can be wrong while a page is open: no answer yet, an error, no network. */
export const troubles = ['loading', 'failed', 'offline'] as const
export type Trouble = (typeof troubles)[number]

/** Simulates a trouble with the settings page open; before `offline` it visits each of the stops once. */
export async function simulateTrouble(
  { page, context }: Visitor,
  origin: string,
  which: Trouble,
  visitedBefore: readonly Stop[],
): Promise<void> {
  await visit(page, origin, { href: `/#${paths.settings}` })
  if (which === 'offline') {
    for (const { href } of visitedBefore) await visit(page, origin, { href })
    await visit(page, origin, { href: `/#${paths.settings}` })
    await context.setOffline(true)
    return
  }
  await page.route('**/api/**', (route) =>
    which === 'failed'
      ? route.fulfill({ status: 503, json: { error: { code: 'UNAVAILABLE', requestId: 'r' } } })
      : new Promise(() => undefined),
  )
}
