import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import zhCN from '../../locales/zh-CN.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { twoBuilds, type TwoBuilds } from './twoBuilds.ts'
import { openHome, product } from './member.ts'
import { expect, test as base } from './test.ts'

const test = base.extend<{ builds: TwoBuilds }>({
  builds: async ({ baseURL }, provide) => {
    const builds = await twoBuilds(Number(new URL(baseURL ?? '').port))
    await provide(builds)
    await builds.close()
  },
})
test.use({ serviceWorkers: 'allow' })

const asOf = new RegExp(`^${en.connection.offlineAsOf.split('{{')[0]}\\d`)
const offlineNote = (page: Page) => page.getByText(asOf).first()

/** Waits until the service worker controls the page and has cached the app except the packs of other languages. */
async function waitUntilInstalled(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  const worker = await page.evaluate(async () => (await fetch('/sw.js')).text())
  const pack = /^\/assets\/[a-z]{2}(-[A-Z]{2})?-.{8}\.js$/
  const all = [...worker.matchAll(/\/assets\/[\w.-]+/g)]
    .map(([path]) => path)
    .filter((path) => !pack.test(path))
  expect(all.length).toBeGreaterThan(50)
  const missing = async () => {
    const cached = new Set(await cachedPaths(page))
    return all.filter((path) => !cached.has(path))
  }
  await expect.poll(missing).toEqual([])
}

const cachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const all: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) all.push(new URL(url).pathname)
    return all
  })

/** The keys of the member's answers stored on the device. */
const storedAnswers = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('kept')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const database = opening.result
          if (!database.objectStoreNames.contains('answers')) {
            database.close()
            resolve([])
            return
          }
          const keys = database.transaction('answers').objectStore('answers').getAllKeys()
          keys.addEventListener('success', () => {
            database.close()
            resolve(keys.result.map(String))
          })
        })
      }),
  )

type Placed = { id: string; no: string }

/** Places an order over REST, as the app would. */
async function place(page: Page, seconds: number, rateBp: number): Promise<Placed> {
  const { now } = (await (await page.request.get('/api/time')).json()) as { now: number }
  const session = await page.evaluate(() => localStorage.getItem('session') ?? '{}')
  const { token } = JSON.parse(session) as { token: string }
  const answer = await page.request.post('/api/orders', {
    headers: { 'X-CSRF-Token': token, 'Idempotency-Key': randomUUID() },
    data: { productId: 'BTCUSDT', direction: 'up', amount: '25.00', seconds, rateBp, validUntil: now + 9000 },
  })
  expect(answer.status()).toBe(201)
  return (await answer.json()) as Placed
}

const settledRow = (page: Page) =>
  page.getByRole('link', { name: /BTC\/USDT.*(Won|Lost|Tied|Refunded)/ }).first()

/** Opens the messages and waits until the device stores them. */
async function visitMessages(page: Page): Promise<void> {
  await page.goto('/#/pages/message/message')
  await expect(page.getByText('Welcome to Uptick')).toBeVisible()
  await expect.poll(async () => (await storedAnswers(page)).join()).toContain('messages')
}

/** A member who has seen a settled order, its proof, a running order and the messages. */
async function visitOrders(page: Page): Promise<{ settled: Placed; running: Placed }> {
  await openHome(page)
  await waitUntilInstalled(page)
  await page.goto('/#/pages/order/order?tab=records')
  const settled = await place(page, 5, 8000)
  await expect(settledRow(page)).toBeVisible()
  await page.goto(`/#/pages/order/detail?id=${settled.id}`)
  await expect(page.getByText(/^Checked on this device/)).toBeVisible()
  await visitMessages(page)
  const running = await place(page, 60, 8500)
  await page.goto('/#/pages/order/order?tab=positions')
  await expect(page.getByRole('link', { name: /BTC\/USDT/ }).first()).toBeVisible()
  await expect
    .poll(async () => (await storedAnswers(page)).map((key) => key.split('/').at(-1)))
    .toEqual(['evidence', 'messages', 'orders', 'products', 'proofs', 'told'])
  return { settled, running }
}

test('shows the last seen orders, proofs and messages offline with their time, and refreshes them once online @short', async ({
  page,
  context,
}) => {
  const { settled, running } = await visitOrders(page)
  await page.goto(product('BTCUSDT'))
  const buyUp = page.getByRole('button', { name: en.ticket.buyUp }).first()
  await expect(buyUp).toBeEnabled()
  await context.setOffline(true)
  await expect(buyUp).toBeDisabled()
  await expect(page.getByText(/^Paused/).first()).toBeVisible()

  await page.goto('/#/pages/order/order?tab=records')
  await page.reload()
  await expect(settledRow(page)).toBeVisible()
  await expect(offlineNote(page)).toBeVisible()
  await page.getByRole('tab', { name: en.orders.closed }).click()
  await expect(page.getByRole('link', { name: /BTC\/USDT/ })).toHaveCount(1)
  await expect(offlineNote(page)).toBeVisible()
  await page.getByRole('tab', { name: en.orders.positions }).click()
  await expect(page.getByText(en.orders.clock)).toBeVisible()
  await expect(page.getByRole('link', { name: /BTC\/USDT/ })).toHaveCount(1)

  for (const path of [paths.products, paths.home]) {
    await page.goto(`/#${path}`)
    await expect(page.getByRole('link', { name: /BTC\/USDT/ }).first()).toBeVisible()
    await expect(offlineNote(page)).toBeVisible()
  }
  await page.goto('/#/pages/order/order?tab=records')
  await page.getByRole('button', { name: en.orders.csv }).click()
  await expect(page.getByText(en.error.OFFLINE)).toBeVisible()

  await page.goto(`/#/pages/order/detail?id=${settled.id}`)
  await expect(page.getByText(/^Checked on this device/)).toBeVisible()
  await expect(page.getByText(settled.no)).toBeVisible()
  await expect(offlineNote(page)).toBeVisible()
  await page.goto(`/#/pages/order/detail?id=${running.id}`)
  await expect(page.getByText(running.no)).toBeVisible()
  await expect(offlineNote(page)).toBeVisible()
  await page.goto('/#/pages/message/message')
  await expect(page.getByText('Welcome to Uptick')).toBeVisible()
  await expect(offlineNote(page)).toBeVisible()
  await page.goto(product('BTCUSDT'))
  await expect(page.getByText(en.product.failed)).toBeVisible()
  await expect(page.getByRole('button', { name: en.ticket.buyUp })).toHaveCount(0)

  await page.goto('/#/pages/order/order?tab=records')
  await expect(offlineNote(page)).toBeVisible()
  await context.setOffline(false)
  await expect(offlineNote(page)).toBeHidden()
  await expect(page.getByRole('link', { name: /BTC\/USDT/ })).toHaveCount(2)
  expect((await cachedPaths(page)).filter((path) => /api|socket|healthz/.test(path))).toEqual([])
})

