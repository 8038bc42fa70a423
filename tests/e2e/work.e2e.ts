import type { APIRequestContext, Page } from '@playwright/test'
import officeTexts from '../../office/locales/en.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import { postToOffice } from './officeCalls.ts'
import { inLanguage, newMember, openAccount } from './member.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

// They share a venue of their own. The addresses of strangers are those that a proxy names.
test.describe.configure({ mode: 'default' })
ownVenue(7, { TRUST_PROXY: '1', DESK_REMOTE: '1' })

/** Five wrong passwords, each from an address of its own: the last one is not judged without work. */
async function guessUntilWork(request: APIRequestContext, address: string, data: object): Promise<void> {
  const codes: string[] = []
  for (let i = 1; i <= 5; i++) {
    const answer = await request.post(address, { data, headers: { 'x-forwarded-for': `203.0.113.${i}` } })
    codes.push(((await answer.json()) as { error: { code: string } }).error.code)
  }
  expect(codes).toEqual([...Array.from({ length: 4 }, () => 'BAD_CREDENTIALS'), 'WORK_REQUIRED'])
}

/** Whether the page has shown words while its device worked. */
async function watchStatus(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      for (const status of document.querySelectorAll('[role=status]'))
        if (status.textContent !== '') seen.push(status.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.join(' '))
}

/** Reports of the page's policy: a worker that it forbids would leave the work to the page. */
function watchPolicy(page: Page): string[] {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/content security policy|trustedscript/i.test(message.text())) refused.push(message.text())
  })
  return refused
}

test('strangers who guess a password do not keep its owner out on a new phone: it works once and gets in', async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await browser.newContext({ baseURL: baseURL! })
  const { account, password } = await openAccount(await owner.newPage(), newMember())
  const stranger = await browser.newContext({ baseURL: baseURL! })
  await guessUntilWork(stranger.request, '/api/auth/login', { account, password: 'battery staple' })
  await inLanguage(page, 'en')
  const refused = watchPolicy(page)
  const workers: string[] = []
  page.on('worker', (worker) => void workers.push(worker.url()))
  await page.goto('/#/pages/login/login')
  await page.getByLabel(en.login.account).fill(account)
  await page.getByLabel(en.login.password, { exact: true }).fill(password)
  const seen = await watchStatus(page)
  await page.getByRole('button', { name: en.login.submit, exact: true }).click()
  await expect(page.getByText(en.home.totalAssets)).toBeVisible()
  expect(await seen()).toContain(en.login.working)
  expect([workers.length, refused]).toEqual([1, []])
  // The device is known now.
  const cookies = await page.context().cookies()
  expect(cookies.some(({ name }) => name === 'device')).toBe(true)
  await owner.close()
  await stranger.close()
})

test('strangers who guess a password of the staff do not keep its owner out of the office', async ({
  page,
  browser,
  baseURL,
}) => {
  const name = `work-${Date.now()}`
  const password = 'a password of this venue 7'
  const created = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name,
    role: 'content',
  })
  const owner = await browser.newContext({ baseURL: baseURL! })
  const enrolled = await owner.request.post('/desk/enrolment', {
    data: { code: created.enrolment.code, password },
  })
  expect(enrolled.status()).toBe(201)
  const stranger = await browser.newContext({ baseURL: baseURL! })
  await guessUntilWork(stranger.request, '/desk/session', { name, password: 'battery staple' })
  const refused = watchPolicy(page)
  const workers: string[] = []
  page.on('worker', (worker) => void workers.push(worker.url()))
  await page.goto('/office/')
  await page.getByLabel(officeTexts.login.name).fill(name)
  await page.getByLabel(officeTexts.login.password, { exact: true }).fill(password)
  const seen = await watchStatus(page)
  await page.getByRole('button', { name: officeTexts.login.submit, exact: true }).click()
  await expect(page.getByRole('navigation', { name: officeTexts.nav.label })).toBeVisible()
  expect(await seen()).toContain(officeTexts.login.working)
  expect([workers.length, refused]).toEqual([1, []])
  await owner.close()
  await stranger.close()
})
