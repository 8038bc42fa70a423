import type { Page } from '@playwright/test'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { launchBrowser } from '../support/browser.ts'
import { faultProxy, type FaultProxy } from '../support/faultProxy.ts'

/** Several pages at once load slowly on a busy machine. The guarantees have their own bounds. */
const defaultTimeoutMs = 120_000

/** A phone with its own network. */
export type Phone = { page: Page; network: FaultProxy }

/**
 * Opens phones, each behind its own proxy, on one built venue or the one passed in. Prepares them in turn with `ready`,
 * then runs `use` on all at once.
 */
export async function withPhones<T>(
  count: number,
  ready: (phone: Phone, index: number) => Promise<void>,
  use: (phone: Phone, index: number) => Promise<T>,
  target?: { port: number },
): Promise<T[]> {
  const own = target ? null : await openBuiltVenue()
  const port = target?.port ?? own?.port ?? 0
  const browser = await launchBrowser()
  const phones: (Phone & { close: () => Promise<void> })[] = []
  try {
    for (let index = 0; index < count; index++) {
      const network = await faultProxy(port)
      const context = await browser.newContext({
        baseURL: network.url,
        viewport: { width: 390, height: 844 },
        locale: 'en-GB',
        timezoneId: 'Asia/Shanghai',
      })
      context.setDefaultTimeout(defaultTimeoutMs)
      const close = async (): Promise<void> => {
        await context.close()
        await network.close()
      }
      const page = await context.newPage()
      // The loader names functions with a helper that a page does not have.
      await page.addInitScript('globalThis.__name = (f) => f')
      const phone = { page, network, close }
      phones.push(phone)
      await ready(phone, index)
    }
    return await Promise.all(phones.map(use))
  } finally {
    for (const { close } of phones) await close()
    await browser.close()
    await own?.close()
  }
}

/** Median, p99 and maximum of durations, in seconds. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1000).toFixed(1)
  return `p50 ${at(0.5)} s, p99 ${at(0.99)} s, max ${at(1)} s`
}
