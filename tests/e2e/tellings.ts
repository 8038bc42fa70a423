import type { BrowserContext, Page } from '@playwright/test'

/** How an order's end was told: a toast or a notification, with the address of its link. */
export type Telling = { text: string; href: string }

type Told = typeof globalThis & { tellOrders: (telling: Telling) => Promise<void> }

const byContext = new WeakMap<BrowserContext, { page: Page; telling: Telling }[]>()

/** Notes every toast of the context's pages that has a link to an order or to the closed orders; before any page opens. */
export async function watchTellings(context: BrowserContext): Promise<void> {
  const all: { page: Page; telling: Telling }[] = []
  byContext.set(context, all)
  await context.exposeBinding('tellOrders', ({ page }, telling: Telling) => void all.push({ page, telling }))
  await context.addInitScript(() => {
    // No function here has a name: some compilers add a call for names that the page does not have.
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        const link = node instanceof HTMLElement ? node.querySelector('a') : null
        const href = link?.getAttribute('href') ?? ''
        if (!node.parentElement?.matches('[data-toasts]') || !href.includes('/order/')) continue
        void (globalThis as Told).tellOrders({ text: node.textContent ?? '', href })
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** What has been told so far on these pages, oldest first. */
export async function tellings(pages: readonly Page[]): Promise<Telling[]> {
  const [first] = pages
  const all = first === undefined ? [] : (byContext.get(first.context()) ?? [])
  return all.filter(({ page }) => pages.includes(page)).map(({ telling }) => telling)
}
