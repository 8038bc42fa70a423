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

/** Customer service at its own command line. */
const backOffice = (baseURL: string | undefined, ...words: string[]) =>
  run('npm', ['run', '-s', 'desk', '--', ...words], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: new URL(baseURL ?? '').port, DESK_KEY: backOfficeKey },
  })

const row = (page: Page) => page.getByRole('link', { name: /EUR\/USD/ }).first()

test('maintenance shows on every page at once, with its opening time, and ends as it came', async ({
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
  const born = await detail.evaluate(() => performance.timeOrigin)

  await backOffice(baseURL, 'products', 'maintenance', id, '--opens-at', '30m')
  const resting = detail.getByRole('region', { name: en.product.maintenance })
  await expect(resting).toBeVisible()
  await expect(resting.getByText(/^\d\d:\d\d$/)).toBeVisible()
  await expect(resting.getByRole('timer')).toHaveText(/^00:(29|30):\d\d$/)
  await expect(buyUp(detail)).toBeHidden()
  for (const each of [page, list]) await expect(row(each)).toContainText(en.products.maintenance)

  await backOffice(baseURL, 'products', 'open', id)
  await expect(buyUp(detail)).toBeEnabled()
  for (const each of [page, list]) await expect(row(each)).not.toContainText(en.products.maintenance)
  expect(await detail.evaluate(() => performance.timeOrigin)).toBe(born)
})

test.describe('of the whole site', () => {
  /** Nothing can be traded meanwhile, so this flow has a venue to itself. */
  ownVenue(2)

  test('maintenance is told where prices are, stops new orders, and ends as it came', async ({
    page,
    context,
    baseURL,
  }) => {
    await logIn(page)
    const line = page.getByRole('status').filter({ hasText: en.products.maintenance })
    await expect(line).toHaveCount(0)
    const detail = await context.newPage()
    await detail.goto(product(id))
    await expect(buyUp(detail)).toBeEnabled()

    await backOffice(baseURL, 'site', 'maintenance', '--opens-at', '30m')
    await expect(line).toHaveText(/^Under Maintenance, opens (.* )?\d\d:\d\d$/)
    await expect(detail.getByRole('region', { name: en.product.maintenance })).toBeVisible()
    await expect(buyUp(detail)).toBeHidden()
    expect(await axeViolations(page, 'home')).toEqual([])
    expect(await axeViolations(detail, 'product')).toEqual([])

    await backOffice(baseURL, 'site', 'open')
    await expect(line).toHaveCount(0)
    await expect(buyUp(detail)).toBeEnabled()
  })
})
