import en from '../../locales/en.json' with { type: 'json' }
import { deskKey } from './officeCalls.ts'
import { inLanguage, openAccount } from './member.ts'
import { expect, test } from './test.ts'

const { login, password, recover, title, withdraw } = en
const headers = { authorization: `Bearer ${deskKey}`, 'desk-actor': 'mei' }
type Request = { id: string; memberId: string; recovery: boolean }

test('a member who forgot the password asks on the log-in page, gets a link, and logs in with a new one', async ({
  page,
}) => {
  test.slow()
  await inLanguage(page, 'en')
  const member = await openAccount(page)
  await page.goto('/#/pages/login/login')
  await page.getByRole('link', { name: login.forgot }).click()
  await expect(page.getByRole('heading', { name: title.recover })).toBeVisible()
  await page.getByRole('button', { name: recover.submit }).click()
  await expect(page.getByText(login.enterAccount)).toBeVisible()
  await page.getByLabel(en.register.account).fill(member.account)
  await page.getByLabel(en.register.phone).fill(member.phone)
  await page.getByRole('button', { name: recover.submit }).click()
  await expect(page.getByText(recover.sentTitle)).toBeVisible()

  const shown = await page.request.get(`/desk/members?account=${member.account}`, { headers })
  const { items } = (await shown.json()) as { items: { id: string }[] }
  const find = async (): Promise<Request | undefined> => {
    const answer = await page.request.get('/desk/password-requests?status=under_review&limit=100', {
      headers,
    })
    const list = (await answer.json()) as { items: Request[] }
    return list.items.find(({ memberId, recovery }) => recovery && memberId === items[0]?.id)
  }
  await expect.poll(async () => (await find()) !== undefined).toBe(true)
  const request = await find()
  const approved = await page.request.post(`/desk/password-requests/${request?.id}/approve`, {
    headers,
    data: { called: true },
  })
  const { link } = (await approved.json()) as { link: string }

  await page.goto(`/${link.slice(link.indexOf('#'))}`)
  const fresh = 'battery staple 9'
  await page.getByLabel(password.new, { exact: true }).fill(fresh)
  await page.getByLabel(password.confirm).fill(fresh)
  await page.getByRole('button', { name: password.submitDirect }).click()
  await expect(page.getByText(password.done)).toBeVisible()
  await page.getByLabel(login.account, { exact: true }).fill(member.account)
  await page.getByLabel(login.password, { exact: true }).fill(fresh)
  await page.getByRole('button', { name: login.submit }).click()
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  await page.goto('/#/pages/withdraw-money/withdraw-money')
  await expect(page.getByText(withdraw.practiceNoRest.replace('{{wait}}', '24 hours'))).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`/${link.slice(link.indexOf('#'))}&again`)
  await page.getByLabel(password.new, { exact: true }).fill(fresh)
  await page.getByLabel(password.confirm).fill(fresh)
  await page.getByRole('button', { name: password.submitDirect }).click()
  await expect(page.getByText(en.error.RECOVERY_CODE_INVALID)).toBeVisible()
})
