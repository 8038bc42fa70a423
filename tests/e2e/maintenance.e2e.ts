import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { test } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { backOfficeKey } from './backOffice.ts'
import { expect } from './expect.ts'
import { buyUp } from './network.ts'
import { logIn, product } from './member.ts'
import { ownVenue } from './ownVenue.ts'

const id = 'EURUSD'
const run = promisify(execFile)

/** Runs the back office's command line. */
const backOffice = (baseURL: string | undefined, ...args: string[]) =>
  run('npm', ['run', '-s', 'desk', '--', ...args], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: new URL(baseURL ?? '').port, DESK_KEY: backOfficeKey },
  })

const row = (page: Page) => page.getByRole('link', { name: /EUR\/USD/ }).first()

test('maintenance of a product shows on every page at once with its opening time, and ends without a reload', async ({
  page,
  context,
  baseURL,
}) => {
  await logIn(page)
  const list = await context.newPage()
  await list.goto('/#/pages/product/product')
  const detail = await context.newPage()
  await detail.goto(product(id))
  await expect(buyUp(detail)).toBeEnabled()
  const loadedAt = await detail.evaluate(() => performance.timeOrigin)

  await backOffice(baseURL, 'products', 'maintenance', id, '--opens-at', '30m')
  const maintenanceNote = detail.getByRole('region', { name: en.product.maintenance })
  await expect(maintenanceNote).toBeVisible()
  await expect(maintenanceNote.getByText(/^\d\d:\d\d$/)).toBeVisible()
  await expect(maintenanceNote.getByRole('timer')).toHaveText(/^00:(29|30):\d\d$/)
  await expect(buyUp(detail)).toBeHidden()
  for (const each of [page, list]) await expect(row(each)).toContainText(en.products.maintenance)

  await backOffice(baseURL, 'products', 'open', id)
  await expect(buyUp(detail)).toBeEnabled()
  for (const each of [page, list]) await expect(row(each)).not.toContainText(en.products.maintenance)
  expect(await detail.evaluate(() => performance.timeOrigin)).toBe(loadedAt)
})

test.describe('maintenance of the whole site', () => {
  /** It stops all trading, so this test has its own venue. */
  ownVenue(2)

  test('shows where prices are, stops new orders, and ends without a reload', async ({
    page,
    context,
    baseURL,
  }) => {
    await logIn(page)
    const notice = page.getByRole('status').filter({ hasText: en.products.maintenance })
    await expect(notice).toHaveCount(0)
    const detail = await context.newPage()
    await detail.goto(product(id))
    await expect(buyUp(detail)).toBeEnabled()

    await backOffice(baseURL, 'site', 'maintenance', '--opens-at', '30m')
    await expect(notice).toHaveText(/^Under Maintenance, opens (.* )?\d\d:\d\d$/)
    await expect(detail.getByRole('region', { name: en.product.maintenance })).toBeVisible()
    await expect(buyUp(detail)).toBeHidden()
    expect(await axeViolations(page, 'home')).toEqual([])
    expect(await axeViolations(detail, 'product')).toEqual([])

    await backOffice(baseURL, 'site', 'open')
    await expect(notice).toHaveCount(0)
    await expect(buyUp(detail)).toBeEnabled()
  })
})
