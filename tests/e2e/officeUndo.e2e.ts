import type { Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import {
  asMember,
  askToWithdraw,
  changeClerk,
  enrolFinance,
  inviteFinance,
  takeNext,
} from './officeRequests.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

ownVenue(17)
test.use({ viewport: { width: 1280, height: 800 } })

const note = 'Called the bank: the card is the member’s own.'
const [large, clean, later] = ['6000.00', '50.00', '60.00']

/** By keyboard: approves the open withdrawal above the limit, with a note or without. */
async function propose(page: Page, words = ''): Promise<void> {
  const dialog = page.getByRole('dialog')
  const approve = page.getByRole('button', { name: texts.request.propose })
  await expect(approve).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('a')
  await expect(dialog.getByLabel(texts.danger.type)).toBeFocused()
  await page.keyboard.type(large)
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByLabel(texts.proposal.noteLabel)).toBeFocused()
  await page.keyboard.type(words)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(texts.proposal.made)).toBeVisible()
}

test('a clean request takes three keys, S sets one aside, an approval is undone by U, and the second person reads the note of the first', async ({
  page,
  browser,
  baseURL,
}) => {
  const ask = (amount: string) =>
    asMember(browser, baseURL ?? '', (own) => askToWithdraw(own, { amounts: [amount] }))
  const [first, second] = [await inviteFinance(page, 'fay.fin'), await inviteFinance(page, 'jun.wei')]
  const request = page.getByRole('region', { name: texts.request.label })
  const row = page.getByRole('grid', { name: texts.queue.withdrawals.title }).getByRole('row').nth(1)

  const asked = [await ask(later), await ask(clean)] as const
  await enrolFinance(page, first)
  await asMember(browser, baseURL ?? '', (own) => enrolFinance(own, second))

  /** Approves the open request, which has no danger. */
  const approve = async (): Promise<void> => {
    const button = page.getByRole('button', { name: texts.request.approve })
    await expect(button).not.toHaveAttribute('aria-disabled')
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: texts.request.approve })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }

  await test.step('a request is set aside, the next one approved with three keys, and the first one comes back', async () => {
    await takeNext(page, 'withdrawals', asked.length)
    await expect(request).toContainText(asked[0])
    await page.keyboard.press('s')
    await expect(request).toContainText(asked[1])
    await expect(request).toContainText(texts.facts.title)
    await approve()
    await expect(request).toContainText(asked[0])
    await approve()
    await expect(page.getByText(texts.queue.empty)).toBeVisible()
  })

  const account = await ask(large)

  await test.step('what waits for a second person is taken back within ten seconds', async () => {
    await takeNext(page, 'withdrawals')
    await propose(page)
    await expect(row).toContainText(texts.claim.me)
    await page.keyboard.press('u')
    await expect(page.getByText(texts.proposal.cancelled)).toBeVisible()
    await page.goto('/office/#/proposals')
    await expect(page.getByText(texts.queue.empty)).toBeVisible()
  })

  await test.step('it is approved again, with a note', async () => {
    await takeNext(page, 'withdrawals')
    await propose(page, note)
  })

  await test.step('the second person reads the note', async () => {
    await changeClerk(page, 'jun.wei')
    await takeNext(page, 'proposals')
    await expect(request).toContainText(account)
    await expect(request).toContainText(texts.proposal.note)
    await expect(request).toContainText(note)
  })
})
