import en from '../../locales/en.json' with { type: 'json' }
import { logInByForm } from './member.ts'
import { expect, test } from './test.ts'

const readStorage = `(async () => {
  const of = (storage) => JSON.stringify(Object.entries(storage))
  const done = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }))
  const records = []
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const store of database.objectStoreNames) records.push(...(await done(database.transaction(store).objectStore(store).getAll())))
    database.close()
  }
  const cached = []
  for (const name of await caches.keys()) cached.push(...(await (await caches.open(name)).keys()).map(({ url }) => url))
  return { local: of(localStorage), tab: of(sessionStorage), records: JSON.stringify(records), cached, cookies: document.cookie }
})()`
type Stored = { local: string; tab: string; records: string; cached: string[]; cookies: string }

test('the browser stores no password, name or number, and nothing of the member after log-out', async ({
  page,
}) => {
  const { account, phone, password, transactionPassword } = await logInByForm(page)
  const [name, idNumber, message] = ['王小明', '110101199003074610', 'My canary sings']
  await page.goto('/#/pages/verify/verify')
  await page.getByLabel(en.verify.name).fill(name)
  await page.getByLabel(en.verify.idNumber).fill(idNumber)
  await page.goto('/#/pages/service/service')
  await page.getByRole('textbox', { name: en.service.write }).fill(message)
  await page.goto('/#/pages/withdraw-money/withdraw-money')
  await page.goto('/#/pages/user/user')
  await expect(page.getByRole('button', { name: en.me.logOut })).toBeVisible()

  const during = await page.evaluate<Stored>(readStorage)
  for (const secret of [password, transactionPassword, phone, name, idNumber, message]) {
    expect(during.local).not.toContain(secret)
    expect(during.records).not.toContain(secret)
  }
  for (const secret of [password, transactionPassword, phone]) expect(during.tab).not.toContain(secret)
  // Drafts stay in the tab, so that the member can continue.
  expect(during.tab).toContain(idNumber)
  expect([during.cached, during.cookies]).toEqual([[], 'language=en'])

  await page.getByRole('button', { name: en.me.logOut }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.me.logOut }).click()
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect.poll(async () => (await page.evaluate<Stored>(readStorage)).tab).toBe('[]')
  const after = await page.evaluate<Stored>(readStorage)
  for (const secret of [account, phone, password, name, idNumber, message])
    expect(after.local).not.toContain(secret)
  expect(after.records).toBe('[]')
})
