import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { deskKey, setMaintenance } from './officeCalls.ts'
import { buyUp } from './network.ts'
import { openHome, product } from './member.ts'
import { expect, test } from './test.ts'

const id = 'EURUSD'
const run = promisify(execFile)

/** Runs the office's command line from the sources, as an operator does. */
const office = (baseURL: string | undefined, ...args: string[]) =>
  run('npm', ['run', '-s', 'desk', '--', ...args], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: new URL(baseURL ?? '').port, DESK_KEY: deskKey },
  })

const row = (page: Page) => page.getByRole('link', { name: /EUR\/USD/ }).first()

test('maintenance of a product shows on every page at once with its opening time, and ends without a reload', async ({
  page,
  context,
  baseURL,
}) => {
  await openHome(page)
  const list = await context.newPage()
  await list.goto('/#/pages/product/product')
  const detail = await context.newPage()
  await detail.goto(product(id))
  await expect(buyUp(detail)).toBeEnabled()
  const loadedAt = await detail.evaluate(() => performance.timeOrigin)

  await office(baseURL, 'products', 'maintenance', id, '--opens-at', '30m')
  const maintenanceNote = detail.getByRole('region', { name: en.product.maintenance })
  await expect(maintenanceNote).toBeVisible()
  await expect(maintenanceNote.getByText(/^\d\d:\d\d$/)).toBeVisible()
  await expect(maintenanceNote.getByRole('timer')).toHaveText(/^00:(29|30):\d\d$/)
  await expect(buyUp(detail)).toBeHidden()
  for (const each of [page, list]) await expect(row(each)).toContainText(en.products.maintenance)

  await setMaintenance(page, `products/${id}`, null)
  await expect(buyUp(detail)).toBeEnabled()
  for (const each of [page, list]) await expect(row(each)).not.toContainText(en.products.maintenance)
  expect(await detail.evaluate(() => performance.timeOrigin)).toBe(loadedAt)
})
