import sharp from 'sharp'
import {
  registerMember,
  password,
  transactionPassword,
  blackBoxClient,
  type BlackBoxClient,
} from '../../support/blackBoxClient.ts'

export type TargetVenue = { url: string; deskKey: string }
/** What a venue accepted: where each text must be shown, and how many requests were made. */
export type Injected = {
  account: string
  member: BlackBoxClient
  memberId: string
  calls: number
  /** Responses with 5xx. */
  violations: string[]
  /** Accepted texts, by where a page shows them. */
  accepted: Record<'service' | 'message' | 'reason' | 'news', string[]>
}
type OfficeCall = (path: string, body?: unknown) => Promise<{ status: number; text: string }>

const upload = async (venue: TargetVenue, member: BlackBoxClient, purpose: string): Promise<string> => {
  const pixels = { width: 16, height: 16, channels: 3, background: '#9ab' } as const
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('file', new Blob([new Uint8Array(await sharp({ create: pixels }).png().toBuffer())]), 'a.png')
  const { cookie, token } = member.session
  const headers = { cookie, 'x-csrf-token': token }
  const answer = await fetch(`${venue.url}/api/uploads`, { method: 'POST', body: form, headers })
  return ((await answer.json()) as { uploadId: string }).uploadId
}

/** Puts each text into every field that the venue accepts: from a visitor, a new member and the office. */
export async function injectTexts(
  venue: TargetVenue,
  account: string,
  phone: string,
  texts: readonly string[],
): Promise<Injected> {
  const member = await registerMember(venue.url, account, phone)
  const { body: me } = await member.get<{ id: string }>('/api/me')
  const injected: Injected = {
    account,
    member,
    memberId: me.id,
    calls: 0,
    violations: [],
    accepted: { service: [], message: [], reason: [], news: [] },
  }
  const countCall = (path: string, status: number): void => {
    injected.calls += 1
    if (status >= 500) injected.violations.push(`${path}: ${status}`)
  }
  const office: OfficeCall = async (path, body) => {
    const headers = { authorization: `Bearer ${venue.deskKey}`, 'content-type': 'application/json' }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${venue.url}/desk${path}`, init)
    countCall(`/desk${path}`, answer.status)
    return { status: answer.status, text: await answer.text() }
  }
  for (const text of texts) {
    await injectAsVisitor(blackBoxClient(venue.url), text, countCall)
    await injectAsMember(member, text, injected, countCall)
    await injectAsOffice(office, text, injected)
    await injectIntoVerification(venue, office, text, injected)
  }
  return injected
}

type CountCall = (path: string, status: number) => void

async function injectAsVisitor(visitor: BlackBoxClient, text: string, countCall: CountCall): Promise<void> {
  const valid = { account: 'injected_1', phone: '13700000000', openingCode: 'UPTICK' }
  const passwords = { password, confirmPassword: password, transactionPassword }
  const post = async (path: string, body: object): Promise<void> =>
    countCall(path, (await visitor.call('POST', path, { body })).status)
  for (const field of Object.keys(valid)) await post('/api/auth/register/check', { ...valid, [field]: text })
  const register = { registerToken: text, ...passwords, confirmTransactionPassword: transactionPassword }
  await post('/api/auth/register', register)
  await post('/api/auth/login', { account: text, password: text })
  await post('/api/auth/login', { account: 'nobody_1', password: text, captchaId: text, captcha: '1234' })
  await post('/api/client-errors', { kind: 'other', resource: text, build: text.slice(0, 64) })
  const query = encodeURIComponent(text)
  for (const path of [
    `/api/products?q=${query}`,
    `/api/products?category=${query}`,
    `/api/products/${query}`,
    `/api/products/${query}/candles?tf=1m`,
    `/api/news?cursor=${query}`,
    `/api/news/${query}`,
    `/api/highlights/${query}?lang=${query}`,
    `/api/pages/${query}`,
  ]) {
    countCall(path, (await visitor.get(path)).status)
  }
}

async function injectAsMember(
  member: BlackBoxClient,
  text: string,
  injected: Injected,
  countCall: CountCall,
): Promise<void> {
  const send = async (method: string, path: string, body: object): Promise<number> => {
    const { status } = await member.call(method, path, { body, key: crypto.randomUUID() })
    countCall(path, status)
    return status
  }
  await send('PATCH', '/api/me', { nickname: text })
  await send('PATCH', '/api/me', { contactEmail: text, password })
  if ((await send('POST', '/api/service/messages', { body: text })) === 201)
    injected.accepted.service.push(text)
  await send('POST', '/api/messages/read', { ids: [text.slice(0, 64)] })
  await send('POST', '/api/deposits', { methodId: text.slice(0, 64), amount: '10.00' })
  await send('POST', '/api/deposits', { methodId: 'practice', amount: text, proofUploadId: text })
  await send('POST', '/api/withdrawals', { amount: '10.00', accountId: text, transactionPassword: text })
  await send('POST', '/api/fund/withdrawals', { amount: '10.00', mode: 'fast', transactionPassword: text })
  const order = { productId: text, direction: 'up', amount: '10.00', seconds: 5, rateBp: 1, validUntil: 1 }
  await send('POST', '/api/orders', order)
  const passwords = { oldPassword: password, newPassword: text, confirmPassword: text }
  await send('POST', '/api/auth/password-requests', { kind: 'login', ...passwords, oldPassword: text })
  const person = { nationality: 'SG', frontUploadId: text, backUploadId: text }
  await send('POST', '/api/verification', { name: text, idNumber: text, ...person })
  await send('PUT', '/api/me/limits', {
    maxStake: text,
    maxDailyLoss: null,
    maxDailyDeposit: null,
    excludedUntil: null,
  })
  const query = encodeURIComponent(text)
  for (const path of [
    `/api/orders?productId=${query}&tab=${query}`,
    `/api/orders/by-key/${query}`,
    `/api/orders/${query}/proof`,
    `/api/me/ledger?type=${query}`,
    `/api/uploads/${query}`,
    `/api/messages?cursor=${query}`,
    `/api/fund/earnings?month=${query}`,
  ]) {
    countCall(path, (await member.get(path)).status)
  }
}

async function injectAsOffice(
  office: OfficeCall,
  text: string,
  { account, accepted }: Injected,
): Promise<void> {
  const title = text.replaceAll(/[\n\r]/g, ' ')
  const article = (name: string) => `---\nlang: ${name}\ntitle: ${title}\n---\n${text}\n`
  if ((await office('/messages', { to: account, title: text, body: text, lang: 'en' })).status === 201) {
    accepted.message.push(text)
  }
  await office('/messages', { to: text.slice(0, 64), title: 'T', body: 'B', link: text.slice(0, 200) })
  await office(`/service/${account}`, { body: text })
  const published = await office('/news', { file: article('en') })
  if (published.status === 201) accepted.news.push((JSON.parse(published.text) as { title: string }).title)
  await office('/highlights', { file: article('en') })
  await office(`/news`, { file: text })
  const query = encodeURIComponent(text)
  await office(`/members?account=${query}`)
  await office(`/members/${query}`)
  await office(`/audit?id=${query}&kind=${query}`)
  await office(`/products/${query}/maintenance`, {})
}

/** A verification that is rejected with this text as the reason, and an account with the text as its name. */
async function injectIntoVerification(
  venue: TargetVenue,
  office: OfficeCall,
  text: string,
  injected: Injected,
): Promise<void> {
  const { member, memberId, accepted } = injected
  const person = {
    name: 'Ann Lee',
    idNumber: 'S1234567',
    nationality: 'SG',
    frontUploadId: await upload(venue, member, 'id_front'),
    backUploadId: await upload(venue, member, 'id_back'),
  }
  await member.call('POST', '/api/verification', { body: person })
  if ((await office(`/verifications/${memberId}/reject`, { reason: text })).status === 200)
    accepted.reason.push(text)
  await bindAccountNamed(member, text)
  await office(`/withdrawal-accounts/${memberId}/unbind`, {})
}

/** Binds an account with this text in each free field; returns the response's status. */
export async function bindAccountNamed(member: BlackBoxClient, text: string): Promise<number> {
  const body = {
    type: 'bank',
    accountName: text,
    nationality: 'CN',
    bank: text,
    cardNumber: '6222021234567890',
    accountAddress: text,
    transactionPassword,
  }
  return (await member.call('POST', '/api/withdrawal-account', { body })).status
}
