import { randomUUID } from 'node:crypto'
import { expect as expectNow, type Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { photo } from '../support/uploads.ts'
import { openAccount } from './member.ts'
import { postToOffice } from './officeCalls.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

ownVenue(16)

const password = 'a password of this venue 7'
/** Less of a picture than this says nothing. */
const leastPx = 160

/** Two deposits of a new member with the same receipt, as tall as a phone's screen. */
async function placeWithSameProof(page: Page): Promise<void> {
  const { account, password: secret } = await openAccount(page)
  const logIn = await page.request.post('/api/auth/login', { data: { account, password: secret } })
  const { token } = (await logIn.json()) as { token: string }
  const receipt = await photo(900, 1600)
  for (const amount of ['760.00', '160.00']) {
    const file = { name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: receipt }
    const upload = await page.request.post('/api/uploads', {
      multipart: { purpose: 'deposit_proof', file },
      headers: { 'X-CSRF-Token': token },
    })
    const { uploadId: proofUploadId } = (await upload.json()) as { uploadId: string }
    const answer = await page.request.post('/api/deposits', {
      data: { methodId: 'practice-review', amount, proofUploadId },
      headers: { 'X-CSRF-Token': token, 'Idempotency-Key': randomUUID() },
    })
    expectNow(answer.status()).toBe(201)
  }
}

test('the receipt of a flagged deposit is seen whole before it is credited, on a small screen too', async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  await placeWithSameProof(await context.newPage())
  await context.close()
  const { enrolment } = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name: 'pia.fin',
    role: 'finance',
  })
  const region = page.getByRole('region', { name: texts.request.label })
  const credit = region.getByRole('button', { name: texts.request.credit })

  await page.goto(`/office/#/enrol/${enrolment.code}`)
  await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
  await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('row').nth(1).click()

  for (const size of [
    { width: 1280, height: 800 },
    { width: 1366, height: 768 },
  ]) {
    await page.setViewportSize(size)
    await expect(region).toContainText(texts.facts.title)
    await expect(region.getByRole('listitem').first()).toBeVisible()
    const picture = region.getByRole('img', { name: texts.deposit.proof })
    await picture.scrollIntoViewIfNeeded()
    const box = (await region.getByRole('figure').boundingBox()) ?? { height: 0, y: 0 }
    expectNow([size.width, box.height >= leastPx]).toEqual([size.width, true])
    // All of it fits into the box at first.
    const drawn = (await picture.boundingBox()) ?? { height: 0, width: 0 }
    expectNow(drawn.height).toBeGreaterThanOrEqual(leastPx)
    expectNow(drawn.height).toBeLessThanOrEqual(box.height)
    expectNow(drawn.width / drawn.height).toBeCloseTo(900 / 1600, 1)
  }
  await expect(credit).not.toHaveAttribute('aria-disabled')
  expectNow(await axeViolations(page, 'receipt')).toEqual([])

  // In a low window the receipt is below the edge, and nothing is credited before it was in view.
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.reload()
  await expect(region).toContainText(texts.facts.title)
  await expect(region).toContainText(texts.request.scroll)
  await expect(credit).toBeDisabled()
  await expect(region.getByRole('button', { name: texts.request.reject })).toBeEnabled()
  await expect(async () => {
    await page.keyboard.press('PageDown')
    await expect(credit).toBeEnabled({ timeout: 500 })
  }).toPass()
})
