import en from '../../locales/en.json' with { type: 'json' }
import zhCN from '../../locales/zh-CN.json' with { type: 'json' }
import { inLanguage, newMember, product } from './member.ts'
import { confirm, expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

const sizes = [
  { language: 'en', width: 390, height: 844 },
  { language: 'zh-CN', width: 1280, height: 800 },
] as const

/** The texts of the app, from its packs. */
const packs = { en, 'zh-CN': zhCN }
const before = (text: string, mark: string): string => text.slice(0, text.indexOf(mark))

for (const { language, width, height } of sizes) {
  test(`a visitor registers, trades and checks the proof of a settled order (${language}, ${width} px)${language === 'en' ? ' @short' : ''}`, async ({
    page,
  }) => {
    const { welcome, register, login, ticket, order, proof } = packs[language]
    const member = newMember()
    const pageErrors: string[] = []
    page.on('pageerror', (error) => pageErrors.push(error.message))
    await page.setViewportSize({ width, height })
    await inLanguage(page, language)

    await page.goto('/')
    await page.getByRole('checkbox', { name: before(welcome.riskAccept, '<') }).check()
    await page.getByText(welcome.register, { exact: true }).click()
    await page.getByLabel(register.account, { exact: true }).fill(member.account)
    await page.getByLabel(register.phone, { exact: true }).fill(member.phone)
    await page.getByLabel(register.openingCode, { exact: true }).fill('UPTICK')
    await page.getByRole('button', { name: register.next }).click()
    await page.getByLabel(register.password, { exact: true }).fill(member.password)
    await page.getByLabel(register.confirmPassword, { exact: true }).fill(member.password)
    await page.getByLabel(register.transactionPassword, { exact: true }).fill(member.transactionPassword)
    await page
      .getByLabel(register.confirmTransactionPassword, { exact: true })
      .fill(member.transactionPassword)
    await page.getByRole('button', { name: register.submit }).click()
    await expect(page.getByText(register.done)).toBeVisible()

    await page.getByLabel(login.account, { exact: true }).fill(member.account)
    await page.getByLabel(login.password, { exact: true }).fill(member.password)
    await page.getByRole('button', { name: login.submit }).click()
    await expect(page.getByText('10,000.00').first()).toBeVisible()
    // At once: a few seconds later it would be gone anyway.
    expect(await page.getByText(register.done).count()).toBe(0)

    await page.goto(product('BTCUSDT'))
    const fiveSeconds = ticket.seconds.replace('{{n}}', '5')
    await page.getByRole('radio', { name: new RegExp(`^${fiveSeconds} *\\d`) }).check()
    await page.getByRole('button', { name: ticket.buyUp }).click()
    await confirm(page, ticket).click()
    await expectPlaced(page, ticket)

    await page.goto('/#/pages/order/order?tab=closed')
    const row = page.getByRole('link', { name: /BTC\/USDT/ }).first()
    const settled = new RegExp(`${order.status.won}|${order.status.lost}|${order.status.tied}`)
    await expect(row).toContainText(settled)
    await row.click()
    await expect(page.getByRole('heading', { name: proof.title })).toBeVisible()
    await expect(page.getByText(before(proof.checkedAt, '{{'))).toBeVisible()
    expect(pageErrors).toEqual([])
  })
}