test('every page opens offline and explains what it cannot show', async ({ page, context }) => {
  await openHome(page)
  await waitUntilInstalled(page)
  await context.setOffline(true)
  await page.reload()
  for (const path of Object.values(paths)) {
    await page.goto(`/#${path}`)
    await expect(page.locator('h1').first(), path).toBeVisible()
    await expect(page.locator('output[aria-label]'), path).toHaveCount(0)
    const text = await page.locator('body').innerText()
    for (const failed of [en.page.other.title, en.page.missing.title, en.page.timeout.title])
      expect(text, path).not.toContain(failed)
    expect(text, path).not.toContain('10,000.00')
  }
})

test('after a change of language the page opens offline in the new one', async ({ page, context }) => {
  await page.goto('/')
  await waitUntilInstalled(page)
  await page.getByRole('combobox', { name: zhCN.common.language }).selectOption('de')
  await expect(page.getByRole('heading', { level: 1, name: de.welcome.promise })).toBeVisible()
  const cachedPage = () =>
    page.evaluate(async () => {
      const cached = await caches.match('/', { ignoreVary: true })
      return cached?.headers.get('Content-Language')
    })
  await expect.poll(cachedPage).toBe('de')
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: de.welcome.promise })).toBeVisible()
  expect(await page.content()).not.toContain(zhCN.welcome.promise)
})

test('log-out removes the member’s data from the device', async ({ page }) => {
  await openHome(page)
  await visitMessages(page)
  await page.goto('/#/pages/user/user')
  await page.getByRole('button', { name: en.me.logOut }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: en.me.logOut })
    .click()
  await expect(page.getByRole('button', { name: en.login.submit })).toBeVisible()
  await expect.poll(() => storedAnswers(page)).toEqual([])
})

test('clearing the cache also removes the app’s own files', async ({ page }) => {
  await openHome(page)
  await waitUntilInstalled(page)
  await visitMessages(page)
  await page.goto('/#/pages/set/set')
  await page.getByRole('button', { name: new RegExp(en.settings.clearCache) }).click()
  await page.getByRole('button', { name: en.settings.continue }).click()
  await expect(page.getByText(en.settings.cacheCleared)).toBeVisible()
  expect(await storedAnswers(page)).toEqual([])
  // Files, not caches: Chromium stores compiled scripts beside the cached ones and opens the deleted cache for that.
  expect(await cachedPaths(page)).toEqual([])
})

test('a new version asks before it takes over, and then removes the old one', async ({
  page,
  context,
  builds,
}) => {
  await openHome(page, builds.url)
  await waitUntilInstalled(page)
  const script = () => page.evaluate(() => document.documentElement.dataset['app'])
  const first = await script()
  builds.deploy()
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((one) => one?.update()))
  const prompt = page.getByText(en.update.ready)
  await expect(prompt).toBeVisible()
  expect(await script()).toBe(first)

  // The prompt must not appear over the ticket or during a trade.
  await page.goto(builds.url + product('BTCUSDT'))
  await expect(page.getByRole('button', { name: en.ticket.buyUp }).first()).toBeEnabled()
  await expect(prompt).toHaveCount(0)
  await page.goto(`${builds.url}/#/pages/index/index`)
  await expect(prompt).toBeVisible()

  await page.getByRole('button', { name: en.update.now }).click()
  await expect.poll(() => script().catch(() => undefined)).toContain('SECOND')
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  await expect(prompt).toHaveCount(0)
  expect(await page.evaluate(() => caches.keys())).toEqual(['build second'])

  await waitUntilInstalled(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.locator('h1').first()).toBeVisible()
  expect(await script()).toContain('SECOND')
})

test('a new version that could not be installed is installed later, and a page that has it already shows no prompt', async ({
  page,
  builds,
}) => {
  await openHome(page, builds.url)
  await waitUntilInstalled(page)
  builds.deploy()
  builds.failScripts(true)
  // A page that takes over three seconds comes from the cache, in the old version.
  await expect(async () => {
    await page.reload()
    expect(await page.evaluate(() => document.documentElement.dataset['app'])).toContain('SECOND')
  }).toPass()
  // The browser tries once, the app once at the start of a page, and this test: the next attempt is the app's later one.
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect.poll(() => builds.installAttempts()).toBeGreaterThan(2)
  const isInstalling = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.installing !== null)
  await expect.poll(isInstalling).toBe(false)
  builds.failScripts(false)
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['build second'])
  await expect(page.getByText(en.update.ready)).toHaveCount(0)
})
