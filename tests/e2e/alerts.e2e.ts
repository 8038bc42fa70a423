import type { Locator } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn, product } from './member.ts'
import { expect, test } from './test.ts'

const amount = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

test('a price alert is set, reached, reported once and gone from the list @short', async ({ page }) => {
  await logIn(page)
  await page.goto(product('BTCUSDT'))
  await page.getByRole('button', { name: en.alert.title }).click()
  const sheet = page.getByRole('dialog', { name: en.alert.title })
  await expect(sheet.getByText(en.alert.none)).toBeVisible()
  const field = sheet.getByRole('textbox', { name: en.alert.price })
  const rejected = sheet.getByText(en.error.ALERT_REACHED)
  /** Whether it was set: not if the price is reached already. */
  const set = async (kind: string, distance: number): Promise<boolean> => {
    await sheet.getByRole('radio', { name: kind }).check()
    // That clears the error of the last price, in whose place the price now is shown.
    await field.fill('')
    const now = (await sheet.getByText(/^Now [\d,.]+$/).innerText()).replaceAll(/[^\d.]/g, '')
    const price = Number(now) + distance
    await field.fill(price.toFixed(2))
    await sheet.getByRole('button', { name: en.alert.submit }).click()
    const done = page.getByText(`BTC/USDT ${kind.toLowerCase()} ${amount.format(price)}`)
    await expect(done.or(rejected).first()).toBeVisible()
    return rejected.isHidden()
  }
  expect(await set(en.alert.below, 50_000)).toBe(false)

  // One on either side of the price, so that it reaches one of them wherever it goes. It may reach one before that is set,
  // and then the next price counts.
  const toastSeen = expect(page.getByText(/^BTC\/USDT (rose to|fell to) [\d,.]+/).first()).toBeVisible()
  await expect(async () => expect(await set(en.alert.above, 1)).toBe(true)).toPass()
  await expect(async () => expect(await set(en.alert.below, -1)).toBe(true)).toPass()
  await toastSeen

  await page.reload()
  await page.getByRole('button', { name: en.alert.title }).click()
  const rows = sheet.getByRole('listitem')
  await expect(sheet.getByRole('heading', { name: en.alert.waiting })).toBeVisible()
  // The price may reach the other one at any moment.
  await expect(async () => {
    if ((await rows.count()) > 0) await rows.getByRole('button').first().click({ timeout: 1_000 })
    await expect(sheet.getByText(en.alert.none)).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

/**
 * The heights in the chart, px from its top, of rows that are drawn as dashes in the quiet colour of text from edge to edge:
 * text of that colour is only in a part of its row.
 */
const dashedRows = (plot: Locator): Promise<number[]> =>
  plot.evaluate((figure) => {
    const probe = document.createElement('canvas').getContext('2d')!
    probe.fillStyle = getComputedStyle(figure).getPropertyValue('--text3').trim()
    probe.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = probe.getImageData(0, 0, 1, 1).data
    const top = figure.getBoundingClientRect().top
    const parts = 8
    const rows = [...figure.querySelectorAll('canvas')].flatMap((canvas) => {
      const { width, height } = canvas
      // Neither the axes nor the tags on them.
      if (width < figure.clientWidth / 2 || height < figure.clientHeight / 2) return []
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height)
      const offset = canvas.getBoundingClientRect().top - top
      return Array.from({ length: height }, (_, y) => y)
        .filter((y) => {
          const inked = Array.from({ length: width }, (__, x) => {
            const i = 4 * (y * width + x)
            return data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255
          })
          const count = inked.filter(Boolean).length
          const isDashed = count > width / 5 && count < (width * 4) / 5
          return (
            isDashed &&
            Array.from({ length: parts }, (__, part) =>
              inked.slice((part * width) / parts, ((part + 1) * width) / parts).includes(true),
            ).every(Boolean)
          )
        })
        .map((y) => offset + y * (canvas.clientHeight / height))
    })
    return [...new Set(rows.map(Math.round))]
  })

test('the line of an alert is on the chart at its price, until the alert is deleted', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await logIn(page)
  await page.goto(product('EURUSD'))
  const chart = page.getByRole('region', { name: en.chart.label.replace('{{code}}', 'EUR/USD') })
  // Its scale changes less than in a few seconds.
  await chart.getByRole('radio', { name: '1h', exact: true }).check()
  const plot = chart.getByRole('figure')
  const menu = page.getByRole('menu', { name: en.chart.menu })
  const menuAt = async (y: number): Promise<string> => {
    await plot.click({ button: 'right', position: { x: 100, y } })
    return menu.locator('p').innerText()
  }
  await expect(chart.getByRole('status')).toHaveCount(0)
  await expect.poll(() => dashedRows(plot)).toEqual([])
  const asked = await menuAt(90)
  await menu.getByRole('menuitem', { name: en.chart.alertHere }).click()
  const sheet = page.getByRole('dialog', { name: en.alert.title })
  await expect(sheet.getByRole('textbox', { name: en.alert.price })).toHaveValue(asked)
  await sheet.getByRole('button', { name: en.alert.submit }).click()
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await page.mouse.move(0, 0)
  await expect.poll(async () => (await dashedRows(plot)).length).toBeGreaterThan(0)
  const [y = 0] = await dashedRows(plot)
  const priceAt = async (height: number): Promise<string> => {
    const price = await menuAt(height)
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    return price
  }
  const [above, below] = [await priceAt(y - 2), await priceAt(y + 3)]
  expect(Number(above)).toBeGreaterThanOrEqual(Number(asked))
  expect(Number(below)).toBeLessThanOrEqual(Number(asked))

  await page.getByRole('button', { name: en.alert.title }).click()
  await sheet.getByRole('listitem').getByRole('button').click()
  await expect(sheet.getByText(en.alert.none)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await page.mouse.move(0, 0)
  await expect.poll(() => dashedRows(plot)).toEqual([])
})
