import { expect as expectNow, type Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
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

ownVenue(14)
test.use({ viewport: { width: 1280, height: 800 } })

const changed = texts.change.withdrawal_account
const region = (page: Page) => page.getByRole('region', { name: texts.request.label })

/** By keyboard: Enter alone does nothing, the amount and Enter do. */
async function acceptTyping(page: Page, amount: string, account: string): Promise<void> {
  await expect(region(page)).toContainText(changed)
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem').first()).toContainText(changed)
  await expect(dialog).toContainText(account)
  await expect(dialog.getByLabel(texts.danger.type)).toBeFocused()
  expectNow(await axeViolations(page, 'danger')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText(texts.danger.other)
  await page.keyboard.type(amount)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

test('a withdrawal after a change of its account is approved by nobody who only presses Enter, nor by the second person', async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = '6000.00'
  const account = await asMember(browser, baseURL ?? '', (own) =>
    askToWithdraw(own, { amounts: [amount], isChanged: true }),
  )
  const [first, second] = [await inviteFinance(page, 'fay.fin'), await inviteFinance(page, 'jun.wei')]

  await test.step('the first person sees the change, and types the amount', async () => {
    await enrolFinance(page, first)
    await asMember(browser, baseURL ?? '', (own) => enrolFinance(own, second))
    await takeNext(page, 'withdrawals')
    await expect(region(page)).toContainText(texts.facts.title)
    await expect(region(page)).toContainText('6222 0000 3333 4444')
    expectNow(await axeViolations(page, 'withdrawal')).toEqual([])
    await acceptTyping(page, amount, account)
    await expect(page.getByText(texts.proposal.made)).toBeVisible()
  })

  await test.step('the second person sees the same, and types it too', async () => {
    await changeClerk(page, 'jun.wei')
    await takeNext(page, 'proposals')
    await expect(region(page)).toContainText('6222 0000 3333 4444')
    await expect(region(page)).toContainText('fay.fin')
    expectNow(await axeViolations(page, 'proposal')).toEqual([])
    await acceptTyping(page, amount, account)
    await expect(page.getByText(texts.request.confirmed)).toBeVisible()
    await takeNext(page, 'payments')
    await expect(region(page)).toContainText(texts.status.approved)
  })
})
