import en from '../../locales/en.json' with { type: 'json' }
import { decide } from './officeCalls.ts'
import { logIn } from './member.ts'
import { bindAccount, fillVerification } from './accountForms.ts'
import { expect, test } from './test.ts'

const { me, title, verify, withdraw } = en

test('each state of a verification shows live on the personal centre, its own page and the withdraw page @short', async ({
  page,
  context,
}) => {
  test.slow()
  const member = await logIn(page)
  const [userPage, withdrawPage] = [await context.newPage(), await context.newPage()]
  const row = userPage.getByRole('link', { name: title.verify })
  const submit = page.getByRole('button', { name: verify.submit })

  await test.step('not yet submitted', async () => {
    await userPage.goto('/#/pages/user/user')
    await expect(row).toContainText(me.verificationStatus.none)
    await withdrawPage.goto('/#/pages/account/account-detail')
    await bindAccount(withdrawPage, member)
    await withdrawPage.goto('/#/pages/withdraw-money/withdraw-money')
    await expect(withdrawPage.getByText(en.error.NOT_VERIFIED).first()).toBeVisible()
    await expect(withdrawPage.getByRole('link', { name: withdraw.verify })).toBeVisible()
    await page.goto('/#/pages/verify/verify')
    await expect(submit).toBeVisible()
  })

  await test.step('under verification, once it is submitted', async () => {
    await fillVerification(page)
    await submit.click()
    await expect(page.getByRole('heading', { name: verify.underReview })).toBeVisible()
    await expect(row).toContainText(me.verificationStatus.under_review)
    await expect(withdrawPage.getByText(withdraw.verifying).first()).toBeVisible()
  })

  await test.step('rejected: the reason shows over the form, which is open again', async () => {
    await decide(page, 'verifications', 'reject', 'The photo is blurred')
    await expect(page.getByText(verify.rejected)).toBeVisible()
    await expect(page.getByText(verify.reason.replace('{{reason}}', 'The photo is blurred'))).toBeVisible()
    await expect(submit).toBeVisible()
    await expect(row).toContainText(me.verificationStatus.rejected)
    await expect(withdrawPage.getByText(en.error.NOT_VERIFIED).first()).toBeVisible()
  })

  await test.step('under verification again after another submission', async () => {
    await fillVerification(page)
    await submit.click()
    await expect(page.getByRole('heading', { name: verify.underReview })).toBeVisible()
    await expect(row).toContainText(me.verificationStatus.under_review)
    await expect(withdrawPage.getByText(withdraw.verifying).first()).toBeVisible()
  })

  await test.step('successful: the withdraw page shows no obstacle', async () => {
    await decide(page, 'verifications', 'approve')
    await expect(page.getByRole('heading', { name: verify.verified })).toBeVisible()
    await expect(row).toContainText(me.verificationStatus.verified)
    await expect(withdrawPage.getByText(withdraw.verifying)).toHaveCount(0)
    await expect(withdrawPage.getByText(en.error.NOT_VERIFIED)).toHaveCount(0)
  })
})
