import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { decide } from './officeCalls.ts'
import { textOf } from './download.ts'
import { logIn, type Member } from './member.ts'
import { bindAccount, fillVerification } from './accountForms.ts'
import { expect, test } from './test.ts'

const { account, deposit, records, title, verify, wallet, withdraw } = en

test('a member deposits, verifies the name, withdraws, and cancels a withdrawal @short', async ({ page }) => {
  const member = await logIn(page)
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(error.message))

  await test.step('a practice deposit is credited once, however often the button is tapped', async () => {
    await page.goto('/#/pages/deposit/deposit')
    await page.getByLabel(wallet.amount, { exact: true }).fill('1,000')
    await page.getByRole('button', { name: deposit.submit.replace('{{amount}}', '1,000.00') }).dblclick()
    await expect(page.getByRole('heading', { name: title.deposits })).toBeVisible()
    await expect(page.getByRole('link', { name: '1,000.00' })).toHaveCount(1)
  })

  await test.step('the obstacles to a withdrawal are shown in order', async () => {
    await page.goto('/#/pages/withdraw-money/withdraw-money')
    await expect(page.getByText('11,000.00')).toBeVisible()
    await expect(page.getByText('not yet bound')).toBeVisible()
    await expect(page.getByText(withdraw.bindFirst)).toBeVisible()
    await page.getByRole('link', { name: account.bind }).click()
  })

  await test.step('an account is bound after every field is filled in', () => bind(page, member))

  await test.step('the verification is sent with both photos, its draft surviving a reload', async () => {
    await page.getByRole('link', { name: withdraw.verify }).click()
    await submitVerification(page)
  })

  await test.step('the result of the review shows by itself', async () => {
    await page.goto('/#/pages/withdraw-money/withdraw-money')
    await expect(page.getByText(withdraw.verifying)).toBeVisible()
    await decide(page, 'verifications', 'approve')
    await expect(page.getByText(withdraw.verifying)).toBeHidden()
  })

  await test.step('two withdrawals are sent, each once', async () => {
    await send(page, member, '12000', '11,000.00', true)
    await send(page, member, '250.50', '250.50')
    await send(page, member, '100', '100.00')
    await expect(page.getByRole('link', { name: wallet.status.under_review })).toHaveCount(2)
  })

  await test.step('one is cancelled and one is rejected, and the money is returned', async () => {
    await page.getByRole('link', { name: '250.50' }).click()
    const dialogs = page.locator('[role="dialog"]')
    await page.getByRole('button', { name: withdraw.cancel }).click()
    await expect(dialogs).toHaveCount(2)
    // Back closes the question, and not the record below it.
    await page.goBack()
    await expect(dialogs).toHaveCount(1)
    await page.getByRole('button', { name: withdraw.cancel }).click()
    await page.getByRole('dialog').last().getByRole('button', { name: withdraw.cancel }).click()
    await expect(page.getByText(withdraw.step.cancelled, { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await decide(page, 'withdrawals', 'reject', 'The name differs')
    await expect(page.getByRole('link', { name: wallet.status.failed })).toHaveCount(2)
    await expect(page.getByRole('link', { name: '250.50' })).toContainText(withdraw.step.cancelled)
    await expect(page.getByRole('link', { name: '100.00' })).not.toContainText(withdraw.step.cancelled)
  })

  await test.step('the capital record has each movement and links to its cause', async () => {
    await page.goto('/#/pages/money-record/money-record')
    await expect(page.getByRole('link', { name: records.types.withdrawal_returned })).toHaveCount(2)
    await expect(page.getByRole('link', { name: records.types.withdrawal_returned }).first()).toContainText(
      /W-\d{6}-/,
    )
    await page.getByLabel(records.type).selectOption('deposit')
    await expect(page.getByRole('link', { name: records.types.withdrawal_returned })).toHaveCount(0)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: en.orders.csv }).click()
    expect(await textOf(await saving)).toMatch(/"?deposit"?,"?1000\.00"?/)
    await page.getByRole('link', { name: '+1,000.00' }).click()
    await expect(page.getByRole('dialog').getByText(deposit.step.credited)).toBeVisible()
  })
  expect(pageErrors).toEqual([])
})

async function bind(page: Page, member: Member): Promise<void> {
  await page.getByRole('button', { name: account.next }).click()
  await expect(page.getByText('Empty Value')).toHaveCount(6)
  await bindAccount(page, member)
}

async function submitVerification(page: Page): Promise<void> {
  await page.getByRole('button', { name: verify.submit }).click()
  await expect(page.getByText('Please upload ID photo')).toHaveCount(2)
  await fillVerification(page)
  await page.reload()
  await expect(page.getByText(verify.uploaded)).toHaveCount(2)
  await expect(page.getByLabel(verify.name)).toHaveValue('林伟')
  await page.getByRole('button', { name: verify.submit }).click()
  await expect(page.getByText('Verification data submitted, please wait for review').first()).toBeVisible()
}

/** Fills in and submits the form. An amount over the balance (`over`) is only reduced, and nothing is sent. */
async function send(page: Page, member: Member, typed: string, amount: string, over = false): Promise<void> {
  await page.goto('/#/pages/withdraw-money/withdraw-money')
  await page.getByLabel(wallet.amount, { exact: true }).fill(typed)
  if (over) await expect(page.getByText(withdraw.correctAmount)).toBeVisible()
  await page.getByLabel(withdraw.password).fill(member.transactionPassword)
  if (over) {
    await expect(page.getByText(wallet.capped.replace('{{max}}', amount))).toBeVisible()
    return
  }
  await page.getByRole('button', { name: title.withdraw, exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: withdraw.confirm.replace('{{amount}}', amount) })
    .click()
  await expect(page.getByRole('heading', { name: title.withdrawals })).toBeVisible()
}
