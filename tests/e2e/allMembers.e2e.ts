import type { Page } from '@playwright/test'
import { dayEarnings, parsePer10k, type Fund } from '../../contract/fund.ts'
import { addMoney, formatMoney, moneyOf, negate } from '../../contract/money.ts'
import { dayMs } from '../../contract/time.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { advance, setMaintenance } from './officeCalls.ts'
import { openHome, product } from './member.ts'
import { buyUp } from './network.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

/** All members share the calendar and the site, so these flows have a venue of their own; one after the other, on one. */
test.describe.configure({ mode: 'default' })
ownVenue(1)

const { fund, withdraw } = en
const stake = '9,000.00'
const times = (left: number, out: number): string =>
  fund.left.replace('{{in}}', String(left)).replace('{{out}}', String(out))
const fundOf = async (page: Page): Promise<Fund> =>
  (await (await page.request.get('/api/fund')).json()) as Fund
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

test('a fund deposit is confirmed, earns and is withdrawn without a reload', async ({ page }) => {
  test.slow()
  const member = await openHome(page)
  const share = (name: string, amount: string) => page.getByRole('link', { name: `${name} ${amount}` })
  await page.getByRole('link', { name: en.nav.fund, exact: true }).click()
  let loads = 0
  page.on('load', () => (loads += 1))

  await test.step('a deposit is pending and uses one of the five times', async () => {
    await page.getByRole('link', { name: fund.transferIn }).click()
    await page.getByLabel(fund.amount, { exact: true }).fill('9000')
    await page.getByRole('button', { name: fund.inAmount.replace('{{amount}}', stake) }).click()
    await expect(share(fund.pending, stake)).toBeVisible()
    await expect(share(fund.confirmed, '0.00')).toBeVisible()
    await expect(page.getByText(times(4, 3))).toBeVisible()
  })

  const pendingFund = await fundOf(page)
  const { businessOn } = await advance(page, 1)
  await advance(page, daysBetween(businessOn, pendingFund.nextConfirmOn) * dayMs - 1)

  await test.step('it is confirmed at the start of the next trading day, and the times are reset', async () => {
    await expect(share(fund.confirmed, stake)).toBeVisible()
    await expect(share(fund.pending, '0.00')).toBeVisible()
    await expect(share(fund.total, stake)).toBeVisible()
    await expect(page.getByText(times(5, 3))).toBeVisible()
    await expect(page.getByText(fund.nothingPending)).toBeVisible()
  })

  const { businessOn: today } = await advance(page, dayMs)
  const { per10k } = await fundOf(page)
  const { earned } = dayEarnings(moneyOf('9000.00'), parsePer10k(per10k) ?? 0, 0)
  const all = addMoney(moneyOf('9000.00'), earned)
  const shown = (units: typeof earned): string => formatMoney(units).replace(/(\d)(?=\d{3}\.)/, '$1,')

  await test.step('a day later shows yesterday’s earnings and adds them to the total', async () => {
    expect(earned).toBeGreaterThan(0)
    const line = page.getByRole('link', { name: new RegExp(`^${fund.yesterday}`) })
    await expect(line).toContainText(`${fund.yesterday} +${shown(earned)}`)
    await expect(line).toContainText(`${fund.totalEarnings} +${shown(earned)}`)
    await expect(share(fund.confirmed, shown(all))).toBeVisible()
  })

  await test.step('a fast withdrawal reduces the share and uses one of the three times', async () => {
    await page.getByRole('link', { name: fund.transferOut }).click()
    await page.getByLabel(fund.amount, { exact: true }).fill('500')
    await page.getByLabel(withdraw.password).fill(member.transactionPassword)
    await page.getByRole('button', { name: /500\.00/ }).click()
    await expect(share(fund.confirmed, shown(addMoney(all, negate(moneyOf('500.00')))))).toBeVisible()
    await expect(page.getByText(times(5, 2))).toBeVisible()
  })

  await test.step('records, earnings and assets agree', async () => {
    await page.getByRole('link', { name: fund.details }).click()
    // Until the next page is there, this one shows the same figures.
    await expect(page.getByRole('tab', { name: fund.earnings })).toBeVisible()
    await expect(page.getByText(fund.status.confirmed, { exact: true })).toBeVisible()
    await expect(page.getByText(`+${shown(earned)}`)).toBeVisible()
    await expect(page.getByText(/^[-−]500\.00$/)).toBeVisible()
    await page.getByRole('tab', { name: fund.earnings }).click()
    // They are yesterday's.
    if (today.endsWith('-01')) await page.getByRole('button', { name: fund.monthBefore }).click()
    await expect(page.getByText(`+${shown(earned)}`).first()).toBeVisible()
    const assets = (await (await page.request.get('/api/me/assets')).json()) as Record<string, string>
    expect(assets['available']).toBe('1500.00')
    expect(assets['total']).toBe(formatMoney(addMoney(moneyOf('10000.00'), earned)))
  })
  expect(loads).toBe(0)
})

test('maintenance of the whole site shows where prices are, stops new orders, and ends without a reload', async ({
  page,
  context,
}) => {
  await openHome(page)
  const notice = page.getByRole('status').filter({ hasText: en.products.maintenance })
  await expect(notice).toHaveCount(0)
  const detail = await context.newPage()
  await detail.goto(product('EURUSD'))
  await expect(buyUp(detail)).toBeEnabled()

  await setMaintenance(page, 'site', Date.now() + 30 * 60_000)
  await expect(notice).toHaveText(/^Under Maintenance, opens (.* )?\d\d:\d\d$/)
  await expect(detail.getByRole('region', { name: en.product.maintenance })).toBeVisible()
  await expect(buyUp(detail)).toBeHidden()
  expect(await axeViolations(page, 'home')).toEqual([])
  expect(await axeViolations(detail, 'product')).toEqual([])

  await setMaintenance(page, 'site', null)
  await expect(notice).toHaveCount(0)
  await expect(buyUp(detail)).toBeEnabled()
})
