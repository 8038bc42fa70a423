import en from '../../locales/en.json' with { type: 'json' }
import type { Order } from '../../contract/orders.ts'
import { logIn, product } from './member.ts'
import { buyUp, confirm, expectPlaced } from './network.ts'
import { openChecks } from './proof.ts'
import { expect, test } from './test.ts'

test('an order by rule R2 says how it ends, shows its average while it runs, and its proof gives the same', async ({
  page,
}) => {
  await logIn(page)
  await page.goto(product('ETHUSDT'))
  await expect(page.getByText('Exit price: average of the last 6 s')).toBeVisible()
  await page.getByRole('radio').first().check()
  await buyUp(page).click()
  await expect(page.getByRole('dialog')).toContainText('first tick after 0.5 s')
  await expect(page.getByRole('dialog')).toContainText('average of the last 6 s')
  await confirm(page).click()
  await expectPlaced(page)
  const answer = await page.request.get('/api/orders?tab=records')
  const [placed] = ((await answer.json()) as { items: Order[] }).items
  await page.goto(`/#/pages/order/detail?id=${placed?.id}`)
  await expect(page.getByText('average of the last 6 s', { exact: true })).toBeVisible()
  await expect(page.getByText(en.order.pnlMean)).toBeVisible()
  await expect(page.getByText(/^Average of the last 6 s: [\d,.]+$/)).toBeVisible()
  await expect(page.getByText(/^Checked on this device/)).toBeVisible()
  await openChecks(page)
  await page.getByRole('button', { name: en.proof.exitMean }).click()
  await expect(page.getByText(/^The average of the ticks after/)).toBeVisible()
  await expect(
    page.getByText(/^Average of (the middle \d+ of )?\d+ ticks, #[\d,]+ to #[\d,]+ · [\d,.]+$/),
  ).toBeVisible()
})
