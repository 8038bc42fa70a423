import { expect, test } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { logIn } from './member.ts'

const stored = `(async () => {
  const of = (storage) => JSON.stringify(Object.entries(storage))
  const done = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }))
  const kept = []
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const store of database.objectStoreNames) kept.push(...(await done(database.transaction(store).objectStore(store).getAll())))
    database.close()
  }
  const cached = []
  for (const name of await caches.keys()) cached.push(...(await (await caches.open(name)).keys()).map(({ url }) => url))
  return { local: of(localStorage), tab: of(sessionStorage), kept: JSON.stringify(kept), cached, cookies: document.cookie }
})()`
type Stored = { local: string; tab: string; kept: string; cached: string[]; cookies: string }

test('the browser keeps no password, name or number, and after log-out nothing of the member', async ({
  page,
}) => {
  const { account, phone, password, transactionPassword } = await logIn(page)
  const [name, idNumber, words] = ['王小明', '110101199003074610', 'My canary sings']
  await page.goto('/#/pages/verify/verify')
  await page.getByLabel(en.verify.name).fill(name)
  await page.getByLabel(en.verify.idNumber).fill(idNumber)
  await page.goto('/#/pages/service/service')
  await page.getByRole('textbox', { name: en.service.write }).fill(words)
  await page.goto('/#/pages/withdraw-money/withdraw-money')
  await page.goto('/#/pages/user/user')
  await expect(page.getByRole('button', { name: en.me.logOut })).toBeVisible()

  const during = await page.evaluate<Stored>(stored)
  for (const secret of [password, transactionPassword, phone, name, idNumber, words]) {
    expect(during.local).not.toContain(secret)
    expect(during.kept).not.toContain(secret)
  }
  for (const secret of [password, transactionPassword, phone]) expect(during.tab).not.toContain(secret)
  // The drafts are the tab's, and there for the member to go on with.
  expect(during.tab).toContain(idNumber)
  expect([during.cached, during.cookies]).toEqual([[], ''])

  await page.getByRole('button', { name: en.me.logOut }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.me.logOut }).click()
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect.poll(async () => (await page.evaluate<Stored>(stored)).tab).toBe('[]')
  const after = await page.evaluate<Stored>(stored)
  for (const secret of [account, phone, password, name, idNumber, words])
    expect(after.local).not.toContain(secret)
  expect(after.kept).toBe('[]')
})
