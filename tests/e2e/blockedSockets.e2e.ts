import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Response } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { buyUp, confirm, expectPlaced, ordersOf } from './network.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

/** As in a network that lets no WebSocket through. */
const blockWebSockets = (page: Page) => page.routeWebSocket('**/socket.io/**', (socket) => socket.close())

const isPoll = (response: Response): boolean => response.url().includes('transport=polling')

test('where WebSockets are blocked and the venue allows nothing else, the page says so', async ({ page }) => {
  let polls = 0
  page.on('response', (response) => (polls += Number(isPoll(response))))
  await blockWebSockets(page)
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.getByText(en.connection.blocked).first()).toBeVisible()
  await expect(buyUp(page)).toHaveAttribute('aria-disabled')
  expect(polls).toBe(0)
})

test.describe('at a venue that allows long polling', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'uptick-polling-')), 'config.json')
  writeFileSync(file, JSON.stringify({ longPolling: true }))
  test.describe.configure({ mode: 'default' })
  ownVenue(8, { CONFIG_FILE: file })

  test('a member whose network blocks WebSockets trades to the result', async ({ page }) => {
    const pageErrors: string[] = []
    page.on('pageerror', (error) => pageErrors.push(error.message))
    await blockWebSockets(page)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await page.getByRole('radio', { name: '5 s' }).check()
    await expect(buyUp(page)).not.toHaveAttribute('aria-disabled')
    const result = page.waitForResponse(
      async (response) =>
        isPoll(response) && /\["order",.*"status":"(won|lost|tied)"/.test(await response.text()),
    )
    await buyUp(page).click()
    await confirm(page).click()
    await expectPlaced(page)
    await result
    expect(await ordersOf(page)).toHaveLength(1)
    await expect(page.getByText(en.connection.blocked)).toHaveCount(0)
    await page.goto('/#/pages/order/order?tab=closed')
    const { won, lost, tied } = en.order.status
    await expect(page.getByRole('link', { name: /BTC\/USDT/ }).first()).toContainText(
      new RegExp(`${won}|${lost}|${tied}`),
    )
    expect(pageErrors).toEqual([])
  })

  test('one whose network does not, does not poll', async ({ page }) => {
    let polls = 0
    page.on('response', (response) => (polls += Number(isPoll(response))))
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    await expect(buyUp(page)).not.toHaveAttribute('aria-disabled')
    expect(polls).toBe(0)
  })
})
