import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import type { Order } from '../../contract/orders.ts'
import { openBuiltVenue } from '../support/builtVenue.ts'
import { openExchange } from '../support/exchange/openExchange.ts'
import { bankMethod } from '../support/payments.ts'
import { productRow } from '../support/productRow.ts'
import { openScratchPostgres, postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { openTlsProxy } from './tlsProxy.ts'
import { photo } from '../support/uploads.ts'
import { bindAccount, fillVerification } from './accountForms.ts'
import { decide, postToOffice } from './officeCalls.ts'
import { inLanguage, newMember, product, type Member } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { openChecks } from './proof.ts'
import { expect, test } from './test.ts'

const { deposit, order, proof, records, register, title, verify, wallet, withdraw } = en
const port = Number(process.env['E2E_PORT'] ?? 18_480) + 8
const venuePort = port + 1
const publicUrl = `https://127.0.0.1:${port}`
test.use({ baseURL: publicUrl, ignoreHTTPSErrors: true })

/** What the live venue needs, opened in this order and closed in the reverse order. */
const cleanups: (() => Promise<unknown>)[] = []
test.beforeAll(async () => {
  test.slow()
  const reason = await postgresUnavailableReason()
  test.skip(reason !== null, `nothing usable at 127.0.0.1:5432 (${reason})`)
  const folder = mkdtempSync(join(tmpdir(), 'uptick-live-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const write = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }
  const scratch = await openScratchPostgres('liveVenue')
  cleanups.push(() => scratch.drop())
  const exchange = await openExchange('binance', { rate: 10 })
  cleanups.push(() => exchange.close())
  const proxy = await openTlsProxy(port, venuePort)
  cleanups.push(() => proxy.close())
  const row = productRow('BTCUSDT', {
    code: 'BTC/USDT',
    durations: [{ seconds: 12, rateBp: 8000, min: '1.00', max: '1000.00' }],
    feed: { exchange: 'binance', symbol: 'BTCUSDT' },
    entryTimeoutMs: 5000,
    exitWindowMs: 6000,
  })
  const venue = await openBuiltVenue({
    PORT: String(venuePort),
    PUBLIC_URL: publicUrl,
    MODE: 'live',
    DATABASE_URL: scratch.url,
    VENUE_KEY: 'ab'.repeat(32),
    RATE_LIMITS: 'on',
    PRODUCTS_FILE: write('products.json', [row]),
    CONFIG_FILE: write('config.json', {
      depositMethods: [bankMethod],
      // So that the member can withdraw within the test.
      withdrawalRestHours: 0,
      exchangeAddresses: { binance: exchange.url },
    }),
  })
  cleanups.push(venue.close)
})
test.afterAll(async () => {
  for (const step of cleanups.toReversed()) await step()
})

test('live: a member registers, is verified, deposits, trades a real product and is paid out', async ({
  page,
}) => {
  await inLanguage(page, 'en')
  const member = newMember()
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))

  await test.step('an account is opened with a code of the desk, and begins with nothing', async () => {
    await registerWithIssuedCode(page, member)
    await page.getByLabel(en.login.account, { exact: true }).fill(member.account)
    await page.getByLabel(en.login.password, { exact: true }).fill(member.password)
    await page.getByRole('button', { name: en.login.submit }).click()
    await expect(page.getByText('0.00', { exact: true }).first()).toBeVisible()
    await expectNoPracticeLabel(page)
    const cookies = await page.context().cookies()
    expect(cookies.find(({ name }) => name === '__Host-sid')).toMatchObject({ secure: true, httpOnly: true })
  })

  await test.step('the real name is verified by the desk', async () => {
    await page.goto('/#/pages/verify/verify')
    await fillVerification(page)
    await page.getByRole('button', { name: verify.submit }).click()
    await expect(page.getByRole('heading', { name: verify.underReview })).toBeVisible()
    await decide(page, 'verifications', 'approve')
    await expect(page.getByRole('heading', { name: verify.verified })).toBeVisible()
  })

  await test.step('a bank transfer is credited once the desk approves it', async () => {
    await page.goto('/#/pages/deposit/deposit')
    await expect(page.getByText('First Bank')).toBeVisible()
    await page.getByLabel(wallet.amount, { exact: true }).fill('500')
    // Without proof two persons would have to confirm it.
    const receipt = { name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await photo() }
    await page.getByLabel(verify.choose.replace('{{photo}}', deposit.proof)).setInputFiles(receipt)
    await expect(page.getByText(verify.uploaded)).toBeVisible()
    await page.getByRole('button', { name: deposit.submit.replace('{{amount}}', '500.00') }).click()
    const row = page.getByRole('link', { name: '500.00' })
    await expect(row).toContainText(wallet.status.under_review)
    await decide(page, 'deposits', 'approve')
    await expect(row).toContainText(wallet.status.successful)
    await expectNoPracticeLabel(page)
  })

  const { id, status } = await test.step('an order settles by rule R2, and the device checks its proof', () =>
    settleOrder(page))

  await test.step('a withdrawal is paid once the desk approves it', async () => {
    await page.goto('/#/pages/withdraw-money/withdraw-money')
    await page.getByRole('link', { name: en.account.bind }).click()
    await bindAccount(page, member)
    await page.getByLabel(wallet.amount, { exact: true }).fill('300')
    await page.getByLabel(withdraw.password).fill(member.transactionPassword)
    await page.getByRole('button', { name: title.withdraw, exact: true }).click()
    const send = withdraw.confirm.replace('{{amount}}', '300.00')
    await page.getByRole('dialog').getByRole('button', { name: send }).click()
    const row = page.getByRole('link', { name: '300.00' })
    await expect(row).toContainText(wallet.status.under_review)
    await decide(page, 'withdrawals', 'approve')
    await expect(row).toContainText(wallet.status.successful)
    await expectNoPracticeLabel(page)
  })

  await test.step('the capital record has every movement', async () => {
    await page.goto('/#/pages/money-record/money-record')
    const { types } = records
    const settled = { won: [types.payout], tied: [types.refund] }[status as string] ?? []
    for (const type of [types.deposit, types.stake, types.withdrawal_hold, types.withdrawal_paid, ...settled])
      await expect(page.getByRole('link', { name: type }).first()).toBeVisible()
    await expectNoPracticeLabel(page)
    await page.getByRole('link', { name: types.stake }).click()
    await expect(page).toHaveURL(new RegExp(`id=${id}`))
    await expect(page.getByText(order.status[status as 'won' | 'lost' | 'tied']).first()).toBeVisible()
  })
  expect(pageErrors).toEqual([])
})

/** Amounts on a live venue are real money. For pages that have loaded: the label comes with the amounts. */
const expectNoPracticeLabel = (page: Page) =>
  expect(page.getByText(en.common.practice, { exact: true })).toHaveCount(0)

async function registerWithIssuedCode(page: Page, member: Member): Promise<void> {
  const code = await postToOffice<{ code: string }>(page, '/codes', { uses: 1 })
  await page.goto('/')
  await page.getByRole('checkbox').check()
  await page.getByText(en.welcome.register, { exact: true }).click()
  await page.getByLabel(register.account, { exact: true }).fill(member.account)
  await page.getByLabel(register.phone, { exact: true }).fill(member.phone)
  await page.getByLabel(register.openingCode, { exact: true }).fill(code.code)
  await page.getByRole('button', { name: register.next }).click()
  await page.getByLabel(register.password, { exact: true }).fill(member.password)
  await page.getByLabel(register.confirmPassword, { exact: true }).fill(member.password)
  await page.getByLabel(register.transactionPassword, { exact: true }).fill(member.transactionPassword)
  await page.getByLabel(register.confirmTransactionPassword, { exact: true }).fill(member.transactionPassword)
  await page.getByRole('button', { name: register.submit }).click()
  await expect(page.getByText(register.done)).toBeVisible()
}

async function settleOrder(page: Page): Promise<Order> {
  await page.goto(product('BTCUSDT'))
  await expect(page.getByText('Exit price: average of the last 6 s')).toBeVisible()
  await page.getByRole('radio').first().check()
  await buyUp(page).click()
  await expect(confirm(page)).toBeVisible()
  await expectNoPracticeLabel(page)
  await confirm(page).click()
  await expectPlaced(page)
  const orders = async (): Promise<Order[]> =>
    ((await (await page.request.get('/api/orders?tab=records')).json()) as { items: Order[] }).items
  const [placed] = await orders()
  await page.goto(`/#/pages/order/detail?id=${placed?.id}`)
  await expect(page.getByText(/^Checked on this device/)).toBeVisible()
  await expect(page.getByRole('heading', { name: proof.title })).toBeVisible()
  await openChecks(page)
  await page.getByRole('button', { name: proof.exitMean }).click()
  await expect(page.getByText(/^Average of (the middle \d+ of )?\d+ ticks/)).toBeVisible()
  await expectNoPracticeLabel(page)
  const [settled] = await orders()
  if (!settled) throw new Error('the order is missing')
  expect(['won', 'lost', 'tied']).toContain(settled.status)
  return settled
}
