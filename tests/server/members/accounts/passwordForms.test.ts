import { hash } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { createPasswords } from '../../../../server/members/accounts/passwords.ts'
import { systemRandom } from '../../../../server/platform/random.ts'
import { call } from '../../../support/apiCalls.ts'
import { openOfficeCall } from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ argon2: true, operatorConfig: { passwordSelfService: true } })

const password = 'Crème brûlée 42'
const [composed, decomposed] = [password.normalize('NFC'), password.normalize('NFD')]

it('is one password in every form of Unicode, and another one with other case or spaces', async () => {
  const passwords = createPasswords(systemRandom)
  const stored = await passwords.hash(composed, 'known')
  const matches = (text: string) => passwords.matches(stored, text, 'known')
  for (const same of [composed, decomposed, 'Crème brûlée ４２']) expect(await matches(same)).toBe(true)
  for (const other of [composed.toLowerCase(), ` ${composed}`, `${composed} `, 'Creme brulee 42'])
    expect(await matches(other)).toBe(false)
})

it('a hash of what was typed, from before, still matches that', async () => {
  const passwords = createPasswords(systemRandom)
  const stored = await hash(decomposed)
  expect(await passwords.matches(stored, decomposed, 'known')).toBe(true)
  expect(await passwords.matches(stored, `${decomposed}x`, 'known')).toBe(false)
})

it('without an account no text matches', async () => {
  const passwords = createPasswords(systemRandom)
  expect(await passwords.matches(null, '', 'unknown')).toBe(false)
})

it('is the same at registration, log-in and a change, whichever keyboard sends it', async () => {
  const step1 = { account: 'forms_0001', phone: '13912340001', openingCode: 'UPTICK' }
  const checked = await call<{ registerToken: string }>(venue.app, 'POST', '/auth/register/check', {
    body: step1,
  })
  const transaction = { transactionPassword: '482913', confirmTransactionPassword: '482913' }
  const opened = await call(venue.app, 'POST', '/auth/register', {
    body: {
      registerToken: checked.body.registerToken,
      password: composed,
      confirmPassword: decomposed,
      ...transaction,
    },
  })
  expect(opened.status).toBe(201)
  const logIn = (text: string) =>
    call<{ token: string }>(venue.app, 'POST', '/auth/login', {
      body: { account: step1.account, password: text },
    })
  const session = await logIn(decomposed)
  expect(session.status).toBe(200)
  const change = (oldPassword: string, newPassword: string, confirmPassword: string) =>
    call(venue.app, 'POST', '/auth/password-requests', {
      body: { kind: 'login', oldPassword, newPassword, confirmPassword },
      headers: {
        cookie: /sid=[^;]+/.exec(String(session.headers['set-cookie']))?.[0] ?? '',
        'x-csrf-token': session.body.token,
      },
    })
  expect((await change(composed, decomposed, decomposed)).fields).toEqual({ newPassword: 'PASSWORD_SAME' })
  const next = 'Phở bò tái 77'
  expect((await change(decomposed, next.normalize('NFD'), next.normalize('NFC'))).status).toBe(202)
  expect((await logIn(next.normalize('NFC'))).status).toBe(200)
})

it('is the same for the staff', async () => {
  const { body } = await venue.office<{ enrolment: { code: string } }>('POST', '/staff', {
    body: { name: 'linh', role: 'content' },
  })
  const { code } = body.enrolment
  await openOfficeCall(venue.app, 'POST', '/enrolment', { body: { code, password: decomposed } })
  for (const text of [composed, decomposed]) {
    const reply = await openOfficeCall(venue.app, 'POST', '/session', {
      body: { name: 'linh', password: text },
    })
    expect(reply.status).toBe(200)
  }
})
