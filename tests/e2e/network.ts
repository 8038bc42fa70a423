import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { hourMs } from '../../contract/time.ts'
import en from '../../locales/en.json' with { type: 'json' }
import type { LeapingVenue } from '../support/leapingVenue.ts'
import type { FaultProxy, Loss } from '../support/faultProxy.ts'
import { sleepWhile } from '../support/sleepingPage.ts'
import { logIn, product } from './member.ts'
import { expect } from './test.ts'

export const buyUp = (page: Page) => page.getByRole('button', { name: en.ticket.buyUp }).first()
type TicketTexts = Pick<(typeof en)['ticket'], 'buyUp' | 'buyDown' | 'expired'>
export const confirm = (page: Page, { buyUp: up, buyDown: down }: TicketTexts = en.ticket) =>
  page.getByRole('dialog').getByRole('button', { name: new RegExp(`^(${up}|${down})`) })

/** Waits until the order of the sheet is placed. Confirms it again if it arrived too late, as the sheet then says. */
export async function expectPlaced(page: Page, ticket: TicketTexts = en.ticket): Promise<void> {
  const dialog = page.getByRole('dialog')
  const late = dialog.getByText(ticket.expired)
  await page.addLocatorHandler(late, () => confirm(page, ticket).click())
  await expect(dialog).toBeHidden()
  await page.removeLocatorHandler(late)
}

const buy = (page: Page, state: string) =>
  page.locator(`main button${state}`, { hasText: en.ticket.buyUp }).first()
const tradingOn = (page: Page) => buy(page, ':not([aria-disabled])')
const tradingOff = (page: Page) => buy(page, '[aria-disabled]')

export async function onProduct(page: Page, proxy: FaultProxy): Promise<void> {
  await logIn(page, proxy.url)
  await page.goto(proxy.url + product('BTCUSDT'))
  await expect(tradingOn(page)).toBeVisible()
}

export type OwnOrder = { key: string; status: string; acceptedAt: number; closeAt: number }
export async function ordersOf(page: Page): Promise<OwnOrder[]> {
  const answer = await page.request.get('/api/orders?tab=records&limit=100')
  return ((await answer.json()) as { items: OwnOrder[] }).items
}

/**
 * Loses the network once and restores it.
 * @returns how long trading stayed on, and how long it took to come back, ms
 */
export async function loseNetwork(
  page: Page,
  proxy: FaultProxy,
  way: 'cut' | 'stall',
): Promise<{ offMs: number; backMs: number }> {
  const lostAt = performance.now()
  proxy[way]()
  await expect(tradingOff(page)).toBeVisible()
  const offMs = performance.now() - lostAt
  await expect(page.getByText(/^Paused|No prices for/).first()).toBeVisible()
  const restoredAt = performance.now()
  proxy.restore()
  await expect(tradingOn(page)).toBeVisible()
  return { offMs, backMs: performance.now() - restoredAt }
}

/** Moves the device's clock before the first script runs; the monotonic clock does not change. */
export async function moveDeviceClock(page: Page, ms: number): Promise<void> {
  await page.addInitScript((offset) => {
    const real = Date
    const now = (): number => real.now() + offset
    globalThis.Date = new Proxy(real, {
      apply: () => new real(now()).toString(),
      construct: (target, args: unknown[]) =>
        args.length === 0 ? new target(now()) : Reflect.construct(target, args),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    })
  }, ms)
}

export async function placeForAMinute(page: Page): Promise<OwnOrder> {
  await page.getByRole('radio', { name: en.ticket.minutes.replace('{{n}}', '1') }).check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  await expect.poll(async () => (await ordersOf(page)).length).toBeGreaterThan(0)
  const [order] = await ordersOf(page)
  if (!order) throw new Error('no order')
  return order
}

/** How far the countdown is from the venue's time, ms; it shows whole seconds, rounded up. */
export async function countdownErrorMs(page: Page, { closeAt }: OwnOrder): Promise<number> {
  await expect(page.getByRole('timer').first()).toHaveText(/\d/)
  const shown = await page.evaluate(async () => {
    let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 }
    for (let i = 0; i < 5; i++) {
      const sent = performance.now()
      const { now } = (await (await fetch('/api/time')).json()) as { now: number }
      const got = performance.now()
      if (got - sent < best.roundTrip) best = { roundTrip: got - sent, offset: now - (sent + got) / 2 }
    }
    const text = document.querySelector('[role=timer]')?.textContent ?? ''
    return { text, now: performance.now() + best.offset }
  })
  const seconds = shown.text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return seconds * 1000 - Math.ceil((closeAt - shown.now) / 1000) * 1000
}

