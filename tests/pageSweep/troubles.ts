import { paths } from '../../src/paths.ts'
import type { Stop } from './stops.ts'
import { visit } from './visit.ts'
import type { Visitor } from './visit.ts'

/** What can be wrong while a member looks: no answer yet, an answer that says no, no network. */
export const troubles = ['loading', 'failed', 'offline'] as const
export type Trouble = (typeof troubles)[number]

/** Brings trouble upon whoever has seen the settings; before `offline` each of the stops has been seen once. */
export async function simulateTrouble(
  { page, context }: Visitor,
  origin: string,
  which: Trouble,
  seenBefore: readonly Stop[],
): Promise<void> {
  await visit(page, origin, { href: `/#${paths.settings}` })
  if (which === 'offline') {
    for (const { href } of seenBefore) await visit(page, origin, { href })
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
