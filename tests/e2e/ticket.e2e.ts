import en from '../../locales/en.json' with { type: 'json' }
import { inLanguage, logIn, product } from './member.ts'
import { expect, test } from './test.ts'

const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
]

for (const size of sizes) {
  test(`what is wrong with an amount moves nothing under the finger, at ${size.width}×${size.height}${size.width === 390 ? ' @short' : ''}`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    const ticket = page.getByRole('region', { name: en.ticket.title })
    const buy = ticket.getByRole('button', { name: en.ticket.buyUp })
    await expect(buy).toBeEnabled()
    const places = async (): Promise<(number | undefined)[]> => {
      const parts = [ticket.getByRole('radio').first(), ticket.getByRole('textbox'), buy]
      return Promise.all(parts.map(async (part) => Math.round((await part.boundingBox())?.y ?? -1)))
    }
    const before = await places()
    for (const amount of ['', '0.5', '99999', '999999999', '1,0000']) {
      await ticket.getByRole('textbox').fill(amount)
      await expect(buy).toBeDisabled()
      expect(await places(), `with “${amount}”`).toEqual(before)
    }
    await ticket.getByRole('textbox').fill('999999999')
    await ticket.getByRole('textbox').blur()
    await expect(ticket.getByRole('textbox')).not.toHaveValue('999999999')
    expect(await places(), 'capped').toEqual(before)
  })
}

for (const size of sizes) {
  test(`an amount is chosen without typing, at ${size.width}×${size.height}`, async ({ page }) => {
    await page.setViewportSize(size)
    await logIn(page)
    await page.goto(product('BTCUSDT'))
    const ticket = page.getByRole('region', { name: en.ticket.title })
    const amount = ticket.getByRole('textbox')
    await expect(amount).toHaveValue('100.00')
    for (const [name, value] of [
      [en.ticket.raise, '200.00'],
      [en.ticket.lower, '100.00'],
      [en.ticket.lower, '90.00'],
      ['500', '500.00'],
    ] as const) {
      const button = ticket.getByRole('button', { name, exact: true })
      await expect(button).toBeInViewport({ ratio: 1 })
      await button.click()
      await expect(amount).toHaveValue(value)
    }
    await page.reload()
    await expect(amount).toHaveValue('500.00')
    const menu = ticket.getByLabel(en.ticket.moreAmounts)
    await menu.selectOption('max')
    await expect(amount).toHaveValue('10000.00')
    await page.reload()
    await expect(amount).toHaveValue('500.00')
  })
}

for (const size of sizes) {
  test(`a missing consent moves nothing on the front door, at ${size.width}×${size.height}`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await inLanguage(page, 'en')
    await page.goto('/')
    const register = page.getByRole('button', { name: en.welcome.register })
    const parts = [page.getByRole('heading', { level: 1 }), register, page.getByRole('checkbox')]
    await expect(page.locator('[data-skeleton]')).toHaveCount(0)
    await expect(page.locator('[data-prerendered]')).toHaveCount(0)
    const places = () => Promise.all(parts.map(async (part) => (await part.boundingBox())?.y))
    await register.scrollIntoViewIfNeeded()
    const before = await places()
    await register.click()
    await expect(page.getByText(en.welcome.riskFirst)).toBeVisible()
    expect(await places()).toEqual(before)
  })
}

test('an order’s sheet that cannot be loaded says so, and opens after a reload', async ({ page }) => {
  await page.route(/\/assets\/ConfirmSheet-[^/]*\.js$/, (route) => route.abort())
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  const buy = page.getByRole('button', { name: en.ticket.buyUp }).first()
  await expect(buy).toBeEnabled()
  await buy.click()
  await expect(page.getByText(en.page.other.text)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.unrouteAll()
  await page.reload()
  await expect(buy).toBeEnabled()
  await buy.click()
  await expect(page.getByRole('dialog', { name: en.ticket.confirm })).toBeVisible()
})