/** Places an order that is still open after the sleep. */
export async function placeForHours(page: Page): Promise<OwnOrder> {
  await page.getByRole('radio').last().check()
  await buyUp(page).click()
  await confirm(page).click()
  await expectPlaced(page)
  const [order] = await ordersOf(page)
  if (!order) throw new Error('no order')
  return order
}

/** Longer than the app takes for a timer that was only delayed. */
const asleepMs = 8000

type Sample = { at: number; on: boolean; text: string }

/**
 * Lets the device sleep while the venue advances by an hour, as when a lid is closed: nothing in the page runs, its
 * socket stays open and fills up, its monotonic clock skips the hour, and no event announces it.
 * @returns how long trading was on with a countdown that was more than a second off, and its error at the end, ms
 */
export async function sleepAnHour(
  page: Page,
  venue: Pick<LeapingVenue, 'leap'>,
  order: OwnOrder,
): Promise<{ fooledMs: number; errorMs: number }> {
  await expect(page.getByRole('timer').first()).toHaveText(/\d/)
  await page.evaluate((name) => {
    const samples: Sample[] = []
    Object.assign(globalThis, { samples })
    const takeSample = (): void => {
      const button = [...document.querySelectorAll('main button')].find((each) =>
        each.textContent?.includes(name),
      )
      const on = button !== undefined && !button.hasAttribute('aria-disabled')
      samples.push({
        at: performance.now(),
        on,
        text: document.querySelector('[role=timer]')?.textContent ?? '',
      })
      requestAnimationFrame(takeSample)
    }
    takeSample()
  }, en.ticket.buyUp)
  await sleepWhile(page, async () => {
    await venue.leap(hourMs)
    await wait(asleepMs)
  })
  await expect(page.getByRole('timer').first()).toHaveText(/^(59:|1:00:)/)
  await expect(tradingOn(page)).toBeVisible()
  const errorMs = Math.abs(await countdownErrorMs(page, order))
  const samples = await page.evaluate(() => (globalThis as unknown as { samples: Sample[] }).samples)
  return { fooledMs: staleTradingMs(samples), errorMs }
}

/** How long trading was on between waking and the correction of the countdown. */
function staleTradingMs(samples: readonly Sample[]): number {
  const pauses = samples.map(({ at }, i) => at - (samples[i - 1]?.at ?? at))
  const wokeAt = pauses.indexOf(Math.max(...pauses))
  const correctedAt = samples.findIndex(({ text }, i) => i >= wokeAt && /^(59:|1:00:)/.test(text))
  const stale = samples.slice(wokeAt, correctedAt)
  return stale.reduce((sum, { on, at }, i) => sum + (on ? (samples[wokeAt + i + 1]?.at ?? at) - at : 0), 0)
}

/**
 * Places one order whose answer is lost.
 * @returns how long until the page showed the outcome, and the outcome
 */
export async function placeUnanswered(
  page: Page,
  proxy: FaultProxy,
  way: Loss,
): Promise<{ ms: number; outcome: 'accepted' | 'rejected' }> {
  // A tap while prices pause opens nothing.
  await expect(async () => {
    await buyUp(page).click()
    await expect(confirm(page)).toBeEnabled({ timeout: 5000 })
  }).toPass()
  proxy.loseNext('POST /api/orders ', way)
  const sentAt = performance.now()
  await confirm(page).click()
  const dialog = page.getByRole('dialog')
  const expired = dialog.getByText(en.ticket.expired)
  const outcome = await Promise.race([
    dialog.waitFor({ state: 'hidden' }).then(() => 'accepted' as const),
    expired.waitFor().then(() => 'rejected' as const),
  ])
  const ms = performance.now() - sentAt
  if (outcome === 'rejected') await dialog.getByRole('button', { name: en.common.close }).click()
  await expect(dialog).toBeHidden()
  return { ms, outcome }
}
