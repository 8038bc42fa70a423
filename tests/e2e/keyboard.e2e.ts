import type { Locator, Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { inLanguage, logIn, newMember, product } from './member.ts'
import { expectPlaced } from './network.ts'
import { expect, test } from './test.ts'

const { home, login, nav, order, orders, proof, register, ticket, welcome } = en

test.describe.configure({ timeout: 240_000 })

/** Presses Tab until the target has the focus; fails after 80 times. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let i = 0; i < 80; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`cannot reach ${String(target)} by keyboard`)
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text)
}

test('a member opens an account, trades and checks the proof by keyboard alone', async ({ page }) => {
  const member = newMember()
  await inLanguage(page, 'en')
  await page.goto('/')

  await tabTo(page, page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  await tabTo(
    page,
    page
      .getByRole('link', { name: welcome.register })
      .or(page.getByRole('button', { name: welcome.register })),
  )
  await page.keyboard.press('Enter')
  await typeInto(page, register.account, member.account)
  await typeInto(page, register.phone, member.phone)
  await typeInto(page, register.openingCode, 'UPTICK')
  await page.keyboard.press('Enter')
  await typeInto(page, register.password, member.password)
  await typeInto(page, register.confirmPassword, member.password)
  await typeInto(page, register.transactionPassword, member.transactionPassword)
  await typeInto(page, register.confirmTransactionPassword, member.transactionPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText(register.done)).toBeVisible()
  if ((await page.getByLabel(login.account, { exact: true }).inputValue()) === '')
    await typeInto(page, login.account, member.account)
  await typeInto(page, login.password, member.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('10,000.00').first()).toBeVisible()

  await tabTo(page, page.getByRole('link', { name: /^BTC\/USDT/ }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'BTC/USDT' })).toBeFocused()

  await tabTo(page, page.getByRole('radio').first())
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect(
    page.getByRole('radio', { name: new RegExp(`^${ticket.seconds.replace('{{n}}', '5')}`) }),
  ).toBeChecked()
  const amount = page.getByRole('textbox').first()
  await tabTo(page, amount)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('20')
  const buyUp = page.getByRole('button', { name: ticket.buyUp }).first()
  await tabTo(page, buyUp)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toBeVisible()
  await expectFocusInside(page, sheet)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(buyUp).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, sheet.getByRole('button', { name: ticket.buyUp }))
  await page.keyboard.press('Enter')
  await expectPlaced(page)

  const seeProof = page.getByRole('link', { name: order.seeProof })
  await expect(seeProof).toBeVisible()
  await tabTo(page, seeProof)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: proof.title })).toBeVisible()
  const collapsedRow = page.getByRole('button', { expanded: false }).first()
  await tabTo(page, collapsedRow)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { expanded: true }).first()).toBeFocused()

  await page.goto('/#/pages/order/order?tab=records')
  await tabTo(page, page.getByRole('tab', { name: orders.records }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: orders.positions })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('tab', { name: orders.closed })).toBeFocused()
  await expect(page.getByRole('tab', { name: orders.closed })).toHaveAttribute('aria-selected', 'true')
})

test('a sheet returns the focus, and the skip link is the first stop', async ({ page }) => {
  await logIn(page)
  await page.goto('/#/pages/user/user')
  const total = page.getByRole('button', { name: home.totalAssets })
  await tabTo(page, total)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toBeVisible()
  await expectFocusInside(page, sheet)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(total).toBeFocused()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await expect(total).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: nav.skip })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

/** Expects that Tab stays inside a sheet, in both directions. */
async function expectFocusInside(page: Page, sheet: Locator): Promise<void> {
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    // Base UI has guards at both ends, which move the focus on.
    await expect.poll(() => sheet.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
}

test('price changes are not announced, and a table has the data of the chart', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  const price = page.getByText(/^\d{2},\d{3}\.\d{2}$/).first()
  await expect(price).toBeVisible()
  await expect(page.getByRole('button', { name: ticket.buyUp }).first()).toBeEnabled()
  await page.evaluate(() => {
    const announced: string[] = []
    const live = '[aria-live]:not([aria-live="off"]), [role="status"], [role="alert"], [role="log"], output'
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const region = element?.closest(live)
        if (region) announced.push(region.textContent ?? '')
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
    Object.assign(globalThis, { announced })
  })
  for (let i = 0; i < 5; i++) {
    const before = await price.textContent()
    await expect(price).not.toHaveText(before ?? '')
  }
  expect(await page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced)).toEqual([])
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  )
  expect(moving).toBe(0)

  await page.getByRole('button', { name: en.chart.table }).click()
  const table = page.getByRole('table')
  await expect(table.getByRole('row').nth(1)).toBeVisible()
})
