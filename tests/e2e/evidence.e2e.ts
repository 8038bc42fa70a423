import type { Page, Route } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { verifyChain } from '../../contract/chain.ts'
import type { Order, Proof } from '../../contract/orders.ts'
import { paths } from '../../src/paths.ts'
import { logIn, openHome, product } from './member.ts'
import { buyUp, confirm, expectPlaced, ordersOf } from './network.ts'
import { openChecks } from './proof.ts'
import { expect, test } from './test.ts'

const goTo = (page: Page, path: string) => page.evaluate((hash) => (location.hash = hash), path)
const alarm = (page: Page) => page.getByRole('alert').filter({ hasText: en.proof.alarmSee })
const toasts = (page: Page) => page.getByRole('region', { name: en.common.notices })
const isFinal = ({ status }: { status: string }) => /won|lost|tied|refunded/.test(status)

/** Places an order of five seconds through the ticket. */
async function placeShort(page: Page): Promise<void> {
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio').first().check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
}

/** Places an order that is still open once its member is on another page: on a busy machine one may settle on the way. */
async function placeAndLeave(page: Page): Promise<void> {
  do {
    await placeShort(page)
    await goTo(page, paths.settings)
    await expect(page.getByRole('heading', { name: en.title.settings })).toBeVisible()
  } while ((await ordersOf(page)).every(isFinal))
}

type Entry = { check: { ok: boolean } | null; heads: { from: string }[] }
/** The evidence that this device stores for its orders. */
const storedEvidence = (page: Page): Promise<Entry[]> =>
  page.evaluate(
    () =>
      new Promise<Entry[]>((resolve, reject) => {
        const opening = indexedDB.open('kept')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const store = opening.result.transaction('answers').objectStore('answers')
          const [keys, values] = [store.getAllKeys(), store.getAll()]
          values.addEventListener('success', () => {
            const at = keys.result.findIndex((key) => typeof key === 'string' && key.endsWith('/evidence'))
            opening.result.close()
            resolve((values.result[at] as { value: Entry[] } | undefined)?.value ?? [])
          })
        })
      }),
  )

/** Simulates a venue that rewrites the past of a settled order and hashes it again: the proof is consistent in itself. */
async function rewritePast(route: Route): Promise<void> {
  const response = await route.fetch()
  if (response.status() !== 200) return route.fulfill({ response })
  const proof = (await response.json()) as Proof
  const [first, ...rest] = proof.ticks
  if (!first || !proof.before) throw new Error('no ticks')
  const changed: typeof first = [first[0], first[1], `1${first[2]}`, first[3]]
  const chain = verifyChain(proof.order.productId, proof.before, [changed, ...rest])
  if (!chain.ok) throw new Error('does not chain')
  return route.fulfill({ response, json: { ...proof, ticks: [changed, ...rest], after: chain.head } })
}

test('an order that settles while its member is on another page shows a toast and is checked by itself', async ({
  page,
}) => {
  await logIn(page)
  await placeAndLeave(page)
  const toast = toasts(page)
    .getByText(/BTC\/USDT · Up, .* · (Won|Lost|Tied)/)
    .first()
  await expect(toast).toBeVisible()
  await expect.poll(async () => (await storedEvidence(page))[0]?.check?.ok).toBe(true)
  const [entry] = await storedEvidence(page)
  expect(entry?.heads.filter(({ from }) => from === 'order').length).toBeGreaterThan(1)
  await expect(alarm(page)).toHaveCount(0)
})

test('the toast links to the proof, and the page that shows the result has no toast', async ({ page }) => {
  await openHome(page)
  await placeAndLeave(page)
  await toasts(page).getByRole('link', { name: en.order.seeProof }).first().click()
  await expect(page.getByText(/^Checked on this device/)).toBeVisible()
  await openChecks(page)
  await expect(page.getByText(en.proof.agreedOk)).toBeVisible()
  await expect(page.getByText(/checkpoints? seen live on this device match/)).toBeVisible()

  await placeShort(page)
  await expect.poll(async () => (await ordersOf(page)).every(isFinal)).toBe(true)
  await expect.poll(async () => (await storedEvidence(page)).every(({ check }) => check?.ok)).toBe(true)
  await expect(toasts(page).getByText(/· (Won|Lost|Tied)/)).toHaveCount(0)
})

test('a rewritten past shows an alarm on every page until the member has seen it', async ({ page }) => {
  await openHome(page)
  await page.route('**/api/orders/*/proof', rewritePast)
  await placeShort(page)
  await goTo(page, paths.settings)
  await expect(alarm(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: en.title.settings })).toBeVisible()
  await expect(alarm(page)).toBeVisible()
  await goTo(page, paths.home)
  await alarm(page).getByRole('link', { name: en.proof.alarmSee }).click()
  await expect(page.getByText(/^Check failed at/)).toBeVisible()
  await expect(page.getByText(/was changed later/)).toBeVisible()
  await expect(alarm(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByText(/^Check failed at/)).toBeVisible()
  await goTo(page, paths.home)
  await expect(page.locator('main').getByText(en.home.myOrders).first()).toBeVisible()
  await expect(alarm(page)).toHaveCount(0)
})

test('an order that settled while the app was closed is checked when it opens; a lost answer is not a failure', async ({
  page,
}) => {
  await openHome(page)
  await placeShort(page)
  await page.goto('/healthz')
  await expect.poll(async () => ((await ordersOf(page)) as unknown as Order[]).every(isFinal)).toBe(true)
  let proofRequests = 0
  await page.route('**/api/orders/*/proof', (route) => {
    proofRequests += 1
    return proofRequests === 1 ? route.abort() : rewritePast(route)
  })
  await page.goto(`/#${paths.settings}`)
  await expect.poll(() => proofRequests).toBe(1)
  await expect(alarm(page)).toHaveCount(0)
  await expect(alarm(page)).toBeVisible()
  expect(proofRequests).toBe(2)
})
